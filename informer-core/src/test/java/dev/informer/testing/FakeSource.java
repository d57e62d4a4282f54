/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.testing.FakeEtcd.Change;
import dev.informer.testing.FakeEtcd.Content;
import dev.informer.testing.FakeEtcd.Shape;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * API server for pods without HTTP, for tests that change objects, lose events, forget or
 * restore older states and let requests fail, while an informer follows. It answers like
 * a real server: lists are consistent over their pages, continue tokens and versions
 * expire with a compaction, a version from the future is too large for a list and without
 * an event in a watch.
 * <p>
 * Thread-safe. A watch without events blocks, in steps if the threads are
 * {@link #stepped}.
 */
public final class FakeSource implements ListerWatcher<V1Pod> {

	private final FakeEtcd etcd = new FakeEtcd();

	private final FakeLists lists = new FakeLists(this.etcd);

	private final FakeWatches watches = new FakeWatches(this, this.etcd);

	private final Deque<IOException> listFailures = new ArrayDeque<>();

	private final Deque<IOException> watchFailures = new ArrayDeque<>();

	private final List<String> requests = new ArrayList<>();

	private @Nullable SteppedThreads threads;

	private volatile boolean appliesShards = true;

	/** The newest version that was delivered. */
	private long delivered;

	/**
	 * Let the threads that use this source pause before each request and each event.
	 */
	public FakeSource stepped(SteppedThreads threads) {
		this.threads = threads;
		return this;
	}

	/**
	 * Set whether watches leave the changes of objects out that are in another shard.
	 */
	public FakeSource appliesShards(boolean appliesShards) {
		this.appliesShards = appliesShards;
		return this;
	}

	boolean appliesShards() {
		return this.appliesShards;
	}

	/**
	 * Return the part of this source that belongs to a namespace.
	 * @param namespace its name; empty for all namespaces
	 */
	public ListerWatcher<V1Pod> in(String namespace) {
		return new NamespaceSource(this, namespace);
	}

	public synchronized void put(String name) {
		put(name, Shape.FINE);
	}

	public synchronized void put(String name, Shape shape) {
		put(name, shape, null);
	}

	/**
	 * Create or change an object.
	 * @param name its name, with its namespace unless that is {@code ns}
	 * @param shape its readable part
	 * @param content its content; {@code null} for the current one
	 */
	public synchronized void put(String name, Shape shape, @Nullable Content content) {
		this.watches.publish(this.etcd.put(name, shape, content));
	}

	public synchronized void delete(String name) {
		delete(name, Shape.FINE);
	}

	public synchronized void delete(String name, Shape shape) {
		Change change = this.etcd.delete(name, shape);
		if (change != null) {
			this.watches.publish(change);
		}
	}

	/**
	 * Delete an object and create another one with the same name.
	 */
	public synchronized void recreate(String name) {
		delete(name);
		put(name);
	}

	/**
	 * Change something else at the server; open watches receive the new version.
	 */
	public synchronized void bookmark() {
		this.etcd.tick();
		WatchEvent<V1Pod> bookmark = new WatchEvent.Bookmark<>(Long.toString(this.etcd.version()), false);
		this.watches.offer(bookmark);
	}

	/**
	 * Break the open watches. Their pending events are lost to them; a watch from the
	 * version before receives them.
	 */
	public synchronized void disconnect() {
		this.watches.disconnect();
	}

	/**
	 * End the open watches cleanly, after their pending events.
	 */
	public synchronized void endWatches() {
		this.watches.end();
	}

	/**
	 * End the open watches by an ERROR event after their pending events.
	 */
	public synchronized void errorEvent(int code, String reason) {
		this.watches.offer(new WatchEvent.Failure<>(status(code, reason)));
		endWatches();
	}

	/**
	 * Compact etcd, which expires continue tokens as well, and break the open watches, so
	 * that only a list contains the changes.
	 */
	public synchronized void compactAndBreakWatches() {
		disconnect();
		compact();
	}

	/**
	 * Compact etcd. Open watches continue.
	 */
	public synchronized void compact() {
		this.etcd.tick();
		this.etcd.compact();
	}

	/**
	 * Break the open watches, and refuse the next connection.
	 */
	public synchronized void vanish() {
		disconnect();
		this.watchFailures.addFirst(new ConnectException("connection refused"));
	}

	/**
	 * Roll back to a version, break the open watches, and refuse the next connection.
	 * @return whether a client may have received a change that was rolled back
	 */
	public synchronized boolean rollBack(long version) {
		boolean known = failOver(version, this::disconnect);
		vanish();
		return known;
	}

	/**
	 * Let a server answer from now on that has diverged from this one after a version. No
	 * request fails.
	 * @param end ends the open watches
	 * @return whether a client may have received a change that the server does not have
	 */
	public synchronized boolean failOver(long version, Runnable end) {
		this.watches.reopen();
		end.run();
		this.lists.rollBack();
		this.etcd.rollBack(version);
		boolean known = this.delivered > version;
		this.delivered = Math.min(this.delivered, version);
		return known;
	}

	public synchronized void failList(IOException failure) {
		this.listFailures.add(failure);
	}

	public synchronized void failList(int code, String reason) {
		failList(new ServerStatusException(status(code, reason)));
	}

	public synchronized void failWatch(IOException failure) {
		this.watchFailures.add(failure);
	}

	public synchronized void failWatch(int code, String reason) {
		failWatch(new ServerStatusException(status(code, reason)));
	}

	/**
	 * Break the next page off after half of its items.
	 */
	public synchronized void cutList() {
		this.lists.cut();
	}

	/**
	 * Set whether limits are respected also for lists from the watch cache.
	 */
	public synchronized void paging(boolean paging) {
		this.lists.paging(paging);
	}

	/**
	 * Set the number of versions that a list at version 0 is behind.
	 */
	public synchronized void lag(long versions) {
		this.lists.lag(versions);
	}

	public synchronized void heal() {
		this.listFailures.clear();
		this.watchFailures.clear();
		this.lists.heal();
	}

	public FakeEtcd etcd() {
		return this.etcd;
	}

	public synchronized long version() {
		return this.etcd.version();
	}

	/**
	 * Return the resource versions of all objects by key.
	 */
	public synchronized Map<String, String> versions() {
		return FakeEtcd.versions(this.etcd.current());
	}

	/**
	 * Return the requests: {@code LIST "0" limit 500}, {@code LIST continue}, {@code
	 * WATCH 10}; those for a shard end with {@code of} and the shard.
	 */
	public synchronized List<String> requests() {
		return List.copyOf(this.requests);
	}

	public synchronized int openWatches() {
		return this.watches.size();
	}

	/**
	 * Return whether a watch is open and has delivered all events.
	 */
	public synchronized boolean isQuiet() {
		return this.watches.areQuiet();
	}

	@Override
	public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation) throws IOException {
		return list("", request, sink, cancellation);
	}

	ListPage list(String namespace, ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation)
			throws IOException {
		pause();
		synchronized (this) {
			if (cancellation.isCancelled()) {
				throw new IOException("cancelled");
			}
			this.requests.add(FakeLists.describe(request));
			IOException failure = this.listFailures.poll();
			if (failure != null) {
				throw failure;
			}
			ListPage page = this.lists.list(namespace, request, sink);
			this.delivered = Math.max(this.delivered, Long.parseLong(String.valueOf(page.resourceVersion())));
			return page;
		}
	}

	@Override
	public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
			throws IOException {
		return watch("", request, cancellation);
	}

	WatchStream<V1Pod> watch(String namespace, WatchRequest request, Cancellation cancellation) throws IOException {
		pause();
		synchronized (this) {
			this.requests.add(FakeWatches.describe(request));
			IOException failure = this.watchFailures.poll();
			if (failure != null) {
				throw failure;
			}
			if (request.sendInitialEvents()) {
				this.lists.checkReached(request.resourceVersion());
			}
			return this.watches.open(request, namespace, this.threads, cancellation);
		}
	}

	WatchEvent<V1Pod> endOfInitialEvents() {
		return new WatchEvent.Bookmark<>(Long.toString(this.etcd.version()), true);
	}

	/**
	 * Record that a watch has delivered an event.
	 */
	void delivered(WatchEvent<V1Pod> event) {
		if (!(event instanceof WatchEvent.Failure<V1Pod>)) {
			this.delivered = Math.max(this.delivered, this.etcd.version());
		}
	}

	/**
	 * Remove a closed watch.
	 * @return whether it was open
	 */
	boolean closed(FakeStream stream) {
		return this.watches.remove(stream);
	}

	private void pause() {
		if (this.threads != null) {
			this.threads.pause();
		}
	}

	private static ServerStatus status(int code, String reason) {
		return ScriptedSource.status(code, reason);
	}

}
