/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an {@link InformerFactory}. Not thread-safe.
 */
public final class InformerFactorySettings {

	private final List<InformerListener> listeners = new ArrayList<>();

	private ThreadFactory threadFactory = (task) -> {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		return thread;
	};

	private @Nullable HandlerInterceptor interceptor;

	private InformerOptions defaults = InformerOptions.DEFAULT;

	private TimeSource time = TimeSource.SYSTEM;

	/**
	 * Create the default settings.
	 */
	public InformerFactorySettings() {
	}

	/**
	 * Set the factory of all threads. Informers set the names of their threads. The
	 * default creates platform daemon threads.
	 * @param threadFactory the thread factory
	 * @return these settings
	 */
	public InformerFactorySettings threadFactory(ThreadFactory threadFactory) {
		this.threadFactory = threadFactory;
		return this;
	}

	/**
	 * Add a listener for the events of all informers.
	 * @param listener the listener
	 * @return these settings
	 * @see InformerFactory#addListener(InformerListener)
	 */
	public InformerFactorySettings addListener(InformerListener listener) {
		this.listeners.add(listener);
		return this;
	}

	/**
	 * Set the interceptor around the invocations of all handlers.
	 * @param interceptor the interceptor; {@code null}, the default, for none
	 * @return these settings
	 */
	public InformerFactorySettings interceptor(@Nullable HandlerInterceptor interceptor) {
		this.interceptor = interceptor;
		return this;
	}

	/**
	 * Set the default options of informers.
	 * @param defaults the options, {@link InformerOptions#DEFAULT} by default
	 * @return these settings
	 */
	public InformerFactorySettings defaults(InformerOptions defaults) {
		this.defaults = defaults;
		return this;
	}

	/**
	 * Set the clock, for tests.
	 * @param time the clock, {@link TimeSource#SYSTEM} by default
	 * @return these settings
	 */
	public InformerFactorySettings time(TimeSource time) {
		this.time = time;
		return this;
	}

	/**
	 * Return the factory of all threads.
	 * @return the thread factory
	 */
	public ThreadFactory threadFactory() {
		return this.threadFactory;
	}

	/**
	 * Return the listeners.
	 * @return the listeners, in the order in which they were added
	 */
	public List<InformerListener> listeners() {
		return List.copyOf(this.listeners);
	}

	/**
	 * Return the interceptor around the invocations of handlers.
	 * @return the interceptor, or {@code null}
	 */
	public @Nullable HandlerInterceptor interceptor() {
		return this.interceptor;
	}

	/**
	 * Return the default options of informers.
	 * @return the options
	 */
	public InformerOptions defaults() {
		return this.defaults;
	}

	/**
	 * Return the clock.
	 * @return the clock
	 */
	public TimeSource time() {
		return this.time;
	}

}
