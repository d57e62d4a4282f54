/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.Map;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerListener;
import dev.informer.ResourceEvent;
import dev.informer.RetryLaterException;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.support.FailureLog;
import dev.informer.support.UntrustedText;
import dev.informer.work.LogContext;
import dev.informer.work.WorkerThreads.Running;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Lines of the log and events about one handler.
 * <p>
 * <b>Concurrency.</b> Thread-safe. Called without a lock: appenders and listeners are
 * code of the user.
 */
final class HandlerReporter {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private final SharedIndexInformer<?> informer;

	private final String handler;

	private final InformerListener events;

	private final TimeSource time;

	private final Map<String, String> keyValues;

	private final FailureLog failures;

	HandlerReporter(SharedIndexInformer<?> informer, String handler, InformerListener events, TimeSource time) {
		this.informer = informer;
		this.handler = handler;
		this.events = events;
		this.time = time;
		this.keyValues = Map.of("informer", informer.name(), "handler", handler);
		this.failures = new FailureLog(logger, time::nanoTime,
				"Informer '" + informer.name() + "': handler '" + handler + "'", this.keyValues, 1);
	}

	/**
	 * Return a line of the log, whose message names the informer itself.
	 */
	LoggingEventBuilder line(Level level) {
		LoggingEventBuilder line = logger.atLevel(level);
		this.keyValues.forEach(line::addKeyValue);
		return line;
	}

	/**
	 * Begin the logging context of an invocation for the object with a key.
	 */
	LogContext context(String key) {
		return new LogContext(this.keyValues, key);
	}

	void debug(String message, Throwable cause) {
		this.failures.debug(sentence(message), cause);
	}

	/**
	 * Log a failure by its kind, or count it for the next summary.
	 */
	void log(Level level, String kind, String message, @Nullable Throwable cause) {
		this.failures.report(level, kind, sentence(message), cause);
	}

	/**
	 * Log a failure whose stack trace was logged before, unless that was another one.
	 */
	void logAgain(Level level, String kind, String message, Throwable cause) {
		log(level, kind, message + " after " + FailureLog.describe(cause), this.failures.isKnown(cause) ? null : cause);
	}

	/**
	 * Log the number of failures that were not logged separately.
	 */
	void logSummary() {
		this.failures.logSummary();
	}

	private String sentence(String message) {
		return "Informer '" + this.informer.name() + "': " + message;
	}

	/**
	 * Log calls that were interrupted.
	 * @param subject what has made them
	 */
	void logInterrupted(String reason, String subject, Running<? extends KeyedEvent<?>> running) {
		line(Level.WARN).log("Informer '{}' {} and interrupted {}, which has been busy with {} of {} for {} ms",
				this.informer.name(), reason, subject, running.call().event().type(),
				UntrustedText.of(running.call().key()), TimeSource.millis(running.duration()));
	}

	void publishFailure(Kind kind, String message, Throwable cause) {
		publish(new InformerEvent.Failed(this.informer, null, this.handler,
				new InformerFailure(kind, message, this.time.now(), cause)));
	}

	void publishInvocation(ResourceEvent<?> event, Duration duration, int attempt, @Nullable Throwable failure) {
		publish(new InformerEvent.HandlerInvoked(this.informer, this.handler, event, duration, attempt,
				(failure instanceof RetryLaterException) ? null : failure));
	}

	/**
	 * Publish a delivery with its lag. A resync has none: nothing was received for it.
	 */
	void publishDelivery(ResourceEvent<?> event, long receivedNanos) {
		this.failures.logSummaryIfDue();
		if (!event.resync()) {
			Duration lag = Duration.ofNanos(this.time.nanoTime() - receivedNanos);
			publish(new InformerEvent.EventDelivered(this.informer, this.handler, event, lag));
		}
	}

	private void publish(InformerEvent event) {
		guard("listener", () -> this.events.onEvent(event));
	}

	/**
	 * Run code of the user that is not the handler, and log what it throws.
	 */
	void guard(String description, Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			log(Level.ERROR, description, "the " + description + " of handler '" + this.handler + "' failed", ex);
		}
		finally {
			Thread.interrupted();
		}
	}

}
