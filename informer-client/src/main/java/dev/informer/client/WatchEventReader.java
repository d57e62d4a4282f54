/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.Closeable;
import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Reader of the events of a watch. Used by one thread, except for {@link #close()}, which
 * any thread may call.
 *
 * @param <T> the type of the objects
 */
public interface WatchEventReader<T> extends Closeable {

	/**
	 * Wait for the next event.
	 * @return the event, or {@code null} if the server ended the stream cleanly
	 * @throws MalformedResponseException if the stream contains something else
	 * @throws IOException if the stream is truncated or closed
	 */
	@Nullable WatchEvent<T> next() throws IOException;

	@Override
	void close();

}
