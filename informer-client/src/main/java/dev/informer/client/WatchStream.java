/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;

/**
 * Stream of the events of an open watch. {@link #close()} makes a blocked {@link #next()}
 * return or throw immediately.
 *
 * @param <T> the type of the objects
 */
public interface WatchStream<T> extends WatchEventReader<T> {

	/**
	 * Set the idle timeout, after which {@link #next()} throws a
	 * {@link java.net.SocketTimeoutException}. Called by the reading thread; none by
	 * default.
	 * @param limit the maximum time without data; zero for none
	 */
	void idleTimeout(Duration limit);

	/**
	 * Return how long the connection may have been dead when a ping that was not answered
	 * ended it. Changes of this time may be unseen.
	 * @return the time; zero if the stream did not end in this way
	 */
	default Duration silence() {
		return Duration.ZERO;
	}

}
