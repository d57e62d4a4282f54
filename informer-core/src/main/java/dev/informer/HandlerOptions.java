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

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * How a handler wants to be called. Immutable.
 *
 * @param <T> the type of the objects
 * @param name its name in logs, metrics and thread names; {@code null} for one made up
 * from the informer's
 * @param resyncPeriod how often every object is told again though nothing changed;
 * {@link Duration#ZERO} for never, otherwise at least one second
 * @param queue what is kept while the handler is busy
 * @param retry how often a call that throws is tried again
 * @param errorHandler hears of each call that throws, and of the giving up; besides the
 * {@link InformerListener}
 * @param filter which objects the handler is told of, all by default. An object that
 * begins to match is added for this handler, one that does not match any more is deleted
 * with the state that does not. The filter is asked on the threads of the handler, again
 * and again for the same state; what it says must follow from the object alone. When it
 * throws, that is reported and the object counts as matching
 * @param changes which parts an update has to touch, compared with what this handler was
 * told last, in order to be told; empty for every update. A resync is told whatever has
 * changed
 * @param on the kinds of events that the handler is called for
 * @param concurrency how many calls there may be at once; those for one object never
 * overlap and keep their order, whatever it is
 * @param paused whether the handler is paused from the beginning, until
 * {@link HandlerRegistration#resume()}
 */
public record HandlerOptions<T extends KubernetesObject>(@Nullable String name, Duration resyncPeriod,
		QueuePolicy queue, RetryPolicy retry, @Nullable HandlerErrorHandler<? super T> errorHandler,
		@Nullable Predicate<? super T> filter, Set<ChangedPart> changes, Set<ResourceEvent.Type> on, int concurrency,
		boolean paused) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when the period is negative, the concurrency less
	 * than 1, or there is no kind of events
	 */
	public HandlerOptions {
		if (resyncPeriod.isNegative()) {
			throw new IllegalArgumentException("The resync period of a handler must not be negative: " + resyncPeriod);
		}
		if (concurrency < 1) {
			throw new IllegalArgumentException("The concurrency of a handler must be at least 1: " + concurrency);
		}
		if (on.isEmpty()) {
			throw new IllegalArgumentException("A handler must be called for one kind of events at least");
		}
		changes = Set.copyOf(changes);
		on = Set.copyOf(on);
	}

	/**
	 * No name, no resync, {@link QueuePolicy#COALESCE}, {@link RetryPolicy#DEFAULT}, no
	 * error handler, every object, every change and every kind of events, one call at a
	 * time, not paused.
	 * @param <T> the type of the objects
	 * @return the defaults
	 */
	public static <T extends KubernetesObject> HandlerOptions<T> defaults() {
		return new HandlerOptions<>(null, Duration.ZERO, QueuePolicy.COALESCE, RetryPolicy.DEFAULT, null, null,
				Set.of(), EnumSet.allOf(ResourceEvent.Type.class), 1, false);
	}

	/**
	 * Collects the options of one handler. Not thread-safe.
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

		/**
		 * Starts from the defaults.
		 */
		public Builder() {
			this(defaults());
		}

		/**
		 * Starts from what the given options say.
		 * @param options the defaults
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
		}

		/**
		 * Sets the name, which is unique within the informer.
		 * @param name the name
		 * @return this builder
		 */
		public Builder<T> name(@Nullable String name) {
			this.name = name;
			return this;
		}

		/**
		 * Sets how often every object is told again.
		 * @param resyncPeriod the period; zero for never
		 * @return this builder
		 */
		public Builder<T> resyncPeriod(Duration resyncPeriod) {
			this.resyncPeriod = resyncPeriod;
			return this;
		}

		/**
		 * Sets what is kept while the handler is busy.
		 * @param queue the policy
		 * @return this builder
		 */
		public Builder<T> queue(QueuePolicy queue) {
			this.queue = queue;
			return this;
		}

		/**
		 * Sets how often a call that throws is tried again.
		 * @param retry the policy
		 * @return this builder
		 */
		public Builder<T> retry(RetryPolicy retry) {
			this.retry = retry;
			return this;
		}

		/**
		 * Sets who hears of calls that throw.
		 * @param errorHandler the error handler
		 * @return this builder
		 */
		public Builder<T> errorHandler(@Nullable HandlerErrorHandler<? super T> errorHandler) {
			this.errorHandler = errorHandler;
			return this;
		}

		/**
		 * Sets which objects the handler is told of.
		 * @param filter says whether an object matches; {@code null} for all
		 * @return this builder
		 */
		public Builder<T> filter(@Nullable Predicate<? super T> filter) {
			this.filter = filter;
			return this;
		}

		/**
		 * Sets which parts an update has to touch in order to be told.
		 * @param changes the parts; none for every update
		 * @return this builder
		 */
		public Builder<T> changes(ChangedPart... changes) {
			this.changes = Set.copyOf(List.of(changes));
			return this;
		}

		/**
		 * Sets the kinds of events that the handler is called for. Of another event the
		 * handler knows as if it had been told: an update's previous object is the one
		 * before, whether that was told or not.
		 * @param on the kinds of events, at least one
		 * @return this builder
		 */
		public Builder<T> on(ResourceEvent.Type... on) {
			this.on = Set.copyOf(List.of(on));
			return this;
		}

		/**
		 * Sets how many calls there may be at once, for different objects.
		 * @param concurrency the number of calls, and of threads, at most
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
		 * Builds the options.
		 * @return the options
		 */
		public HandlerOptions<T> build() {
			return new HandlerOptions<>(this.name, this.resyncPeriod, this.queue, this.retry, this.errorHandler,
					this.filter, this.changes, this.on, this.concurrency, this.paused);
		}

	}

}
