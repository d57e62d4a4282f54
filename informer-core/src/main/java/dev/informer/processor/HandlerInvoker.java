/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerInterceptor;
import dev.informer.HandlerOptions;
import dev.informer.InformerFailure.Kind;
import dev.informer.InvocationGate.Target;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.processor.DeliveryResult.Ended;
import dev.informer.processor.DeliveryResult.Failed;
import dev.informer.processor.DeliveryResult.NotBegun;
import dev.informer.processor.DeliveryResult.Postponed;
import dev.informer.support.UntrustedText;
import dev.informer.work.LogContext;
import dev.informer.work.WorkerThreads;
import dev.informer.work.WorkerThreads.CallState;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Delivery of an event by one invocation of the handler, with what belongs to it: filter,
 * gate, interceptor, the decision about a retry, the report of a failure and the error
 * handler. Nothing that user code throws, errors included, leaves it.
 * <p>
 * <b>Concurrency.</b> Called by the threads of the handler, without a lock.
 */
final class HandlerInvoker<T extends KubernetesObject> {

	private final SharedIndexInformer<?> informer;

	private final String name;

	private final ResourceEventHandler<T> handler;

	private final HandlerOptions<T> options;

	private final @Nullable HandlerInterceptor interceptor;

	private final HandlerReporter reporter;

	HandlerInvoker(SharedIndexInformer<?> informer, String name, ResourceEventHandler<T> handler,
			HandlerOptions<T> options, @Nullable HandlerInterceptor interceptor, HandlerReporter reporter) {
		this.informer = informer;
		this.name = name;
		this.handler = handler;
		this.options = options;
		this.interceptor = interceptor;
		this.reporter = reporter;
	}

	/**
	 * Deliver the event of an entry that was taken from the queue.
	 * @param threads the threads of the handler, one of which is the current one
	 * @param permitted whether the invocation may begin, evaluated with their lock
	 */
	DeliveryResult<T> deliver(QueueEntry<T> entry, WorkerThreads<KeyedEvent<T>> threads, BooleanSupplier permitted) {
		ResourceEvent<T> event = entry.delivery().event(this.options, this::filterFailed);
		if (event == null || !this.options.on().contains(event.type())) {
			return new Ended<>(event, Outcome.NOT_ACCEPTED, null);
		}
		if (Thread.currentThread().isInterrupted()) {
			// by the filter or the thread factory
			threads.clearInterrupt();
		}
		// as late as possible: the filter may have taken long, or the process was
		// suspended
		Target target = entry.target();
		if (target != null && !this.options.gate().begin(target)) {
			return new NotBegun<>();
		}
		try (LogContext logContext = this.reporter.context(entry.key())) {
			return threads.beginCall(new KeyedEvent<>(entry.key(), null, event), permitted)
					? invoke(entry, event, threads, logContext) : new NotBegun<>();
		}
		finally {
			if (target != null) {
				this.options.gate().end(target);
			}
		}
	}

	private DeliveryResult<T> invoke(QueueEntry<T> entry, ResourceEvent<T> event, WorkerThreads<KeyedEvent<T>> threads,
			LogContext logContext) {
		int attempt = entry.attempt(event);
		Throwable failure = call(event, threads, logContext);
		Duration duration = threads.endCall();
		// an interrupt that the handler left is not meant for the code after it
		Thread.interrupted();
		this.reporter.publishInvocation(event, duration, attempt, failure);
		if (failure == null) {
			this.reporter.publishDelivery(event, entry.deliveryNanos());
			return new Ended<>(event, Outcome.HANDLED, null);
		}
		logContext.restoreFailed();
		CallState state = threads.callState();
		if (state == CallState.INTERRUPTED && this.options.retry().maxRetries() != 0) {
			this.reporter.debug(message(entry, event, attempt, "interrupted, and repeated later"), failure);
			return new NotBegun<>();
		}
		if (failure instanceof RetryLaterException later && state != CallState.REMOVED) {
			Duration requested = later.delay();
			Duration delay = (requested != null) ? requested : backoff(entry);
			this.reporter
				.debug(message(entry, event, attempt, "retrying later, in " + TimeSource.millis(delay) + " ms"), later);
			return new Postponed<>(delay);
		}
		Duration retryIn = retryIn(entry, attempt, state);
		String message = message(entry, event, attempt, nextAction(state, retryIn));
		log(message, attempt, state, retryIn, failure);
		failed(message, event, attempt, retryIn, failure);
		return (retryIn != null) ? new Failed<>(event, retryIn)
				: new Ended<>(event, Outcome.RETRIES_EXHAUSTED, failure.getClass().getName());
	}

