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
 * Cancellation of blocking requests from another thread. A request registers a resource
 * whose closing ends it, and unregisters the resource when it has ended. A resource that
 * is registered after the cancellation is closed immediately.
 * <p>
 * Thread-safe. {@link #cancel()} may be called from any thread, any number of times.
 */
public final class Cancellation {

	private final Set<Closeable> open = new HashSet<>();

	private boolean cancelled;

	/**
	 * Register a resource that {@link #cancel()} closes.
	 * @param closeable the resource; closing it must not block
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
	 * Remove a resource without closing it.
	 * @param closeable the resource
	 */
	public void unregister(Closeable closeable) {
		synchronized (this.open) {
			this.open.remove(closeable);
		}
	}

	/**
	 * Return whether {@link #cancel()} was called.
	 * @return whether requests must end
	 */
	public boolean isCancelled() {
		synchronized (this.open) {
			return this.cancelled;
		}
	}

	/**
	 * Close the registered resources, and those registered from now on.
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
