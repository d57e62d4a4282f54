/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Everything that has to end at once when somebody says stop. Whoever starts a blocking
 * request registers what ends it and removes that when the request is over; what is
 * registered after the cancellation is ended on the spot.
 * <p>
 * Thread-safe. {@link #cancel()} may be called from any thread, any number of times.
 */
public final class Cancellation {

	private final Set<Closeable> open = new HashSet<>();

	private boolean cancelled;

	/**
	 * Adds something that {@link #cancel()} has to close.
	 * @param closeable closed without waiting for anything
	 */
	public void register(Closeable closeable) {
		synchronized (this.open) {
			if (!this.cancelled) {
				this.open.add(closeable);
				return;
			}
		}
		close(closeable);
	}

	/**
	 * Removes what {@link #register(Closeable)} added, without closing it.
	 * @param closeable what is over
	 */
	public void unregister(Closeable closeable) {
		synchronized (this.open) {
			this.open.remove(closeable);
		}
	}

	/**
	 * Whether {@link #cancel()} was called.
	 * @return whether everything in this scope is to end
	 */
	public boolean isCancelled() {
		synchronized (this.open) {
			return this.cancelled;
		}
	}

	/**
	 * Ends what is registered, and whatever will be.
	 */
	public void cancel() {
		Set<Closeable> closeables;
		synchronized (this.open) {
			this.cancelled = true;
			closeables = new HashSet<>(this.open);
			this.open.clear();
		}
		closeables.forEach(Cancellation::close);
	}

	private static void close(Closeable closeable) {
		try {
			closeable.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
