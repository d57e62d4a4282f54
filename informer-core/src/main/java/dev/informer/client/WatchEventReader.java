/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.Closeable;
import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a watch one by one. Read by one thread; {@link #close()} may be
 * called from any other one.
 *
 * @param <T> the type of the objects
 */
public interface WatchEventReader<T> extends Closeable {

	/**
	 * Waits for the next event.
	 * @return the event, or {@code null} when the server has ended the stream cleanly
	 * @throws MalformedResponseException when what was read is not an event
	 * @throws IOException when the stream breaks off
	 */
	@Nullable WatchEvent<T> next() throws IOException;

	@Override
	void close();

}
