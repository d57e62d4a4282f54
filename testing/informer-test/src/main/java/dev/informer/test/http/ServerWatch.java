/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.store.Change;
import dev.informer.test.store.ListOptions;
import dev.informer.test.store.ResourceStore;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.Store;
import dev.informer.test.store.StoredObject;
import dev.informer.test.store.WatchStart;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Open watch. The request's thread follows the linked list of changes and parks at its
 * end; other threads unpark it or request its end.
 * <p>
 * A watch that is requested to end still sends all changes made before that: the state is
 * read before the changes, and applied after them.
 */
final class ServerWatch implements ResourceStore.Follower {

	private final Store store;

	private final RequestPath path;

	private final ListOptions options;

	private final MediaType mediaType;

	private final Bookmarks bookmarks;

	private final ApiResponse response;

	private final Queue<byte[]> raw = new ConcurrentLinkedQueue<>();

	private volatile State state = State.OPEN;

	private volatile boolean stalled;

	private volatile @Nullable Thread thread;

	ServerWatch(Store store, RequestPath path, ListOptions options, MediaType mediaType, Bookmarks bookmarks,
			ApiResponse response) {
		this.store = store;
		this.path = path;
		this.options = options;
		this.mediaType = mediaType;
		this.bookmarks = bookmarks;
		this.response = response;
	}

	String resource() {
		return this.path.definition().resource();
	}

	/**
	 * Serve the watch until it ends.
	 */
	void run() throws IOException {
		long version = version();
		ResourceStore resource = this.store.resource(this.path.definition());
		this.thread = Thread.currentThread();
		resource.addFollower(this);
		try {
			answer(version);
		}
		finally {
			resource.removeFollower(this);
		}
	}

	private void answer(long version) throws IOException {
		WatchStart start;
		try {
			start = this.store.locked(() -> WatchStart.find(this.store, this.path.definition(), this.path.namespace(),
					this.options, version));
		}
		catch (KubernetesStatusException ex) {
			this.mediaType.writeEvent("ERROR", ex.status(), this.response.stream(200, this.mediaType.streamType()));
			return;
		}
		OutputStream out = this.response.stream(200, this.mediaType.streamType());
		out.flush();
		this.response.onDisconnect(this::abandon);
		try {
			follow(start, out);
		}
		catch (Representation.UnfitException ex) {
			// like the real server, end the watch without an event
		}
	}

	private long version() {
		String version = this.options.resourceVersion();
		try {
			return version.isEmpty() ? 0 : ListOptions.parseVersion(version);
		}
		catch (NumberFormatException ex) {
			throw StatusErrors.internal(String.valueOf(ex.getMessage()));
		}
	}

	private void follow(WatchStart start, OutputStream out) throws IOException {
		writeInitial(start, out);
		Change position = start.position();
		while (true) {
			boolean ending = this.state == State.ENDING;
			OutputStream target = this.stalled ? OutputStream.nullOutputStream() : out;
			position = writeChanges(position, start.after(), target);
			writeRaw(target);
			long now = System.nanoTime();
			if (this.bookmarks.isDue(now)) {
				writeBookmark(position, start.after(), target);
			}
			target.flush();
			if (this.state == State.GONE) {
				throw new IOException("The watch was cut or its client disconnected");
			}
			if (ending || this.bookmarks.isOver(now)) {
				return;
			}
			if (position.next() == null && this.raw.isEmpty() && this.state == State.OPEN) {
				LockSupport.parkNanos(this, this.bookmarks.next() - now);
				if (Thread.interrupted()) {
					throw new IOException("The server is closing");
				}
			}
		}
	}

	private void writeInitial(WatchStart start, OutputStream out) throws IOException {
		if (start.initial() != null) {
			for (StoredObject object : start.initial()) {
				if (this.options.selector().matches(object)) {
					write(Change.Type.ADDED, object, out);
				}
			}
			if (start.initialEnd()) {
				this.mediaType.writeEvent("BOOKMARK", this.bookmarks.initialEnd(start.resourceVersion()), out);
			}
		}
	}

	private Change writeChanges(Change from, long after, OutputStream out) throws IOException {
		Change position = from;
		for (Change next = position.next(); next != null; next = position.next()) {
			position = next;
			if (next.resourceVersion() > after && isInNamespace(next.object())) {
				write(next, out);
			}
		}
		return position;
	}

	private boolean isInNamespace(StoredObject object) {
		return this.path.namespace().isEmpty() || object.key().namespace().equals(this.path.namespace());
	}

	private void write(Change change, OutputStream out) throws IOException {
		StoredObject previous = change.previous();
		boolean was = previous != null && this.options.selector().matches(previous);
		boolean is = change.type() != Change.Type.DELETED && this.options.selector().matches(change.object());
		if (is) {
			write(was ? Change.Type.MODIFIED : Change.Type.ADDED, change.object(), out);
		}
		else if (was) {
			write(Change.Type.DELETED, (change.type() == Change.Type.DELETED) ? change.object() : change.departed(),
					out);
		}
	}

	private void write(Change.Type type, StoredObject object, OutputStream out) throws IOException {
		this.mediaType.writeEvent(type.name(), object, this.path.definition(), out);
	}

	private void writeRaw(OutputStream out) throws IOException {
		for (byte[] bytes = this.raw.poll(); bytes != null; bytes = this.raw.poll()) {
			this.mediaType.writeText(bytes, out);
		}
	}

	private void writeBookmark(Change position, long after, OutputStream out) throws IOException {
		long version = this.store.locked(() -> (position.next() == null) ? this.store.resourceVersion() : -1L);
		if (version == -1) {
			return;
		}
		this.bookmarks.sent(System.nanoTime());
		if (version >= after) {
			ObjectNode bookmark = this.bookmarks.at(version);
			this.mediaType.writeEvent("BOOKMARK", bookmark, out);
		}
	}

	void send(byte[] bytes) {
		this.raw.add(bytes);
		wake();
	}

	/**
	 * Send no further data.
	 */
	void stall() {
		this.stalled = true;
	}

	/**
	 * Reset the connection.
	 */
	void cut() {
		this.state = State.GONE;
		this.response.cut();
		wake();
	}

	@Override
	public void end() {
		if (this.state == State.OPEN) {
			this.state = State.ENDING;
		}
		wake();
	}

	private void abandon() {
		this.state = State.GONE;
		wake();
	}

	@Override
	public void wake() {
		LockSupport.unpark(this.thread);
	}

	private enum State {

		OPEN, ENDING, GONE

	}

}
