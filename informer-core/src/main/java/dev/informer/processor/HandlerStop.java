/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.QueuePolicy;
import dev.informer.client.TimeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Stop or suspension of the handlers of several informers with one deadline. All handlers
 * drain at the same time, and those that are not ready at the deadline are interrupted. A
 * handler that ignores the interrupt is reported and left behind.
 */
public final class HandlerStop {

	private static final Logger logger = LoggerFactory.getLogger(SharedProcessor.class);

	/** Time that interrupted threads have to end. */
	private static final long GRACE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private HandlerStop() {
	}

	/**
	 * Carry out a stop and wait for it. The current thread is not waited for; when it is
	 * interrupted, the drain ends early. Handlers that are started again are neither
	 * waited for nor interrupted.
	 * @param processors the processors whose stop was
	 * {@linkplain SharedProcessor#requestStop() requested}
	 * @param deadline the end of the drain, as {@link TimeSource#nanoTime()}
	 * @param time the time source
	 */
	public static void await(Collection<? extends SharedProcessor<?>> processors, long deadline, TimeSource time) {
		Map<SharedProcessor<?>, Integer> starts = new LinkedHashMap<>();
		processors.forEach((processor) -> starts.put(processor, processor.drain()));
		try {
			awaitEnd(processors, deadline);
			interrupt(starts);
			awaitEnd(processors, time.nanoTime() + GRACE_NANOS);
		}
		catch (InterruptedException ex) {
			interrupt(starts);
			Thread.currentThread().interrupt();
		}
		processors.forEach(HandlerStop::report);
	}

	/**
	 * Wait until suspended handlers have processed the events that were pending at the
	 * time of the suspension, and interrupt the invocations that exceed a deadline. An
	 * invocation does not wait for itself.
	 * @param processors the processors with the handlers
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 * @return whether no invocation is running
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public static boolean awaitSuspended(Collection<? extends SharedProcessor<?>> processors, long deadline)
			throws InterruptedException {
		boolean idle = true;
		for (SharedProcessor<?> processor : processors) {
			for (ProcessorListener<?> listener : processor.all()) {
				if (!listener.awaitSuspended(deadline)) {
					idle = false;
					listener.invoker()
						.interrupt("stopped", (target) -> true, listener.threads()::interruptInvocations)
						.run();
				}
			}
		}
		return idle;
	}

	private static void interrupt(Map<SharedProcessor<?>, Integer> starts) {
		starts.forEach((processor, start) -> processor.interrupt(start).forEach(Runnable::run));
	}

	private static void awaitEnd(Collection<? extends SharedProcessor<?>> processors, long deadline)
			throws InterruptedException {
		for (SharedProcessor<?> processor : processors) {
			for (ProcessorListener<?> listener : processor.all()) {
				listener.workers().awaitEnd(deadline);
			}
		}
	}

	private static void report(SharedProcessor<?> processor) {
		for (ProcessorListener<?> listener : processor.all()) {
			listener.invoker().logFailures();
			if (listener.threads().isStuck()) {
				log(processor, listener, Level.WARN)
					.log("Informer '{}' stopped while handler '{}' ignores the interrupt of its thread; "
							+ "continuing without it", processor.informerName(), listener.name());
			}
			int pending = listener.pending();
			if (pending > 0 && listener.queue() == QueuePolicy.KEEP_ALL && !processor.isStartedOrClosed()) {
				log(processor, listener, Level.WARN).log(
						"Informer '{}' stopped; keeping {} undelivered events of handler '{}' for the next start",
						processor.informerName(), pending, listener.name());
			}
		}
	}

	/**
	 * Log the pending events of a processor that is closed, which are not delivered any
	 * more.
	 * @param processor the processor
	 */
	public static void reportDiscarded(SharedProcessor<?> processor) {
		for (ProcessorListener<?> listener : processor.all()) {
			int pending = listener.pending();
			if (pending > 0 && listener.queue() == QueuePolicy.KEEP_ALL) {
				log(processor, listener, Level.WARN).log(
						"Informer '{}' was closed; discarding {} undelivered events of handler '{}'",
						processor.informerName(), pending, listener.name());
			}
			else if (pending > 0) {
				log(processor, listener, Level.INFO).log(
						"Informer '{}' was closed; handler '{}' has not received the current state of {} objects; "
								+ "the next start delivers the objects that exist then",
						processor.informerName(), listener.name(), pending);
			}
		}
	}

	private static LoggingEventBuilder log(SharedProcessor<?> processor, ProcessorListener<?> listener, Level level) {
		return logger.atLevel(level)
			.addKeyValue("informer", processor.informerName())
			.addKeyValue("handler", listener.name());
	}

}
