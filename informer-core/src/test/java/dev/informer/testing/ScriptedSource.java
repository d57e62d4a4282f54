/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.reflector.ResourceVersions;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Source that answers lists and watches from a script, and records the requests. At the
 * end of the script, a callback ends the test.
 */
public final class ScriptedSource implements ListerWatcher<V1Pod> {

	private final Deque<ListAnswer> lists = new ArrayDeque<>();

	private final Deque<WatchAnswer> watches = new ArrayDeque<>();

	private final List<String> requests = new ArrayList<>();

	private final List<WatchRequest> watchRequests = new ArrayList<>();

	private final List<Duration> idleTimeouts = new ArrayList<>();

	/** The changes that watches have delivered, in order. */
	private final List<WatchEvent<V1Pod>> delivered = new ArrayList<>();

	private final @Nullable FakeTime time;

	private volatile Duration silence = Duration.ZERO;

	private Runnable atEnd = () -> {
	};

	public ScriptedSource() {
		this.time = null;
	}

	/**
	 * Create a source whose watches end on time, if they deliver an event and then end
	 * cleanly.
	 */
	public ScriptedSource(FakeTime time) {
		this.time = time;
	}

	public ScriptedSource atEnd(Runnable action) {
		this.atEnd = action;
		return this;
	}

	public ScriptedSource list(ListAnswer answer) {
		this.lists.add(answer);
		return this;
	}

	public ScriptedSource list(long resourceVersion, V1Pod... pods) {
		return page(resourceVersion, null, pods);
	}

	public ScriptedSource page(long resourceVersion, @Nullable String continueToken, V1Pod... pods) {
		return list((request, sink) -> {
			List.of(pods).forEach(sink::accept);
			return new ListPage(Long.toString(resourceVersion), continueToken);
		});
	}

	public ScriptedSource listFails(int code, String reason) {
		return listFails(status(code, reason));
	}

	public ScriptedSource listFails(ServerStatus status) {
		return list((request, sink) -> {
			throw new ServerStatusException(status);
		});
	}

	public ScriptedSource watch(WatchAnswer answer) {
		this.watches.add(answer);
		return this;
	}

	/**
	 * Add a watch that delivers some events and then ends cleanly.
	 */
	@SafeVarargs
	public final ScriptedSource watch(WatchEvent<V1Pod>... events) {
		List<WatchEvent<V1Pod>> all = new ArrayList<>();
		for (WatchEvent<V1Pod> event : events) {
			all.add(event);
		}
		return watch(() -> new EventList(all, null));
	}

	/**
	 * Add a watch that delivers some events and then breaks.
	 */
	@SafeVarargs
	public final ScriptedSource watchBreaks(IOException failure, WatchEvent<V1Pod>... events) {
		List<WatchEvent<V1Pod>> all = new ArrayList<>();
		for (WatchEvent<V1Pod> event : events) {
			all.add(event);
		}
		return watch(() -> new EventList(all, failure));
	}

	public ScriptedSource watchFails(int code, String reason) {
		return watch(() -> {
			throw new ServerStatusException(status(code, reason));
		});
	}

	/**
	 * Return the requests: {@code LIST "0" limit 500}, {@code LIST continue token}, and
	 * {@code WATCH 10}.
	 */
	public List<String> requests() {
		return this.requests;
	}

	public List<WatchRequest> watchRequests() {
		return this.watchRequests;
	}

	/**
	 * Let the connections of later watches have been silent at their end.
	 */
	public void silence(Duration silence) {
		this.silence = silence;
	}

	/**
	 * Return the idle timeouts that were set, in order.
	 */
	public List<Duration> idleTimeouts() {
		return this.idleTimeouts;
	}

	/**
	 * Return a stream that delivers some events and then ends cleanly.
	 */
	@SafeVarargs
	public final WatchStream<V1Pod> events(WatchEvent<V1Pod>... events) {
		List<WatchEvent<V1Pod>> all = new ArrayList<>();
		for (WatchEvent<V1Pod> event : events) {
			all.add(event);
		}
		return new EventList(all, null);
	}

	/**
	 * Return a stream that never ends by itself.
	 */
	public WatchStream<V1Pod> endless(Supplier<@Nullable WatchEvent<V1Pod>> events) {
		return stream(events::get);
	}

	/**
	 * Return a stream that breaks without an event.
	 */
	public WatchStream<V1Pod> breaking(Supplier<IOException> failure) {
		return stream(() -> {
			throw failure.get();
		});
	}

	private static WatchStream<V1Pod> stream(Callable<@Nullable WatchEvent<V1Pod>> events) {
		return new WatchStream<>() {
			@Override
			public @Nullable WatchEvent<V1Pod> next() throws IOException {
				try {
					return events.call();
				}
				catch (IOException | RuntimeException ex) {
					throw ex;
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			}

			@Override
			public void idleTimeout(Duration limit) {
			}

			@Override
			public void close() {
			}
		};
	}

	@Override
	public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation) throws IOException {
		ListAnswer answer = this.lists.poll();
		if (answer == null) {
			this.atEnd.run();
			throw new IOException("no more lists in the script");
		}
		boolean comparison = request.metadataOnly() && request.limit() > 1;
		this.requests.add((request.continueToken() != null) ? "LIST continue " + request.continueToken()
				: (comparison ? "COMPARE \"" : "LIST \"") + request.resourceVersion() + "\""
						+ ((request.limit() > 0) ? " limit " + request.limit() : ""));
		return answer.answer(request, sink);
	}

