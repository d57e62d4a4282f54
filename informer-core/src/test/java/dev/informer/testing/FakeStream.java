/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

import dev.informer.client.Cancellation;
import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchStream;
import dev.informer.testing.FakeEtcd.Change;
import dev.informer.testing.FakeEtcd.Item;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Open watch of a {@link FakeSource}, guarded by the monitor of the source.
 */
final class FakeStream implements WatchStream<V1Pod> {

	private final Deque<WatchEvent<V1Pod>> events = new ArrayDeque<>();

	private static final Duration PAST = Duration.ofSeconds(10);

	private final FakeSource source;

	private final @Nullable SteppedThreads threads;

	private final String namespace;

	private final @Nullable ObjectSelector selector;

	private final long from;

	private final Cancellation cancellation;

	private @Nullable IOException failure;

	private boolean impatient;

	private boolean initial;

	private boolean ended;

	/**
	 * Open a watch.
	 * @param source its source
	 * @param threads the threads that read it, if they run in steps; otherwise {@code
	 * null}
	 * @param namespace the watched namespace; empty for all namespaces
	 * @param selector the watched objects; {@code null} for all
	 * @param from the version after which it begins
	 * @param cancellation the cancellation of the watch
	 */
	FakeStream(FakeSource source, @Nullable SteppedThreads threads, String namespace, @Nullable ObjectSelector selector,
			long from, Cancellation cancellation) {
		this.source = source;
		this.threads = threads;
		this.namespace = namespace;
		this.selector = selector;
		this.from = from;
		this.cancellation = cancellation;
	}

	/**
	 * Add a change, if it is in the watched namespace.
	 */
	void offer(Change change) {
		Item item = change.item();
		if (!item.isIn(this.namespace) || item.version() <= this.from) {
			return;
		}
		if (item.isIn(this.selector)) {
			offer(change.event());
		}
		else if (!this.source.appliesShards()) {
			offer(new WatchEvent.Unwanted<>(change.type(),
					new ObjectState(null, null, item.uid(), Long.toString(item.version()))));
		}
	}

	void offer(WatchEvent<V1Pod> event) {
		this.events.add(event);
		this.source.notifyAll();
	}

	/**
	 * End the watch: at once with a failure, otherwise after its pending events.
	 */
	void end(@Nullable IOException failure) {
		this.ended = true;
		this.failure = failure;
		this.source.notifyAll();
	}

	/**
	 * Send the bookmark at the end of the initial events, as soon as these have been
	 * read. Changes until then precede it.
	 */
	void endInitialEvents() {
		this.initial = true;
	}

	boolean isEmpty() {
		return this.events.isEmpty() && !this.initial;
	}

	@Override
	public @Nullable WatchEvent<V1Pod> next() throws IOException {
		if (this.threads != null) {
			while (isWaiting()) {
				this.threads.await();
			}
			this.threads.pause();
		}
		synchronized (this.source) {
			while (isWaiting()) {
				await();
			}
			if (this.failure != null) {
				throw this.failure;
			}
			if (isSilent()) {
				throw new SocketTimeoutException("no data");
			}
			if (this.events.isEmpty() && this.initial && !this.ended) {
				this.initial = false;
				offer(this.source.endOfInitialEvents());
			}
			WatchEvent<V1Pod> event = this.events.poll();
			if (event != null) {
				this.source.delivered(event);
			}
			return event;
		}
	}

	private boolean isWaiting() {
		return isSilent() && !this.impatient;
	}

	private boolean isSilent() {
		synchronized (this.source) {
			return !this.ended && isEmpty();
		}
	}

	private void await() throws IOException {
		try {
			this.source.wait();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
	}

	@Override
	public void idleTimeout(Duration limit) {
		// Time does not pass while this source has no event. Those of the past were sent
		// at once, so a reader that expects one of them receives none.
		this.impatient = !limit.isZero() && limit.compareTo(PAST) < 0;
	}

	@Override
	public void close() {
		this.cancellation.unregister(this);
		synchronized (this.source) {
			if (this.source.closed(this)) {
				end(new IOException("closed"));
			}
		}
	}

}
