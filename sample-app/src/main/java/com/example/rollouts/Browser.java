/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Server-sent events to one browser, with the queue of its pending events.
 * <p>
 * Adding an event never blocks. When the queue is full, the pending events are dropped
 * and replaced with a snapshot of the page. A snapshot is also the first event. One
 * thread sends; all other methods are thread-safe.
 */
final class Browser implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Browser.class);

	static final int CAPACITY = 500;

	private final BlockingQueue<PageEvent> events = new ArrayBlockingQueue<>(CAPACITY);

	private final SseEmitter emitter;

	private final Supplier<Snapshot> snapshots;

	private final Duration keepAlive;

	private volatile boolean snapshotDue = true;

	private volatile boolean disconnecting;

	/**
	 * Create the events of a browser.
	 * @param emitter the connection to the browser
	 * @param snapshots supplies the state of the page
	 * @param keepAlive the time without an event after which a keep-alive event is sent
	 */
	Browser(SseEmitter emitter, Supplier<Snapshot> snapshots, Duration keepAlive) {
		this.emitter = emitter;
		this.snapshots = snapshots;
		this.keepAlive = keepAlive;
	}

	void send(PageEvent event) {
		if (!this.events.offer(event)) {
			this.snapshotDue = true;
		}
	}

	/**
	 * End the connection after the event that is being sent.
	 */
	void disconnect() {
		this.disconnecting = true;
		this.events.clear();
		send(PageEvent.keepAlive());
	}

	@Override
	public void run() {
		try {
			for (PageEvent next = next(); !this.disconnecting; next = next()) {
				this.emitter.send(SseEmitter.event().name(next.name()).data(next.data()));
			}
			end();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			end();
		}
		catch (IOException ex) {
			logger.debug("Browser closed its connection; the web server ends the request", ex);
		}
		catch (RuntimeException ex) {
			logger.debug("Failed to send to a browser; closing its connection", ex);
			end();
		}
	}

	private void end() {
		try {
			this.emitter.complete();
		}
		catch (IllegalStateException ex) {
			logger.debug("The web server already ended the request", ex);
		}
	}

	/**
	 * Return the next event to send. The snapshot is taken after the pending events are
	 * dropped, so that it contains them.
	 */
	private PageEvent next() throws InterruptedException {
		if (this.snapshotDue) {
			this.snapshotDue = false;
			this.events.clear();
			return PageEvent.snapshot(this.snapshots.get());
		}
		@Nullable PageEvent event = this.events.poll(this.keepAlive.toMillis(), TimeUnit.MILLISECONDS);
		return (event != null) ? event : PageEvent.keepAlive();
	}

}
