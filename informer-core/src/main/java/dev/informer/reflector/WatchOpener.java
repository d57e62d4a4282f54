/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;

import dev.informer.client.Cancellation;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;

/**
 * Opens the watches of a reflector, for the objects that are selected at the time.
 */
final class WatchOpener<T> {

	private final ReflectorSettings settings;

	private final ListerWatcher<T> source;

	private final ObjectLookup<T> cached;

	private final ResourceVersionState versions;

	/**
	 * Create an opener. Decoded objects may have parts of those of {@code cached}.
	 */
	WatchOpener(ReflectorSettings settings, ListerWatcher<T> source, ObjectLookup<T> cached,
			ResourceVersionState versions) {
		this.settings = settings;
		this.source = source;
		this.cached = cached;
		this.versions = versions;
	}

	/**
	 * Return a timeout for the next watch.
	 */
	Duration randomTimeout() {
		return this.settings.randomWatchTimeout();
	}

	/**
	 * Open a watch.
	 * @param from the version after which it begins
	 * @param timeout the time after which the server ends it
	 */
	WatchStream<T> open(String from, Duration timeout, Cancellation cancellation) throws IOException {
		WatchRequest request = new WatchRequest(from, timeout, false).of(this.versions.selector());
		return this.source.watch(request, this.cached, cancellation);
	}

	/**
	 * Let a watch end that is silent for longer than the options permit.
	 */
	void limitSilence(WatchStream<T> stream) {
		stream.idleTimeout(this.settings.options().watchIdleTimeout());
	}

}
