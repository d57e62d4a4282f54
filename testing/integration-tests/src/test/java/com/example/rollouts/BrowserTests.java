/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class BrowserTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private static final PageEvent POD = PageEvent
		.pod(new PodSummary("shop", "web-1", "node-a", PodSummary.State.READY, "Ready"), false);

	private final RecordingEmitter emitter = new RecordingEmitter();

	private @Nullable Thread thread;

	@AfterEach
	void end() throws InterruptedException {
		Thread running = this.thread;
		if (running == null) {
			return;
		}
		this.emitter.permits.release(10_000);
		running.join(10_000);
		assertThat(running.isAlive()).isFalse();
	}

	@Test
	void newBrowser_receivesSnapshotThenChanges() {
		this.emitter.permits.release(10);
		Browser browser = start(BrowserTests::snapshot, LONG);
		awaitSent("snapshot");
		browser.send(POD);
		browser.send(PageEvent.pod(new PodSummary("shop", "web-1", "node-a", PodSummary.State.READY, "Ready"), true));
		awaitSent("snapshot", "pod", "pod-gone");
		browser.disconnect();
		awaitEnd();
		assertThat(this.emitter.completed).isTrue();
	}

	@Test
	void slowBrowser_blocksNoSenderAndReceivesSnapshotForDroppedEvents() {
		Browser browser = start(BrowserTests::snapshot, LONG);
		awaitWaiting();
		for (int i = 0; i < 10 * Browser.CAPACITY; i++) {
			browser.send(POD);
		}
		this.emitter.permits.release(2);
		awaitSent("snapshot", "snapshot");
		browser.send(POD);
		this.emitter.permits.release(1);
		awaitSent("snapshot", "snapshot", "pod");
		browser.disconnect();
	}

	@Test
	void browserWithCapacity_receivesEveryEvent() {
		Browser browser = start(BrowserTests::snapshot, LONG);
		awaitWaiting();
		for (int i = 0; i < Browser.CAPACITY; i++) {
			browser.send(POD);
		}
		this.emitter.permits.release(1 + Browser.CAPACITY);
		await().untilAsserted(() -> assertThat(this.emitter.sent).hasSize(1 + Browser.CAPACITY)
			.startsWith("snapshot", "pod")
			.endsWith("pod"));
		browser.disconnect();
	}

	@Test
	void changeDuringSnapshot_isSentAfterIt() {
		this.emitter.permits.release(10);
		CompletableFuture<Browser> started = new CompletableFuture<>();
		Browser browser = start(() -> {
			started.join().send(POD);
			return snapshot();
		}, LONG);
		started.complete(browser);
		awaitSent("snapshot", "pod");
		browser.disconnect();
	}

	@Test
	void idleBrowser_receivesKeepAlive() {
		this.emitter.permits.release(3);
		Browser browser = start(BrowserTests::snapshot, Duration.ofMillis(10));
		awaitSent("snapshot", "keep-alive", "keep-alive");
		browser.disconnect();
	}

	@Test
	void disconnectedBrowser_endsThread() {
		this.emitter.failure = new IOException("Broken pipe");
		this.emitter.permits.release(1);
		start(BrowserTests::snapshot, LONG);
		awaitEnd();
		assertThat(this.emitter.completed).isFalse();
	}

	@Test
	void failingSnapshot_endsConnection() {
		start(() -> {
			throw new IllegalStateException("not synced");
		}, LONG);
		awaitEnd();
		assertThat(this.emitter.completed).isTrue();
	}

	@Test
	void requestEndedByServer_isNoFailure() {
		SseEmitter ended = new SseEmitter() {

			@Override
			public void complete() {
				throw new IllegalStateException("AsyncContext not yet initialized");
			}

		};
		Browser browser = new Browser(ended, BrowserTests::snapshot, LONG);
		browser.disconnect();
		assertThatNoException().isThrownBy(browser::run);
	}

	private Browser start(Supplier<Snapshot> snapshots, Duration keepAlive) {
		Browser browser = new Browser(this.emitter, snapshots, keepAlive);
		Thread started = new Thread(browser, "browser-test");
		this.thread = started;
		started.start();
		return browser;
	}

	private static Snapshot snapshot() {
		return new Snapshot(List.of(), List.of());
	}

	private void awaitSent(String... names) {
		await().untilAsserted(() -> assertThat(this.emitter.sent).containsExactly(names));
	}

	private void awaitWaiting() {
		await().until(this.emitter.permits::hasQueuedThreads);
	}

	private void awaitEnd() {
		await().until(() -> !Objects.requireNonNull(this.thread).isAlive());
	}

	/**
	 * Connection that sends one event per permit.
	 */
	private static final class RecordingEmitter extends SseEmitter {

		private final Semaphore permits = new Semaphore(0);

		private final List<String> sent = new CopyOnWriteArrayList<>();

		private volatile boolean completed;

		private volatile @Nullable IOException failure;

		@Override
		public void send(SseEventBuilder event) throws IOException {
			this.permits.acquireUninterruptibly();
			IOException ex = this.failure;
			if (ex != null) {
				throw ex;
			}
			String start = String.valueOf(event.build().iterator().next().getData());
			this.sent.add(start.lines().findFirst().orElseThrow().substring("event:".length()));
		}

		@Override
		public void complete() {
			this.completed = true;
		}

	}

}
