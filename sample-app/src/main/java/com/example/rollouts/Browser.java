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
 * A browser that shows the page, and what it was not sent yet.
 * <p>
 * Whoever tells it something never waits for it: when there is no room left, what was not
 * sent is dropped, and all that the page shows is sent anew. So is it at the beginning.
 * One thread sends; everything else may be called by any.
 */
final class Browser implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Browser.class);

	static final int CAPACITY = 500;

	private final BlockingQueue<PageEvent> events = new ArrayBlockingQueue<>(CAPACITY);

	private final SseEmitter emitter;

	private final Supplier<Snapshot> snapshots;

	private final Duration patience;

	private volatile boolean snapshotDue = true;

	private volatile boolean leaving;

	/**
	 * Creates a browser.
	 * @param emitter the connection to it
	 * @param snapshots gives all that the page shows
	 * @param patience how long nothing may happen before it is told that the connection
	 * is alive
	 */
	Browser(SseEmitter emitter, Supplier<Snapshot> snapshots, Duration patience) {
		this.emitter = emitter;
		this.snapshots = snapshots;
		this.patience = patience;
	}

	void tell(PageEvent event) {
		if (!this.events.offer(event)) {
			this.snapshotDue = true;
		}
	}

	/**
	 * Ends the connection as soon as what is being sent is sent.
	 */
	void leave() {
		this.leaving = true;
		this.events.clear();
		tell(PageEvent.alive());
	}

	@Override
	public void run() {
		try {
			for (PageEvent next = next(); !this.leaving; next = next()) {
				this.emitter.send(SseEmitter.event().name(next.name()).data(next.data()));
			}
			end();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			end();
		}
		catch (IOException ex) {
			logger.debug("A browser is gone, and the web server ends its request", ex);
		}
		catch (RuntimeException ex) {
			logger.debug("A browser has to come again", ex);
			end();
		}
	}

	private void end() {
		try {
			this.emitter.complete();
		}
		catch (IllegalStateException ex) {
			logger.debug("The web server has ended the request before", ex);
		}
	}

	/**
	 * What to send next. The snapshot is taken after all that is dropped for it, so that
	 * it has that, too.
	 */
	private PageEvent next() throws InterruptedException {
		if (this.snapshotDue) {
			this.snapshotDue = false;
			this.events.clear();
			return PageEvent.snapshot(this.snapshots.get());
		}
		@Nullable PageEvent event = this.events.poll(this.patience.toMillis(), TimeUnit.MILLISECONDS);
		return (event != null) ? event : PageEvent.alive();
	}

}
