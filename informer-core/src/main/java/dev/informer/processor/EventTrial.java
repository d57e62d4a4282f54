/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import dev.informer.HandlerOptions;
import dev.informer.ResourceEvent;
import dev.informer.client.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of filter and changes of a handler without a delivery. They are code of the
 * user, which may throw or block, so they run on a separate thread for a limited time. As
 * long as one is blocked, no further thread is started.
 * <p>
 * <b>Concurrency.</b> Thread-safe. Trials wait for each other, at most for the limit. The
 * lock is held by the waiting thread, never by the one that runs code of the user.
 *
 * @param <T> the type of the objects
 */
final class EventTrial<T extends KubernetesObject> {

	static final Duration LIMIT = Duration.ofSeconds(1);

	private final ReentrantLock turn = new ReentrantLock();

	private final EventFilter<T> filter;

	private final Function<Runnable, Thread> threadFactory;

	private final TimeSource time;

	private @Nullable Thread thread;

	EventTrial(HandlerOptions<T> options, Function<Runnable, Thread> threadFactory, TimeSource time) {
		// a filter that throws is reported at each delivery
		this.filter = new EventFilter<>(options, (object, failure) -> {
		});
		this.threadFactory = threadFactory;
		this.time = time;
	}

	/**
	 * Compose the event of a delivery.
	 * @return the result; {@code null} if there is none in time
	 */
	@Nullable Result run(PendingDelivery<T> delivery) {
		try {
			if (!this.turn.tryLock(TimeSource.millis(LIMIT), TimeUnit.MILLISECONDS)) {
				return null;
			}
			try {
				return run(new Task(delivery));
			}
			finally {
				this.turn.unlock();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
	}

	private @Nullable Result run(Task task) throws InterruptedException {
		if (this.thread != null && this.thread.isAlive()) {
			return null;
		}
		Thread started;
		try {
			started = this.threadFactory.apply(task);
			started.start();
		}
		// the factory is code of the user, and there may be too many threads
		catch (RuntimeException | Error ex) {
			return null;
		}
		this.thread = started;
		boolean ended = false;
		try {
			this.time.join(started, TimeSource.nanos(LIMIT));
			ended = !started.isAlive();
		}
		finally {
			if (!ended) {
				started.interrupt();
			}
		}
		// what code of the user returns when it is interrupted is not its result
		return ended ? task.result : null;
	}

	/**
	 * Result of a trial.
	 *
	 * @param type the type of the event; {@code null} if there is none
	 * @param matches whether the filter matches the current state
	 */
	record Result(ResourceEvent.@Nullable Type type, boolean matches) {

	}

	private final class Task implements Runnable {

		private final PendingDelivery<T> delivery;

		private volatile @Nullable Result result;

		Task(PendingDelivery<T> delivery) {
			this.delivery = delivery;
		}

		@Override
		public void run() {
			T current = this.delivery.current();
			ResourceEvent<T> event = this.delivery.event(EventTrial.this.filter);
			boolean matches = event != null || current == null || EventTrial.this.filter.matches(current);
			this.result = new Result((event != null) ? event.type() : null, matches);
		}

	}

}