	@Override
	public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
			throws IOException {
		WatchAnswer answer = this.watches.poll();
		if (answer == null) {
			this.atEnd.run();
			throw new IOException("no more watches in the script");
		}
		this.requests.add((request.sendInitialEvents() ? "STREAM \"" + request.resourceVersion() + "\""
				: "WATCH " + request.resourceVersion()));
		this.watchRequests.add(request);
		return new ScriptedStream(answer.answer(), request, deliveredAfter(request));
	}

	/**
	 * Return the changes that a server sends again because the watch is from an earlier
	 * version.
	 */
	private Deque<WatchEvent<V1Pod>> deliveredAfter(WatchRequest request) {
		Deque<WatchEvent<V1Pod>> again = new ArrayDeque<>();
		if (request.sendInitialEvents()) {
			return again;
		}
		for (WatchEvent<V1Pod> event : this.delivered) {
			String version = event.state().resourceVersion();
			if (version != null && ResourceVersions.isBefore(request.resourceVersion(), version)) {
				again.add(event);
			}
		}
		return again;
	}

	public static ServerStatus status(int code, String reason) {
		return new ServerStatus(code, reason, "for the test", List.of(), null);
	}

	public static WatchEvent<V1Pod> added(V1Pod pod) {
		return new WatchEvent.Change<>(ChangeType.ADDED, pod);
	}

	public static WatchEvent<V1Pod> modified(V1Pod pod) {
		return new WatchEvent.Change<>(ChangeType.MODIFIED, pod);
	}

	public static WatchEvent<V1Pod> deleted(V1Pod pod) {
		return new WatchEvent.Change<>(ChangeType.DELETED, pod);
	}

	public static WatchEvent<V1Pod> bookmark(long resourceVersion) {
		return new WatchEvent.Bookmark<>(Long.toString(resourceVersion), false);
	}

	public static WatchEvent<V1Pod> error(int code, String reason) {
		return new WatchEvent.Failure<>(status(code, reason));
	}

	public static UndecodableObject undecodable(@Nullable String name, long resourceVersion) {
		return new UndecodableObject(new ObjectState("ns", name, "uid-" + name, Long.toString(resourceVersion)),
				"spec: for the test");
	}

	/**
	 * Answer to a list.
	 */
	@FunctionalInterface
	public interface ListAnswer {

		ListPage answer(ListRequest request, ListSink<V1Pod> sink) throws IOException;

	}

	/**
	 * Answer to a watch.
	 */
	@FunctionalInterface
	public interface WatchAnswer {

		WatchStream<V1Pod> answer() throws IOException;

	}

	/**
	 * Stream that begins with changes that were delivered before.
	 */
	private final class ScriptedStream implements WatchStream<V1Pod> {

		private final WatchStream<V1Pod> script;

		private final WatchRequest request;

		private final Deque<WatchEvent<V1Pod>> again;

		private boolean received;

		ScriptedStream(WatchStream<V1Pod> script, WatchRequest request, Deque<WatchEvent<V1Pod>> again) {
			this.script = script;
			this.request = request;
			this.again = again;
		}

		@Override
		public @Nullable WatchEvent<V1Pod> next() throws IOException {
			if (!this.again.isEmpty()) {
				return this.again.poll();
			}
			WatchEvent<V1Pod> event = this.script.next();
			if (event == null && this.received && ScriptedSource.this.time != null) {
				ScriptedSource.this.time.advance(this.request.timeout());
			}
			boolean initial = event instanceof WatchEvent.Bookmark<V1Pod> end && end.initialEventsEnd();
			this.received |= event != null && !initial;
			if (event instanceof WatchEvent.Change<V1Pod> || event instanceof WatchEvent.Undecodable<V1Pod>) {
				ScriptedSource.this.delivered.add(event);
			}
			return event;
		}

		@Override
		public void idleTimeout(Duration limit) {
			this.script.idleTimeout(limit);
		}

		@Override
		public Duration silence() {
			return this.script.silence();
		}

		@Override
		public void close() {
			this.script.close();
		}

	}

	private final class EventList implements WatchStream<V1Pod> {

		private final Deque<WatchEvent<V1Pod>> events;

		private final @Nullable IOException failure;

		EventList(List<WatchEvent<V1Pod>> events, @Nullable IOException failure) {
			this.events = new ArrayDeque<>(events);
			this.failure = failure;
		}

		@Override
		public @Nullable WatchEvent<V1Pod> next() throws IOException {
			if (this.events.isEmpty() && this.failure != null) {
				throw this.failure;
			}
			return this.events.poll();
		}

		@Override
		public void idleTimeout(Duration limit) {
			ScriptedSource.this.idleTimeouts.add(limit);
		}

		@Override
		public Duration silence() {
			return ScriptedSource.this.silence;
		}

		@Override
		public void close() {
		}

	}

}
