package dev.informer.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.informer.source.ListPage;
import dev.informer.source.ListRequest;
import dev.informer.source.ListSink;
import dev.informer.source.ListerWatcher;
import dev.informer.source.RequestScope;
import dev.informer.source.ServerStatus;
import dev.informer.source.ServerStatusException;
import dev.informer.source.WatchEvent;
import dev.informer.source.WatchEvent.ChangeType;
import dev.informer.source.WatchRequest;
import dev.informer.source.WatchStream;
import dev.informer.testing.FakeHistory.Change;
import dev.informer.testing.FakeHistory.Item;
import dev.informer.testing.FakeHistory.Shape;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * An API server for pods without HTTP: a test changes objects, loses events, forgets or
 * takes back history and lets requests fail, and an informer follows. It answers as the
 * real one does where that matters: lists are consistent over their pages, continue
 * tokens and versions expire with the history, a version from the future is too large for
 * a list and silent in a watch.
 * <p>
 * Thread-safe. A watch without events blocks, unless {@link #onWait} says what to do in
 * its place.
 */
public final class FakeSource implements ListerWatcher<V1Pod> {

	private final FakeHistory history = new FakeHistory();

	private final Deque<IOException> listFailures = new ArrayDeque<>();

	private final Deque<IOException> watchFailures = new ArrayDeque<>();

	private final List<FakeStream> streams = new ArrayList<>();

	private final Map<String, Rest> rests = new HashMap<>();

	private final List<String> requests = new ArrayList<>();

	private @Nullable Runnable onWait;

	private boolean paging;

	private long lag;

	private int cuts;

	/**
	 * Sets what runs before each request and each event, and again and again while a
	 * watch has none, in place of blocking: with this the source is used by one thread.
	 */
	public FakeSource onWait(Runnable action) {
		this.onWait = action;
		return this;
	}

	public synchronized void put(String name) {
		put(name, Shape.FINE);
	}

	public synchronized void put(String name, Shape shape) {
		publish(this.history.put(name, shape));
	}

	public synchronized void delete(String name) {
		delete(name, Shape.FINE);
	}

	public synchronized void delete(String name, Shape shape) {
		Change change = this.history.delete(name, shape);
		if (change != null) {
			publish(change);
		}
	}

	/**
	 * Deletes an object and creates another one under its name.
	 */
	public synchronized void recreate(String name) {
		delete(name);
		put(name);
	}

	/**
	 * Something else at the server changes, and open watches hear of the version.
	 */
	public synchronized void bookmark() {
		this.history.tick();
		WatchEvent<V1Pod> bookmark = new WatchEvent.Bookmark<>(Long.toString(this.history.version()), false);
		this.streams.forEach((stream) -> stream.offer(bookmark));
	}

	/**
	 * Breaks the open watches. What they have not delivered yet is lost to them, and
	 * found by a watch from the version before.
	 */
	public synchronized void disconnect() {
		this.streams.forEach((stream) -> stream.end(new IOException("connection reset")));
		this.streams.clear();
	}

	/**
	 * Ends the open watches cleanly, behind the events that they have.
	 */
	public synchronized void endWatches() {
		this.streams.forEach((stream) -> stream.end(null));
		this.streams.clear();
	}

	/**
	 * Ends the open watches by an ERROR event behind the events that they have.
	 */
	public synchronized void errorEvent(int code, String reason) {
		this.streams.forEach((stream) -> stream.offer(new WatchEvent.Failure<>(status(code, reason))));
		endWatches();
	}

	/**
	 * Breaks the open watches and forgets the history, continue tokens included, so that
	 * only a list tells what has happened.
	 */
	public synchronized void loseHistory() {
		disconnect();
		compact();
	}

	/**
	 * Forgets the history. Open watches go on.
	 */
	public synchronized void compact() {
		this.history.tick();
		this.history.compact();
	}

	/**
	 * Breaks the open watches and takes back everything after a version.
	 */
	public synchronized void goBack(long version) {
		disconnect();
		this.rests.clear();
		this.history.goBack(version);
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
	 * Breaks the next page off after half of its items.
	 */
	public synchronized void cutList() {
		this.cuts++;
	}

	/**
	 * Says whether limits are respected also where the watch cache could answer.
	 */
	public synchronized void paging(boolean paging) {
		this.paging = paging;
	}

	/**
	 * Says how many versions a list at version 0 is behind.
	 */
	public synchronized void lag(long versions) {
		this.lag = versions;
	}

	/**
	 * No faults from now on.
	 */
	public synchronized void heal() {
		this.listFailures.clear();
		this.watchFailures.clear();
		this.cuts = 0;
		this.lag = 0;
	}

	public synchronized long version() {
		return this.history.version();
	}

	public synchronized Map<String, Item> current() {
		return this.history.current();
	}

	/**
	 * What there was at a version.
	 */
	public synchronized Map<String, Item> at(long version) {
		return this.history.at(version);
	}

	/**
	 * What there is: resource versions by key.
	 */
	public synchronized Map<String, String> versions() {
		return FakeHistory.versions(this.history.current());
	}

	/**
	 * What was asked: {@code LIST "0" limit 500}, {@code LIST continue},
	 * {@code WATCH 10}.
	 */
	public synchronized List<String> requests() {
		return List.copyOf(this.requests);
	}

	public synchronized int openWatches() {
		return this.streams.size();
	}

	/**
	 * Whether a watch is open and has delivered everything.
	 */
	public synchronized boolean isQuiet() {
		return !this.streams.isEmpty() && this.streams.stream().allMatch(FakeStream::isEmpty);
	}

	@Override
	public ListPage list(ListRequest request, ListSink<V1Pod> sink, RequestScope scope) throws IOException {
		pulse();
		synchronized (this) {
			if (scope.isCancelled()) {
				throw new IOException("cancelled");
			}
			this.requests.add((request.continueToken() != null) ? "LIST continue" : "LIST \""
					+ request.resourceVersion() + "\"" + ((request.limit() > 0) ? " limit " + request.limit() : ""));
			IOException failure = this.listFailures.poll();
			if (failure != null) {
				throw failure;
			}
			return page(request, (request.continueToken() != null) ? rest(request.continueToken()) : all(request),
					sink);
		}
	}

	private Rest all(ListRequest request) throws IOException {
		String asked = String.valueOf(request.resourceVersion());
		if (!asked.isEmpty() && Long.parseLong(asked) > this.history.version()) {
			throw new ServerStatusException(new ServerStatus(504, "Timeout", "Too large resource version: " + asked,
					List.of("ResourceVersionTooLarge"), null));
		}
		long version = this.history.version();
		if (asked.equals("0")) {
			version = Math.max(Math.max(1, this.history.compacted()), version - this.lag);
		}
		return new Rest(version, List.copyOf(this.history.at(version).values()));
	}

	private Rest rest(String token) throws IOException {
		Rest rest = this.rests.get(token);
		if (rest == null || rest.version() < this.history.compacted()) {
			throw new ServerStatusException(status(410, "Expired"));
		}
		return rest;
	}

	private ListPage page(ListRequest request, Rest rest, ListSink<V1Pod> sink) throws IOException {
		boolean limited = request.limit() > 0
				&& (this.paging || "".equals(request.resourceVersion()) || request.continueToken() != null);
		int size = Math.min(rest.items().size(), limited ? request.limit() : Integer.MAX_VALUE);
		boolean cut = this.cuts > 0;
		for (Item item : rest.items().subList(0, cut ? size / 2 : size)) {
			if (item.shape() == Shape.FINE) {
				sink.accept(item.pod());
			}
			else {
				sink.acceptUndecodable(item.undecodable());
			}
		}
		if (cut) {
			this.cuts--;
			throw new IOException("unexpected end of stream");
		}
		String version = Long.toString(rest.version());
		if (size == rest.items().size()) {
			return new ListPage(version, null);
		}
		String token = version + "-" + this.rests.size();
		this.rests.put(token, new Rest(rest.version(), rest.items().subList(size, rest.items().size())));
		return new ListPage(version, token);
	}

	@Override
	public WatchStream<V1Pod> watch(WatchRequest request, RequestScope scope) throws IOException {
		pulse();
		synchronized (this) {
			this.requests.add((request.sendInitialEvents() ? "STREAM " : "WATCH ") + request.resourceVersion());
			IOException failure = this.watchFailures.poll();
			if (failure != null) {
				throw failure;
			}
			long version = request.resourceVersion().isEmpty() ? 0 : Long.parseLong(request.resourceVersion());
			if (version < this.history.compacted() && !request.sendInitialEvents()) {
				throw new ServerStatusException(status(410, "Expired"));
			}
			FakeStream stream = new FakeStream(scope);
			if (request.sendInitialEvents()) {
				this.history.current()
					.values()
					.forEach((item) -> stream.offer(new Change(ChangeType.ADDED, item).event()));
				stream.offer(new WatchEvent.Bookmark<>(Long.toString(this.history.version()), true));
			}
			else {
				this.history.changesAfter(version).forEach((change) -> stream.offer(change.event()));
			}
			this.streams.add(stream);
			scope.register(stream);
			return stream;
		}
	}

	private void publish(Change change) {
		this.streams.forEach((stream) -> stream.offer(change.event()));
	}

	private void pulse() {
		if (this.onWait != null) {
			this.onWait.run();
		}
	}

	private static ServerStatus status(int code, String reason) {
		return ScriptedSource.status(code, reason);
	}

	private record Rest(long version, List<Item> items) {
	}

	private final class FakeStream implements WatchStream<V1Pod> {

		private final Deque<WatchEvent<V1Pod>> events = new ArrayDeque<>();

		private final RequestScope scope;

		private @Nullable IOException failure;

		private boolean ended;

		FakeStream(RequestScope scope) {
			this.scope = scope;
		}

		void offer(WatchEvent<V1Pod> event) {
			this.events.add(event);
			FakeSource.this.notifyAll();
		}

		void end(@Nullable IOException failure) {
			this.ended = true;
			this.failure = failure;
			FakeSource.this.notifyAll();
		}

		boolean isEmpty() {
			return this.events.isEmpty();
		}

		@Override
		public @Nullable WatchEvent<V1Pod> next() throws IOException {
			pulse();
			synchronized (FakeSource.this) {
				while (!this.ended && this.events.isEmpty()) {
					await();
				}
				if (this.failure != null) {
					throw this.failure;
				}
				return this.events.poll();
			}
		}

		private void await() throws IOException {
			if (FakeSource.this.onWait != null) {
				pulse();
				return;
			}
			try {
				FakeSource.this.wait();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IOException(ex);
			}
		}

		@Override
		public void silenceLimit(Duration limit) {
			// time stands still while this source has nothing to say
		}

		@Override
		public void close() {
			this.scope.unregister(this);
			synchronized (FakeSource.this) {
				if (FakeSource.this.streams.remove(this)) {
					end(new IOException("closed"));
				}
			}
		}

	}

}
