/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;

import dev.informer.MutationDetection;

/**
 * What holds for every informer and handler that does not say otherwise.
 */
public class DefaultsProperties {

	/**
	 * How often handlers are told every object again though nothing has changed. 0 for
	 * never.
	 */
	private Duration resyncPeriod = Duration.ZERO;

	private final Backoff backoff = new Backoff();

	/**
	 * How many objects a page of a list may have.
	 */
	private int pageSize = 500;

	/**
	 * When the server shall end a watch at the earliest, at the latest after twice as
	 * long.
	 */
	private Duration watchTimeout = Duration.ofMinutes(5);

	/**
	 * How long a watch may be silent before its connection counts as dead, once it is
	 * known to get bookmarks.
	 */
	private Duration watchIdleTimeout = Duration.ofMinutes(3);

	/**
	 * Whether to read the state as the first events of a watch where the server can do
	 * that.
	 */
	private boolean streamingList = false;

	/**
	 * Whether objects have their managedFields, which take about a third of their memory
	 * more.
	 */
	private boolean managedFields = false;

	/**
	 * Whether the local copy can be read before it is complete for the first time.
	 */
	private boolean allowUnsyncedReads = false;

	/**
	 * What to do about code that changes the shared objects of the local copy. Costs
	 * much, for tests.
	 */
	private MutationDetection mutationDetection = MutationDetection.OFF;

	public Duration getResyncPeriod() {
		return this.resyncPeriod;
	}

	public void setResyncPeriod(Duration resyncPeriod) {
		this.resyncPeriod = resyncPeriod;
	}

	public Backoff getBackoff() {
		return this.backoff;
	}

	public int getPageSize() {
		return this.pageSize;
	}

	public void setPageSize(int pageSize) {
		this.pageSize = pageSize;
	}

	public Duration getWatchIdleTimeout() {
		return this.watchIdleTimeout;
	}

	public void setWatchIdleTimeout(Duration watchIdleTimeout) {
		this.watchIdleTimeout = watchIdleTimeout;
	}

	public boolean isStreamingList() {
		return this.streamingList;
	}

	public void setStreamingList(boolean streamingList) {
		this.streamingList = streamingList;
	}

	public boolean isManagedFields() {
		return this.managedFields;
	}

	public void setManagedFields(boolean managedFields) {
		this.managedFields = managedFields;
	}

	public boolean isAllowUnsyncedReads() {
		return this.allowUnsyncedReads;
	}

	public void setAllowUnsyncedReads(boolean allowUnsyncedReads) {
		this.allowUnsyncedReads = allowUnsyncedReads;
	}

	public MutationDetection getMutationDetection() {
		return this.mutationDetection;
	}

	public void setMutationDetection(MutationDetection mutationDetection) {
		this.mutationDetection = mutationDetection;
	}

	public Duration getWatchTimeout() {
		return this.watchTimeout;
	}

	public void setWatchTimeout(Duration watchTimeout) {
		this.watchTimeout = watchTimeout;
	}

	/**
	 * How long to wait between attempts that fail.
	 */
	public static class Backoff {

		/**
		 * First delay.
		 */
		private Duration initial = Duration.ofMillis(800);

		/**
		 * Longest delay, before the jitter.
		 */
		private Duration max = Duration.ofSeconds(30);

		/**
		 * By how much a delay is longer than the one before. At least 1.
		 */
		private double factor = 2.0;

		/**
		 * Largest random share of the delay on top of it. 0 for none.
		 */
		private double jitter = 1.0;

		/**
		 * How long there must be no failure before the next one waits the first delay
		 * again.
		 */
		private Duration resetAfter = Duration.ofMinutes(2);

		public Duration getInitial() {
			return this.initial;
		}

		public void setInitial(Duration initial) {
			this.initial = initial;
		}

		public Duration getMax() {
			return this.max;
		}

		public void setMax(Duration max) {
			this.max = max;
		}

		public double getFactor() {
			return this.factor;
		}

		public void setFactor(double factor) {
			this.factor = factor;
		}

		public double getJitter() {
			return this.jitter;
		}

		public void setJitter(double jitter) {
			this.jitter = jitter;
		}

		public Duration getResetAfter() {
			return this.resetAfter;
		}

		public void setResetAfter(Duration resetAfter) {
			this.resetAfter = resetAfter;
		}

	}

}
