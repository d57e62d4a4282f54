/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.informer.InformerFactorySettings;
import dev.informer.InformerListener;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Indexer;
import dev.informer.client.TimeSource;
import dev.informer.processor.SharedProcessor;
import dev.informer.work.RunGate;
import dev.informer.work.StateLock;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * What the informers of a factory share: clock, lock, threads, listeners, and the gate of
 * their handlers. It creates the parts of an informer that use them. Thread-safe.
 */
final class SharedParts {

	private final InformerFactorySettings settings;

	private final TimeSource time;

	private final InformerListener events;

	private final StateLock lock;

	private final HandlerGate gate;

	private final Consumer<SharedIndexInformer<?>> closed;

	/**
	 * Create the parts of a factory.
	 * @param events the listener to notify, which must not throw
	 * @param lock the lock of the runs of the informers, and of threads that wait
	 * @param closed called with an informer that is closed by itself
	 */
	SharedParts(InformerFactorySettings settings, InformerListener events, StateLock lock, HandlerGate gate,
			Consumer<SharedIndexInformer<?>> closed) {
		this.settings = settings;
		this.time = settings.time();
		this.events = events;
		this.lock = lock;
		this.gate = gate;
		this.closed = closed;
	}

	TimeSource time() {
		return this.time;
	}

	/**
	 * Return a value that is computed with the lock of the runs.
	 */
	<R extends @Nullable Object> R locked(Supplier<R> action) {
		return this.lock.get(action);
	}

	/**
	 * Create a thread by the user's factory.
	 */
	Thread newThread(String name, Runnable task) {
		Thread thread = Objects.requireNonNull(this.settings.threadFactory().newThread(task),
				"The thread factory has returned no thread");
		thread.setName(name);
		return thread;
	}

	/**
	 * Create a thread whose name contains that of its informer.
	 */
	Thread newThread(String informer, String role, Runnable task) {
		return newThread("informer-" + informer + "-" + role, task);
	}

	/**
	 * Create the gate of the threads of a run. The lock is held.
	 */
	RunGate runGate(@Nullable RunGate previous, Runnable beginning) {
		return new RunGate(this.lock, previous, beginning);
	}

	SyncLatch latch(String informer, Runnable settled) {
		return new SyncLatch(this.lock, informer, settled);
	}

	/**
	 * Let handlers that wait for an informer run, because it has synced, has failed
	 * permanently, or is closed.
	 */
	void settled(SyncLatch latch) {
		this.gate.passed(latch);
	}

	InformerReporter reporter(SharedIndexInformer<?> informer, SyncLatch latch) {
		return new InformerReporter(informer, this.events, latch, this.time);
	}

	<T extends KubernetesObject> SharedProcessor<T> processor(SharedIndexInformer<T> informer, Indexer<T> cache) {
		BiFunction<String, Runnable, Thread> threads = (handler, task) -> newThread(informer.name(),
				"handler-" + handler, task);
		return new SharedProcessor<>(informer, cache, this.settings.interceptor(), threads, this.time, this.events);
	}

	/**
	 * Let the factory forget an informer that is closed by itself.
	 */
	void forget(SharedIndexInformer<?> informer) {
		this.closed.accept(informer);
	}

	/**
	 * Let the gate forget the handlers of an informer that is closed.
	 */
	void remove(SharedProcessor<?> processor) {
		this.gate.remove(processor);
	}

}
