/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.Map;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerInterceptor;
import dev.informer.HandlerOptions;
import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerListener;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.SharedIndexInformer;
import dev.informer.TimeSource;
import dev.informer.client.ObjectKey;
import dev.informer.support.FailureLog;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Invocation of a handler, with what belongs to it: the interceptor, events and failures
 * for the listener, the error handler. Nothing that user code throws, errors included,
 * ends the thread. Thread-safe as far as the handler is.
 *
 * @param <T> the type of the objects
 */
final class HandlerInvoker<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private final SharedIndexInformer<?> informer;

	private final String name;

	private final ResourceEventHandler<T> handler;

	private final @Nullable HandlerErrorHandler<? super T> errorHandler;

	private final InformerListener listener;

	private final TimeSource time;

	private final FailureLog log;

	HandlerInvoker(SharedIndexInformer<?> informer, String name, ResourceEventHandler<T> handler,
			HandlerOptions<T> options, @Nullable HandlerInterceptor interceptor, InformerListener listener,
			TimeSource time) {
		this.informer = informer;
		this.name = name;
		this.handler = (interceptor != null)
				? (event) -> interceptor.intercept(informer, name, event, () -> handler.handle(event)) : handler;
		this.errorHandler = options.errorHandler();
		this.listener = listener;
		this.time = time;
		this.log = new FailureLog(logger, time, "Informer '" + informer.name() + "': handler '" + name + "'",
				Map.of("informer", informer.name(), "handler", name), 1);
	}

	/**
	 * Invoke the handler.
	 * @return the exception or error thrown; {@code null} when the handler returned
	 */
	@Nullable Throwable invoke(ResourceEvent<T> event, int attempt) {
		long start = this.time.nanoTime();
		Throwable failure = null;
		try {
			this.handler.handle(event);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		Duration duration = Duration.ofNanos(this.time.nanoTime() - start);
		this.listener
			.onEvent(new InformerEvent.HandlerInvoked(this.informer, this.name, event, duration, attempt, failure));
		return failure;
	}

	/**
	 * Report a delivery with its lag. A resync has none: nothing was received for it.
	 */
	void delivered(ResourceEvent<T> event, long receivedNanos) {
		this.log.logSummaryIfDue();
		if (!event.resync()) {
			Duration lag = Duration.ofNanos(this.time.nanoTime() - receivedNanos);
			this.listener.onEvent(new InformerEvent.EventDelivered(this.informer, this.name, event, lag));
		}
	}

	/**
	 * Report a failed invocation.
	 * @param retryIn the time until the retry; {@code null} for none
	 */
	void failed(ResourceEvent<T> event, int attempt, @Nullable Duration retryIn, Throwable cause) {
		boolean exhausted = retryIn == null;
		String message = "Handler '" + this.name + "' failed on " + event.type() + " of " + ObjectKey.of(event.object())
				+ " (attempt " + attempt + "); "
				+ (exhausted ? "retries exhausted" : "retrying in " + TimeSource.millis(retryIn) + " ms");
		Level level = (exhausted || cause instanceof Error) ? Level.ERROR : Level.WARN;
		if (exhausted && attempt > 1) {
			// the stack trace was logged with the first attempt
			log(level, "retries exhausted: " + cause.getClass().getSimpleName(), message, null);
		}
		else {
			log(level, "", message, cause);
		}
		publish(exhausted ? Kind.HANDLER_RETRIES_EXHAUSTED : Kind.HANDLER, message, cause);
		HandlerErrorHandler<? super T> handler = this.errorHandler;
		if (handler != null) {
			HandlerFailure<T> failure = new HandlerFailure<>(this.name, event, attempt, retryIn, cause);
			runGuarded("error handler", () -> handler.failed(failure));
		}
	}

	/**
	 * Report a failure of the filter.
	 */
	void filterFailed(T object, Throwable cause) {
		String message = "Filter of handler '" + this.name + "' failed on " + ObjectKey.of(object)
				+ "; delivering the event as if the filter matched";
		log(Level.ERROR, "filter", message, cause);
		publish(Kind.HANDLER_FILTER, message, cause);
	}

	private void log(Level level, String kind, String message, @Nullable Throwable cause) {
		this.log.report(level, kind, "Informer '" + this.informer.name() + "': " + message, cause);
	}

	private void publish(Kind kind, String message, Throwable cause) {
		this.listener.onEvent(new InformerEvent.Failed(this.informer, null,
				new InformerFailure(kind, message, this.time.now(), cause)));
	}

	/**
	 * Run other code of the user, and log what it throws.
	 */
	void runGuarded(String description, Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			log(Level.ERROR, description, "the " + description + " of handler '" + this.name + "' failed", ex);
		}
	}

	/**
	 * Log the number of failures that were not logged separately.
	 */
	void logFailures() {
		this.log.logSummary();
	}

}
