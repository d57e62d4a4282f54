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
import dev.informer.TimeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Stop of the handlers of several informers with one deadline. All handlers drain at the
 * same time, and those that are not ready at the deadline are interrupted. A handler that
 * ignores the interrupt is reported and left behind.
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
			starts.forEach(SharedProcessor::interrupt);
			awaitEnd(processors, time.nanoTime() + GRACE_NANOS);
		}
		catch (InterruptedException ex) {
			starts.forEach(SharedProcessor::interrupt);
			Thread.currentThread().interrupt();
		}
		processors.forEach(HandlerStop::report);
	}

	private static void awaitEnd(Collection<? extends SharedProcessor<?>> processors, long deadline)
			throws InterruptedException {
		for (SharedProcessor<?> processor : processors) {
			for (ProcessorListener<?> listener : processor.all()) {
				listener.threads().awaitEnd(deadline);
			}
		}
	}

	private static void report(SharedProcessor<?> processor) {
		for (ProcessorListener<?> listener : processor.all()) {
			listener.logFailures();
			if (listener.threads().isStuck()) {
				log(processor, listener)
					.log("Informer '{}' stopped while handler '{}' ignores the interrupt of its thread; "
							+ "continuing without it", processor.informerName(), listener.name());
			}
			int pending = listener.pending();
			if (pending > 0 && listener.queue() == QueuePolicy.KEEP_ALL && !processor.isStartedOrClosed()) {
				log(processor, listener).log(
						"Informer '{}' stopped; keeping {} undelivered events of handler '{}' for the next start",
						processor.informerName(), pending, listener.name());
			}
		}
	}

	private static LoggingEventBuilder log(SharedProcessor<?> processor, ProcessorListener<?> listener) {
		return logger.atWarn()
			.addKeyValue("informer", processor.informerName())
			.addKeyValue("handler", listener.name());
	}

}
