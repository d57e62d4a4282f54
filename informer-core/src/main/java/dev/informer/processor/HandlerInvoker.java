/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerInterceptor;
import dev.informer.HandlerInvocation;
import dev.informer.HandlerOptions;
import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerListener;
import dev.informer.InvocationGate.Target;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.processor.HandlerThreads.InvocationState;
import dev.informer.support.FailureLog;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * Invocation of a handler, with what belongs to it: the filter, the interceptor, retries,
 * events and failures for the listener, the error handler. Nothing that user code throws,
 * errors included, ends the thread. Thread-safe as far as the handler is.
 */
final class HandlerInvoker<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private final SharedIndexInformer<?> informer;

	private final String name;

	private final ResourceEventHandler<T> handler;

	private final @Nullable HandlerInterceptor interceptor;

	private final HandlerOptions<T> options;

	private final InformerListener listener;

	private final TimeSource time;

	private final FailureLog log;

	HandlerInvoker(SharedProcessor<?> processor, String name, ResourceEventHandler<T> handler,
			HandlerOptions<T> options) {
		this.informer = processor.informer;
		this.name = name;
		this.handler = handler;
		this.interceptor = processor.interceptor;
		this.options = options;
		this.listener = processor.events;
		this.time = processor.time;
		this.log = new FailureLog(logger, this.time::nanoTime,
				"Informer '" + this.informer.name() + "': handler '" + name + "'",
				Map.of("informer", this.informer.name(), "handler", name), 1);
	}

	/**
	 * Deliver an event, which the filter may leave out, by one invocation of the handler.
	 * @param permission decides whether an invocation for a type of event may begin, and
	 * begins it
	 * @return the result of the delivery; {@code null} if it was not permitted to begin,
	 * or was interrupted by a stop, a suspension or the gate, which is no failure
	 */
	@Nullable Delivered<T> deliver(QueueEntry<T> entry, HandlerThreads threads, Predicate<ResourceEvent.Type> permission) {
		ResourceEvent<T> event = null;
		try {
			event = entry.delivery().event(this.options, this::filterFailed);
			if (event == null || !this.options.on().contains(event.type())) {
				return new Delivered<>(event, null, Outcome.NOT_ACCEPTED, null);
			}
		}
		// code of the object's class, for example a getter
		catch (Throwable ex) {
			InvocationState state = threads.invocationState();
			if (isRepeated(state)) {
				return null;
			}
			Duration retryIn = retryIn(entry, entry.failures() + 1, state);
			deliveryFailed(entry.key(), retryIn, ex);
			return new Delivered<>(null, retryIn, Outcome.RETRIES_EXHAUSTED, ex.getClass().getName());
		}
		if (Thread.currentThread().isInterrupted()) {
			// by the filter or the thread factory
			threads.clearInterrupt();
		}
		// as late as possible: the filter may have taken long, or the process was
		// suspended
		Target target = entry.target();
		if (target != null && !this.options.gate().begin(target)) {
			return null;
		}
		// the entry does not change while its event is being delivered
		int attempt = entry.attempt(event);
		try (LogContext logContext = new LogContext(this.informer.name(), this.name, entry.key())) {
			return permission.test(event.type()) ? invoke(entry, event, attempt, threads, logContext) : null;
		}
		finally {
			if (target != null) {
				this.options.gate().end(target);
			}
		}
	}

	private @Nullable Delivered<T> invoke(QueueEntry<T> entry, ResourceEvent<T> event, int attempt, HandlerThreads threads,
			LogContext logContext) {
		Throwable failure = invoke(event, attempt, threads, logContext);
		if (failure == null) {
			delivered(event, entry.deliveryNanos());
			return new Delivered<>(event, null, Outcome.HANDLED, null);
		}
		logContext.restoreFailed();
		InvocationState state = threads.invocationState();
		if (isRepeated(state)) {
			debug(message(entry, event, attempt, "interrupted, and repeated later"), failure);
			return null;
		}
		if (failure instanceof RetryLaterException later && state != InvocationState.REMOVED) {
			Duration requested = later.delay();
			Duration delay = (requested != null) ? requested : backoff(entry);
			debug(message(entry, event, attempt, "retrying later, in " + TimeSource.millis(delay) + " ms"), later);
			return new Delivered<>(event, delay, Outcome.HANDLED, null);
		}
		Duration retryIn = retryIn(entry, attempt, state);
		failed(entry, event, attempt, state, retryIn, failure);
		return new Delivered<>(event, retryIn, Outcome.RETRIES_EXHAUSTED, failure.getClass().getName());
	}

	/**
	 * Return whether an invocation that has failed is repeated without counting: it was
	 * interrupted, and the handler permits more than one invocation.
	 */
	private boolean isRepeated(InvocationState state) {
		return state == InvocationState.INTERRUPTED && this.options.retry().maxRetries() != 0;
	}

	/**
	 * Return the time until the retry of a failed invocation; {@code null} when the
	 * retries are exhausted.
	 */
	private @Nullable Duration retryIn(QueueEntry<T> entry, int attempt, InvocationState state) {
		RetryPolicy retry = this.options.retry();
		return (state == InvocationState.RUNNING && retry.permitsRetry(attempt)) ? backoff(entry) : null;
	}

	private Duration backoff(QueueEntry<T> entry) {
		return this.options.retry().delay(entry.failures() + 1, ThreadLocalRandom.current().nextDouble());
	}

	private @Nullable Throwable invoke(ResourceEvent<T> event, int attempt, HandlerThreads threads,
			LogContext logContext) {
		long start = this.time.nanoTime();
		Throwable failure = null;
		try {
			intercept(event, logContext);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		threads.endInvocation();
		// an interrupt that the handler left is not meant for the code after it
		Thread.interrupted();
		Duration duration = Duration.ofNanos(this.time.nanoTime() - start);
		publish(new InformerEvent.HandlerInvoked(this.informer, this.name, event, duration, attempt,
				(failure instanceof RetryLaterException) ? null : failure));
		return failure;
	}

	private void intercept(ResourceEvent<T> event, LogContext logContext) throws Exception {
		if (this.interceptor != null) {
			this.interceptor.intercept(this.informer, this.name, event, () -> handle(event, logContext));
		}
		else {
			handle(event, logContext);
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
	 * Report a delivery with its lag. A resync has none: nothing was received for it.
	 */
	private void delivered(ResourceEvent<T> event, long receivedNanos) {
		this.log.logSummaryIfDue();
		if (!event.resync()) {
			Duration lag = Duration.ofNanos(this.time.nanoTime() - receivedNanos);
			publish(new InformerEvent.EventDelivered(this.informer, this.name, event, lag));
		}
	}

	/**
	 * Report a failed invocation. One that was interrupted is logged by
	 * {@link #logInterrupted}.
	 */
	private void failed(QueueEntry<T> entry, ResourceEvent<T> event, int attempt, InvocationState state,
			@Nullable Duration retryIn, Throwable cause) {
		boolean exhausted = retryIn == null;
		String message = message(entry, event, attempt, nextAction(state, retryIn));
		if (state == InvocationState.INTERRUPTED) {
			debug(message, cause);
		}
		else {
			Level level = (exhausted || cause instanceof Error) ? Level.ERROR : Level.WARN;
			if (exhausted && attempt > 1) {
				// the stack trace was logged with an earlier attempt, unless that failed
				// otherwise
				log(level, "retries exhausted: " + cause.getClass().getSimpleName(), withLast(message, cause),
						this.log.isKnown(cause) ? null : cause);
			}
			else {
				log(level, "", message, cause);
			}
		}
		publish(exhausted ? Kind.HANDLER_RETRIES_EXHAUSTED : Kind.HANDLER, message, cause);
		HandlerErrorHandler<? super T> handler = this.options.errorHandler();
		if (handler != null) {
			HandlerFailure<T> failure = new HandlerFailure<>(this.name, event, attempt, retryIn, cause);
			runGuarded("error handler", () -> handler.failed(failure));
		}
	}

	private String message(QueueEntry<T> entry, ResourceEvent<T> event, int attempt, String nextAction) {
		return "Handler '" + this.name + "' failed on " + event.type() + " of " + UntrustedText.of(entry.key())
				+ " (attempt " + attempt + "); " + nextAction;
	}

	private static String withLast(String message, Throwable cause) {
		return message + " after " + FailureLog.describe(cause);
	}

	private void debug(String message, Throwable cause) {
		this.log.debug("Informer '" + this.informer.name() + "': " + message, cause);
	}

	private static String nextAction(InvocationState state, @Nullable Duration retryIn) {
		return switch (state) {
			case REMOVED -> "it was removed";
			case INTERRUPTED -> "interrupted";
			case RUNNING ->
				(retryIn != null) ? "retrying in " + TimeSource.millis(retryIn) + " ms" : "retries exhausted";
		};
	}

	/**
	 * Log invocations that were interrupted.
	 * @param reason the reason, as the predicate of a sentence
	 */
	void logInterrupted(String reason, List<HandlerInvocation> invocations) {
		invocations.forEach((invocation) -> logger.atWarn()
			.addKeyValue("informer", this.informer.name())
			.addKeyValue("handler", this.name)
			.log("Informer '{}' {} and interrupted handler '{}', which has been busy with {} of {} for {} ms",
					this.informer.name(), reason, this.name, invocation.type(), invocation.key(),
					TimeSource.millis(invocation.duration())));
	}

	private void filterFailed(T object, Throwable cause) {
		String message = "Filter of handler '" + this.name + "' failed on " + keyOf(object)
				+ "; delivering the event as if the filter matched";
		log(Level.ERROR, "filter", message, cause);
		publish(Kind.HANDLER_FILTER, message, cause);
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

	/**
	 * Report an event that could not be composed, because code of the object's class
	 * failed.
	 */
	private void deliveryFailed(String key, @Nullable Duration retryIn, Throwable cause) {
		String message = "Handler '" + this.name + "' could not be invoked for " + UntrustedText.of(key) + "; "
				+ ((retryIn != null) ? "retrying in " + TimeSource.millis(retryIn) + " ms" : "retries exhausted");
		log(Level.ERROR, "delivery", message, cause);
		publish((retryIn != null) ? Kind.HANDLER : Kind.HANDLER_RETRIES_EXHAUSTED, message, cause);
	}

	void threadFailed(String message, Throwable cause) {
		log(Level.ERROR, "thread", message, cause);
		publish(Kind.OTHER, message, cause);
	}

	private void log(Level level, String kind, String message, @Nullable Throwable cause) {
		this.log.report(level, kind, "Informer '" + this.informer.name() + "': " + message, cause);
	}

	private void publish(Kind kind, String message, Throwable cause) {
		publish(new InformerEvent.Failed(this.informer, null, this.name,
				new InformerFailure(kind, message, this.time.now(), cause)));
	}

	private void publish(InformerEvent event) {
		runGuarded("listener", () -> this.listener.onEvent(event));
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
		finally {
			Thread.interrupted();
		}
	}

	/**
	 * Log the number of failures that were not logged separately.
	 */
	void logFailures() {
		this.log.logSummary();
	}

	/**
	 * Result of a delivery.
	 *
	 * @param event the event; {@code null} when the filter left none, or when it could
	 * not be composed
	 * @param outcome the outcome unless it is retried; {@link Outcome#HANDLED} also if
	 * the handler has postponed it
	 * @param failure the name of the class of the exception; {@code null} without one
	 */
	record Delivered<T extends KubernetesObject>(@Nullable ResourceEvent<T> event, @Nullable Duration retryIn,
			Outcome outcome, @Nullable String failure) {

	}

	/**
	 * Logging context of an invocation: informer, handler, and namespace and name of the
	 * object. A failure is logged after the end of the interceptor, with the context that
	 * was set inside of it, for example the ID of a trace. The previous context of the
	 * thread is restored at the end.
	 */
	private static final class LogContext implements AutoCloseable {

		private final @Nullable Map<String, String> previous = MDC.getCopyOfContextMap();

		private @Nullable Map<String, String> failed;

		LogContext(String informer, String handler, String key) {
			MDC.put("informer", informer);
			MDC.put("handler", handler);
			int slash = key.indexOf('/');
			if (slash >= 0) {
				MDC.put("namespace", UntrustedText.of(key.substring(0, slash)));
			}
			MDC.put("name", UntrustedText.of(key.substring(slash + 1)));
		}

		void saveFailed() {
			this.failed = MDC.getCopyOfContextMap();
		}

		void restoreFailed() {
			if (this.failed != null) {
				MDC.setContextMap(this.failed);
			}
		}

		@Override
		public void close() {
			if (this.previous != null) {
				MDC.setContextMap(this.previous);
			}
			else {
				MDC.clear();
			}
		}

	}

}