	/**
	 * Call interceptor and handler, and return what they have thrown.
	 */
	private @Nullable Throwable call(ResourceEvent<T> event, WorkerThreads<KeyedEvent<T>> threads,
			LogContext logContext) {
		try {
			threads.enterCall();
			if (this.interceptor != null) {
				this.interceptor.intercept(this.informer, this.name, event, () -> handle(event, logContext));
			}
			else {
				handle(event, logContext);
			}
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	private void handle(ResourceEvent<T> event, LogContext logContext) throws Exception {
		try {
			this.handler.handle(event);
		}
		catch (Throwable ex) {
			logContext.saveFailed();
			throw ex;
		}
	}

	/**
	 * Return the time until the retry of a failed invocation; {@code null} when the
	 * retries are exhausted.
	 */
	private @Nullable Duration retryIn(QueueEntry<T> entry, int attempt, CallState state) {
		RetryPolicy retry = this.options.retry();
		return (state == CallState.RUNNING && retry.permitsRetry(attempt)) ? backoff(entry) : null;
	}

	private Duration backoff(QueueEntry<T> entry) {
		return this.options.retry().delay(entry.failures() + 1, ThreadLocalRandom.current().nextDouble());
	}

	private String message(QueueEntry<T> entry, ResourceEvent<T> event, int attempt, String nextAction) {
		return "Handler '" + this.name + "' failed on " + event.type() + " of " + UntrustedText.of(entry.key())
				+ " (attempt " + attempt + "); " + nextAction;
	}

	private static String nextAction(CallState state, @Nullable Duration retryIn) {
		return switch (state) {
			case REMOVED -> "it was removed";
			case INTERRUPTED -> "interrupted";
			case RUNNING ->
				(retryIn != null) ? "retrying in " + TimeSource.millis(retryIn) + " ms" : "retries exhausted";
		};
	}

	/**
	 * Log a failed invocation. That it was interrupted is logged by who has done it.
	 */
	private void log(String message, int attempt, CallState state, @Nullable Duration retryIn, Throwable cause) {
		Level level = (retryIn == null || cause instanceof Error) ? Level.ERROR : Level.WARN;
		if (state == CallState.INTERRUPTED) {
			this.reporter.debug(message, cause);
		}
		else if (retryIn == null && attempt > 1) {
			this.reporter.logAgain(level, "retries exhausted: " + cause.getClass().getSimpleName(), message, cause);
		}
		else {
			this.reporter.log(level, "", message, cause);
		}
	}

	private void failed(String message, ResourceEvent<T> event, int attempt, @Nullable Duration retryIn,
			Throwable cause) {
		this.reporter.publishFailure((retryIn != null) ? Kind.HANDLER : Kind.HANDLER_RETRIES_EXHAUSTED, message, cause);
		HandlerErrorHandler<? super T> errorHandler = this.options.errorHandler();
		if (errorHandler != null) {
			HandlerFailure<T> failure = new HandlerFailure<>(this.name, event, attempt, retryIn, cause);
			this.reporter.guard("error handler", () -> errorHandler.failed(failure));
		}
	}

	private void filterFailed(T object, Throwable cause) {
		String message = "Filter of handler '" + this.name + "' failed on " + keyOf(object)
				+ "; delivering the event as if the filter matched";
		this.reporter.log(Level.ERROR, "filter", message, cause);
		this.reporter.publishFailure(Kind.HANDLER_FILTER, message, cause);
	}

	private static String keyOf(KubernetesObject object) {
		try {
			return UntrustedText.of(ObjectKey.of(object));
		}
		// code of the author of the class
		catch (Throwable ex) {
			return "an object whose metadata cannot be read";
		}
	}

}
