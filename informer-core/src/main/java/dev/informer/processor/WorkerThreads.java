/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The threads of one handler, made when they are needed and never more than its
 * concurrency. A thread that has ended is remembered until another one takes its place,
 * so that somebody can wait for it to be really gone.
 * <p>
 * <b>Concurrency.</b> Not thread-safe, the {@link ProcessorListener} guards it.
 */
final class WorkerThreads {

	private final String handler;

	private final HandlerThreads factory;

	private final @Nullable Thread[] threads;

	private final boolean[] active;

	WorkerThreads(String handler, HandlerThreads factory, int limit) {
		this.handler = handler;
		this.factory = factory;
		this.threads = new @Nullable Thread[limit];
		this.active = new boolean[limit];
	}

	/**
	 * How many threads there are.
	 */
	int size() {
		int size = 0;
		for (boolean each : this.active) {
			size += each ? 1 : 0;
		}
		return size;
	}

	boolean isFull() {
		return size() == this.active.length;
	}

	/**
	 * Starts one more thread.
	 * @throws IllegalStateException when there are enough
	 */
	void add(Runnable task) {
		for (int i = 0; i < this.active.length; i++) {
			if (!this.active[i]) {
				String name = (this.active.length == 1) ? this.handler : this.handler + "-" + (i + 1);
				Thread thread = this.factory.newThread(name, task);
				thread.start();
				this.threads[i] = thread;
				this.active[i] = true;
				return;
			}
		}
		throw new IllegalStateException("Handler '" + this.handler + "' has all its threads already");
	}

	/**
	 * Notes that the current thread is about to end.
	 */
	void ending() {
		for (int i = 0; i < this.active.length; i++) {
			if (this.threads[i] == Thread.currentThread()) {
				this.active[i] = false;
			}
		}
	}

	/**
	 * Whether the current thread is one of them.
	 */
	boolean isCurrent() {
		return Arrays.asList(this.threads).contains(Thread.currentThread());
	}

	/**
	 * The threads that may still be there, the current one excepted.
	 */
	List<Thread> others() {
		return Arrays.stream(this.threads)
			.filter(Objects::nonNull)
			.filter((thread) -> thread != Thread.currentThread() && thread.isAlive())
			.toList();
	}

}
