/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.test.store.ListOptions;
import dev.informer.test.store.Store;

/**
 * Open watches of a server. Thread-safe.
 */
public final class Watches {

	private final Set<ServerWatch> open = ConcurrentHashMap.newKeySet();

	private final Store store;

	private final boolean streamingLists;

	private final Duration timeout;

	private final Duration bookmarkInterval;

	/**
	 * Create the watches of a server.
	 * @param streamingLists whether a watch may request initial events
	 * @param timeout the duration of a watch that requests none
	 * @param bookmarkInterval the interval between its bookmarks
	 */
	public Watches(Store store, boolean streamingLists, Duration timeout, Duration bookmarkInterval) {
		this.store = store;
		this.streamingLists = streamingLists;
		this.timeout = timeout;
		this.bookmarkInterval = bookmarkInterval;
	}

	/**
	 * Serve a watch until it ends.
	 */
	void serve(RequestPath path, ListOptions options, MediaType mediaType, ApiResponse response) throws IOException {
		options.checkWatch(this.streamingLists);
		Duration duration = (options.timeoutSeconds() > 0) ? Duration.ofSeconds(options.timeoutSeconds())
				: this.timeout;
		long now = System.nanoTime();
		Bookmarks bookmarks = new Bookmarks(path.definition(), mediaType.representation(), options.bookmarks(),
				this.bookmarkInterval, now, now + ApiResponse.nanos(duration));
		ServerWatch watch = new ServerWatch(this.store, path, options, mediaType, bookmarks, response);
		this.open.add(watch);
		try {
			watch.run();
		}
		finally {
			this.open.remove(watch);
		}
	}

	public int count() {
		return this.open.size();
	}

	public int count(String resource) {
		return (int) this.open.stream().filter((watch) -> watch.resource().equals(resource)).count();
	}

	public void cut() {
		this.open.forEach(ServerWatch::cut);
	}

	public void end() {
		this.open.forEach(ServerWatch::end);
	}

	public void stall() {
		this.open.forEach(ServerWatch::stall);
	}

	public void send(byte[] bytes) {
		this.open.forEach((watch) -> watch.send(bytes));
	}

}
