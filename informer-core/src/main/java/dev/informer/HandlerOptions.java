/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import dev.informer.client.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Options of a handler. Immutable.
 *
 * @param <T> the type of the objects
 * @param name the name in logs, metrics and thread names; {@code null} for a generated
 * name
 * @param resyncPeriod the period after which every object is delivered again although it
 * has not changed; {@link Duration#ZERO} to disable resyncs, otherwise at least one
 * second
 * @param queue the policy for pending events
 * @param retry the policy for retries
 * @param errorHandler the error handler, notified of each failed invocation and of
 * exhausted retries, in addition to the {@link InformerListener}s
 * @param filter the filter that selects the objects to deliver, all by default. An object
 * that begins to match is delivered as added, an object that no longer matches as
 * deleted, with its current state. The filter is evaluated on the threads of the handler,
 * possibly several times for one state; its result must depend only on the object. If it
 * throws, the failure is published and the object counts as matching
 * @param changes the parts of which at least one must differ from the last delivered
 * state for an update to be delivered; empty to deliver every update. Resyncs are always
 * delivered, and so is the deletion of an object with finalizers, see {@link ChangedPart}
 * @param on the types of events that are delivered
 * @param concurrency the maximum number of concurrent invocations. Invocations for one
 * object never overlap and keep their order
 * @param paused whether the handler is paused from the beginning, until
 * {@link HandlerRegistration#resume()}
 * @param gate the gate that each invocation passes, {@link InvocationGate#OPEN} by
 * default. Another one requires {@link QueuePolicy#COALESCE}
 */
public record HandlerOptions<T extends KubernetesObject>(@Nullable String name, Duration resyncPeriod,
		QueuePolicy queue, RetryPolicy retry, @Nullable HandlerErrorHandler<? super T> errorHandler,
		@Nullable Predicate<? super T> filter, Set<ChangedPart> changes, Set<ResourceEvent.Type> on, int concurrency,
		boolean paused, InvocationGate gate) {

	/**
	 * Validate the values.
	 * @throws IllegalArgumentException if the period is negative, the concurrency is less
	 * than 1, there is no event type, or a handler with a gate keeps all events
	 */
	public HandlerOptions {
		if (resyncPeriod.isNegative()) {
			throw new InvalidOptionException("resync-period",
					"must not be negative, but is " + TimeSource.millis(resyncPeriod) + " ms");
		}
		if (concurrency < 1) {
			throw new InvalidOptionException("concurrency", "must be at least 1, not " + concurrency);
		}
		if (on.isEmpty()) {
			throw new IllegalArgumentException("The event types of a handler must not be empty");
		}
		if (gate != InvocationGate.OPEN && queue == QueuePolicy.KEEP_ALL) {
			throw new InvalidOptionException("queue", "must be coalesce for a " + gate
					+ " handler: while its gate is closed, every event would be kept, without a bound");
		}
		changes = Set.copyOf(changes);
		on = Set.copyOf(on);
	}

	/**
	 * Return the defaults: generated name, no resync, {@link QueuePolicy#COALESCE},
	 * {@link RetryPolicy#DEFAULT}, no error handler, every object, every change, every
	 * type of event, a concurrency of 1, not paused, no gate.
	 * @param <T> the type of the objects
	 * @return the defaults
	 */
	public static <T extends KubernetesObject> HandlerOptions<T> defaults() {
		return new HandlerOptions<>(null, Duration.ZERO, QueuePolicy.COALESCE, RetryPolicy.DEFAULT, null, null,
				Set.of(), EnumSet.allOf(ResourceEvent.Type.class), 1, false, InvocationGate.OPEN);
	}

	/**
	 * Builder of the options of one handler. Not thread-safe.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class Builder<T extends KubernetesObject> {

		private @Nullable String name;

		private Duration resyncPeriod;

		private QueuePolicy queue;

		private RetryPolicy retry;

		private @Nullable HandlerErrorHandler<? super T> errorHandler;

		private @Nullable Predicate<? super T> filter;

		private Set<ChangedPart> changes;

		private Set<ResourceEvent.Type> on;

		private int concurrency;

		private boolean paused;

		private InvocationGate gate;

		/**
		 * Create a builder with the defaults.
		 */
		public Builder() {
			this(defaults());
		}

		/**
		 * Create a builder with the values of the given options.
		 * @param options the options
		 */
		public Builder(HandlerOptions<T> options) {
			this.name = options.name();
			this.resyncPeriod = options.resyncPeriod();
			this.queue = options.queue();
			this.retry = options.retry();
			this.errorHandler = options.errorHandler();
			this.filter = options.filter();
			this.changes = options.changes();
			this.on = options.on();
			this.concurrency = options.concurrency();
			this.paused = options.paused();
			this.gate = options.gate();
		}

		/**
		 * Set the name, which is unique within the informer.
		 * @param name the name; {@code null} for a generated name
		 * @return this builder
		 */
		public Builder<T> name(@Nullable String name) {
			this.name = name;
			return this;
		}

		/**
		 * Set the resync period.
		 * @param resyncPeriod the period; zero to disable resyncs
		 * @return this builder
		 */
		public Builder<T> resyncPeriod(Duration resyncPeriod) {
			this.resyncPeriod = resyncPeriod;
			return this;
		}

		/**
		 * Set the policy for pending events.
		 * @param queue the policy
		 * @return this builder
		 */
		public Builder<T> queue(QueuePolicy queue) {
			this.queue = queue;
			return this;
		}

		/**
		 * Set the policy for retries.
		 * @param retry the policy
		 * @return this builder
		 */
		public Builder<T> retry(RetryPolicy retry) {
			this.retry = retry;
			return this;
		}

		/**
		 * Set the error handler.
		 * @param errorHandler the error handler
		 * @return this builder
		 */
		public Builder<T> errorHandler(@Nullable HandlerErrorHandler<? super T> errorHandler) {
			this.errorHandler = errorHandler;
			return this;
		}

		/**
		 * Set the filter that selects the objects to deliver.
		 * @param filter the filter; {@code null} to deliver all objects
		 * @return this builder
		 */
		public Builder<T> filter(@Nullable Predicate<? super T> filter) {
			this.filter = filter;
			return this;
		}

		/**
		 * Set the parts of which at least one must change for an update to be delivered.
		 * @param changes the parts; none to deliver every update
		 * @return this builder
		 */
		public Builder<T> changes(ChangedPart... changes) {
			this.changes = Set.copyOf(List.of(changes));
			return this;
		}

		/**
		 * Set the types of events that are delivered. Other events still advance the last
		 * delivered state: the previous object of an update is the state before it,
		 * whether that was delivered or not.
		 * @param on the types of events, at least one
		 * @return this builder
		 */
		public Builder<T> on(ResourceEvent.Type... on) {
			this.on = Set.copyOf(List.of(on));
			return this;
		}

		/**
		 * Set the maximum number of concurrent invocations, for different objects.
		 * @param concurrency the maximum number of invocations and of threads
		 * @return this builder
		 */
		public Builder<T> concurrency(int concurrency) {
			this.concurrency = concurrency;
			return this;
		}

		/**
		 * Set whether the handler is paused from the beginning. In contrast to
		 * {@link HandlerRegistration#pause()} after the handler was added, this prevents
		 * any invocation.
		 * @param paused whether the handler is paused
		 * @return this builder
		 */
		public Builder<T> paused(boolean paused) {
			this.paused = paused;
			return this;
		}

		/**
		 * Set the gate that each invocation passes.
		 * @param gate the gate; {@link InvocationGate#OPEN} for none
		 * @return this builder
		 */
		public Builder<T> gate(InvocationGate gate) {
			this.gate = gate;
			return this;
		}

		/**
		 * Build the options.
		 * @return the options
		 */
		public HandlerOptions<T> build() {
			return new HandlerOptions<>(this.name, this.resyncPeriod, this.queue, this.retry, this.errorHandler,
					this.filter, this.changes, this.on, this.concurrency, this.paused, this.gate);
		}

	}

}
