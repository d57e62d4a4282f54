/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.QueuePolicy;
import dev.informer.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What one place, an annotation or a group of properties, says about how a handler wants
 * to be called; {@code null} for what it does not say.
 *
 * @param resyncPeriod how often every object is told again; zero for never
 * @param queue what is kept while the handler is busy
 * @param changes the parts that an update has to touch; empty for every update
 * @param concurrency how many calls there may be at once
 * @param retry how often a call that throws is tried again
 * @param autoStartup whether the handler is not paused at first
 */
public record HandlerSettings(@Nullable Duration resyncPeriod, @Nullable QueuePolicy queue,
		@Nullable List<ChangedPart> changes, @Nullable Integer concurrency, Retry retry,
		@Nullable Boolean autoStartup) {

	/**
	 * These settings, and what another place says where these say nothing.
	 * @param others what is said with less weight
	 * @return the settings of both places
	 */
	public HandlerSettings or(HandlerSettings others) {
		return new HandlerSettings(first(this.resyncPeriod, others.resyncPeriod), first(this.queue, others.queue),
				first(this.changes, others.changes), first(this.concurrency, others.concurrency),
				this.retry.or(others.retry), first(this.autoStartup, others.autoStartup));
	}

	/**
	 * The options, those that are not given being as in
	 * {@link HandlerOptions#defaults()}.
	 * @return the options
	 * @throws IllegalArgumentException when a value makes no sense, be it together with
	 * others
	 */
	public HandlerOptions<?> options() {
		HandlerOptions.Builder<?> builder = new HandlerOptions.Builder<>();
		if (this.resyncPeriod != null) {
			builder.resyncPeriod(this.resyncPeriod);
		}
		if (this.queue != null) {
			builder.queue(this.queue);
		}
		if (this.changes != null) {
			builder.changes(this.changes.toArray(ChangedPart[]::new));
		}
		if (this.concurrency != null) {
			builder.concurrency(this.concurrency);
		}
		return builder.retry(this.retry.policy()).build();
	}

	private static <V> @Nullable V first(@Nullable V value, @Nullable V otherwise) {
		return (value != null) ? value : otherwise;
	}

	/**
	 * What one place says about how often a call that throws is tried again: see
	 * {@link RetryPolicy}.
	 *
	 * @param maxAttempts how often a state is told at most
	 * @param initialDelay the first wait
	 * @param maxDelay the longest wait
	 * @param factor by how much a wait is longer than the one before
	 * @param jitter the largest random share on top
	 */
	public record Retry(@Nullable Integer maxAttempts, @Nullable Duration initialDelay, @Nullable Duration maxDelay,
			@Nullable Double factor, @Nullable Double jitter) {

		Retry or(Retry others) {
			return new Retry(first(this.maxAttempts, others.maxAttempts), first(this.initialDelay, others.initialDelay),
					first(this.maxDelay, others.maxDelay), first(this.factor, others.factor),
					first(this.jitter, others.jitter));
		}

		RetryPolicy policy() {
			RetryPolicy defaults = RetryPolicy.DEFAULT;
			Duration delay = (this.initialDelay != null) ? this.initialDelay : defaults.delay();
			return new RetryPolicy((this.maxAttempts != null) ? this.maxAttempts - 1 : defaults.maxRetries(), delay,
					(this.factor != null) ? this.factor : defaults.multiplier(),
					(this.maxDelay != null) ? this.maxDelay : defaults.maxDelay(), (this.jitter != null)
							? Duration.ofNanos((long) (this.jitter * delay.toNanos())) : defaults.jitter());
		}

	}

}
