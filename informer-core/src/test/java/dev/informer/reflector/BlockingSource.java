/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;

import static dev.informer.test.support.TestObjects.pod;

/**
 * Source that blocks in one place until its request is cancelled.
 */
final class BlockingSource implements ListerWatcher<V1Pod> {

	final ScriptedSource script = new ScriptedSource();

	volatile Block block = Block.LIST;

	volatile CountDownLatch blocked = new CountDownLatch(1);

	CountDownLatch blockAgain() {
		CountDownLatch again = new CountDownLatch(1);
		this.blocked = again;
		return again;
	}

	@Override
	public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation) throws IOException {
		ListPage page = this.script.list(request, sink, cancellation);
		if (this.block == Block.LIST) {
			block(cancellation);
			throw new IOException("Canceled");
		}
		return page;
	}

	@Override
	public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
			throws IOException {
		if (!request.sendInitialEvents() && this.block != Block.WATCH && this.block != Block.OPENING_WATCH) {
			return this.script.watch(request, known, cancellation);
		}
		if (this.block == Block.OPENING_WATCH || this.block == Block.OPENING_STREAM) {
			block(cancellation);
			throw new IOException("Canceled");
		}
		return stream(cancellation);
	}

	private WatchStream<V1Pod> stream(Cancellation cancellation) {
		Deque<WatchEvent<V1Pod>> events = new ArrayDeque<>();
		if (this.block == Block.STREAM_BEFORE_BOOKMARK || this.block == Block.STREAM_AFTER_BOOKMARK) {
			events.add(ScriptedSource.added(pod("a", 1)));
		}
		if (this.block == Block.STREAM_AFTER_BOOKMARK) {
			events.add(new WatchEvent.Bookmark<>("5", true));
		}
		return this.script.endless(() -> {
			WatchEvent<V1Pod> event = events.poll();
			if (event == null) {
				block(cancellation);
			}
			return event;
		});
	}

	private void block(Cancellation cancellation) {
		CountDownLatch cancelled = new CountDownLatch(1);
		cancellation.register(cancelled::countDown);
		this.blocked.countDown();
		try {
			cancelled.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Place to block in.
	 */
	enum Block {

		NOTHING(false, false), LIST(false, false), OPENING_WATCH(false, false, "replace [a] at 10"),
		WATCH(false, true, "replace [a] at 10"), OPENING_STREAM(true, false), STREAM_BEFORE_BOOKMARK(true, false),
		STREAM_AFTER_BOOKMARK(true, true, "replace [a] at 5");

		final boolean streaming;

		final boolean opened;

		final List<String> calls;

		Block(boolean streaming, boolean opened, String... calls) {
			this.streaming = streaming;
			this.opened = opened;
			this.calls = List.of(calls);
		}

	}

}
