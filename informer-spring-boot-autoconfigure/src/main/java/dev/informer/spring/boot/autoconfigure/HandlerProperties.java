/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.informer.ChangedPart;
import dev.informer.QueuePolicy;
import dev.informer.spring.config.HandlerSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * How handlers want to be called.
 */
@ConfigurationPropertiesSource
public class HandlerProperties {

	/**
	 * How often every object is told again though nothing has changed. 0 for never.
	 */
	private @Nullable Duration resyncPeriod;

	/**
	 * What is kept while the handler is busy: for each object what it was told last and
	 * what is now (coalesce, by default), or every event (keep-all).
	 */
	private @Nullable QueuePolicy queue;

	/**
	 * Parts of an object that an update has to touch in order to be told. Every update is
	 * told by default.
	 */
	private @Nullable List<ChangedPart> changes;

	/**
	 * How many calls there may be at once, for different objects. 1 by default.
	 */
	private @Nullable Integer concurrency;

	/**
	 * Whether the handler is called as soon as its informer runs. Otherwise it is paused
	 * until it is resumed by the code of the application. True by default.
	 */
	private @Nullable Boolean autoStartup;

	private final Retry retry = new Retry();

	public @Nullable Duration getResyncPeriod() {
		return this.resyncPeriod;
	}

	public void setResyncPeriod(@Nullable Duration resyncPeriod) {
		this.resyncPeriod = resyncPeriod;
	}

	public @Nullable QueuePolicy getQueue() {
		return this.queue;
	}

	public void setQueue(@Nullable QueuePolicy queue) {
		this.queue = queue;
	}

	public @Nullable List<ChangedPart> getChanges() {
		return this.changes;
	}

	public void setChanges(@Nullable List<ChangedPart> changes) {
		this.changes = changes;
	}

	public @Nullable Integer getConcurrency() {
		return this.concurrency;
	}

	public void setConcurrency(@Nullable Integer concurrency) {
		this.concurrency = concurrency;
	}

	public @Nullable Boolean getAutoStartup() {
		return this.autoStartup;
	}

	public void setAutoStartup(@Nullable Boolean autoStartup) {
		this.autoStartup = autoStartup;
	}

	public Retry getRetry() {
		return this.retry;
	}

	HandlerSettings settings() {
		return new HandlerSettings(this.resyncPeriod, this.queue, this.changes, this.concurrency,
				new HandlerSettings.Retry(this.retry.maxAttempts, this.retry.initialDelay, this.retry.maxDelay,
						this.retry.factor, this.retry.jitter),
				this.autoStartup);
	}

	/**
	 * How often a call of a handler that throws is tried again, and when.
	 */
	public static class Retry {

		/**
		 * How often a state of an object is told at most. 1 for no second attempt, 5 by
		 * default.
		 */
		private @Nullable Integer maxAttempts;

		/**
		 * First wait after a call that has thrown. 800ms by default.
		 */
		private @Nullable Duration initialDelay;

		/**
		 * Longest wait, before the jitter. 30s by default.
		 */
		private @Nullable Duration maxDelay;

		/**
		 * By how much a wait is longer than the one before. 2 by default.
		 */
		private @Nullable Double factor;

		/**
		 * Largest random share of the wait on top of it. 1 by default.
		 */
		private @Nullable Double jitter;

		public @Nullable Integer getMaxAttempts() {
			return this.maxAttempts;
		}

		public void setMaxAttempts(@Nullable Integer maxAttempts) {
			this.maxAttempts = maxAttempts;
		}

		public @Nullable Duration getInitialDelay() {
			return this.initialDelay;
		}

		public void setInitialDelay(@Nullable Duration initialDelay) {
			this.initialDelay = initialDelay;
		}

		public @Nullable Duration getMaxDelay() {
			return this.maxDelay;
		}

		public void setMaxDelay(@Nullable Duration maxDelay) {
			this.maxDelay = maxDelay;
		}

		public @Nullable Double getFactor() {
			return this.factor;
		}

		public void setFactor(@Nullable Double factor) {
			this.factor = factor;
		}

		public @Nullable Double getJitter() {
			return this.jitter;
		}

		public void setJitter(@Nullable Double jitter) {
			this.jitter = jitter;
		}

	}

}
