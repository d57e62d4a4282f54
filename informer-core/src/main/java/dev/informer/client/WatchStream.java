/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;

/**
 * The events of an open watch. When {@link #close()} is called, a blocked {@link #next()}
 * returns or throws at once.
 *
 * @param <T> the type of the objects
 */
public interface WatchStream<T> extends WatchEventReader<T> {

	/**
	 * Sets how long the server may be silent: {@link #next()} throws a
	 * {@link java.net.SocketTimeoutException} when nothing has come for that long. Called
	 * by the reading thread; there is no limit at first.
	 * @param limit the limit; zero for none
	 */
	void idleTimeout(Duration limit);

}
