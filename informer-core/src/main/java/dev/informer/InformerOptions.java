/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What an informer looks at and how. Immutable.
 *
 * @param name its name in logs, metrics and thread names; {@code null} for the plural of
 * the resource, with {@code -metadata} where it is about the metadata alone
 * @param namespaces the namespaces to look at; empty for all of them
 * @param labelSelector which labels the objects must have; {@code null} for any
 * @param fieldSelector which fields the objects must have; {@code null} for any
 * @param pageSize how many objects a page of a list may have; at least 1
 * @param watchTimeout when the server shall end a watch at the earliest, at the latest
 * after twice as long
 * @param watchIdleTimeout how long a watch may be silent before its connection counts as
 * dead, once it is known to get bookmarks
 * @param streamingList whether the state is read as the first events of a watch where the
 * server can do that
 * @param backoff how long to wait between attempts that fail
 * @param managedFields whether the objects have their {@code managedFields}
 * @param allowUnsyncedReads whether the local copy can be read before it is complete for
 * the first time
 * @param mutationDetection what to do about code that changes objects of the local copy
 */
public record InformerOptions(@Nullable String name, List<String> namespaces, @Nullable String labelSelector,
		@Nullable String fieldSelector, int pageSize, Duration watchTimeout, Duration watchIdleTimeout,
		boolean streamingList, BackoffPolicy backoff, boolean managedFields, boolean allowUnsyncedReads,
		MutationDetection mutationDetection) {

	/**
	 * All namespaces, no selectors, pages of 500, watches of five to ten minutes, three
	 * minutes of silence, no streaming lists (they were measured to take a quarter to a
	 * third more processor time), {@link BackoffPolicy#DEFAULT}, no managed fields, no
	 * reading before the first sync, no detection of mutations.
	 */
	public static final InformerOptions DEFAULT = new InformerOptions(null, List.of(), null, null, 500,
			Duration.ofMinutes(5), Duration.ofMinutes(3), false, BackoffPolicy.DEFAULT, false, false,
			MutationDetection.OFF);

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one of them makes no sense
	 */
	public InformerOptions {
		namespaces = namespaces.stream().distinct().sorted().toList();
		if (namespaces.stream().anyMatch(String::isBlank)) {
			throw new IllegalArgumentException("A namespace of an informer must not be empty; "
					+ "for all namespaces leave the list of namespaces empty");
		}
		if (pageSize < 1) {
			throw new IllegalArgumentException("The page size of an informer must be at least 1, not " + pageSize);
		}
		if (watchTimeout.toSeconds() < 1) {
			throw new IllegalArgumentException(
					"The watch timeout of an informer must be at least 1 s, not " + watchTimeout);
		}
		if (watchIdleTimeout.toSeconds() < 1) {
			throw new IllegalArgumentException(
					"The idle timeout of an informer must be at least 1 s, not " + watchIdleTimeout);
		}
	}

	/**
	 * Collects the options of one informer. Not thread-safe.
	 */
	@SuppressWarnings("NullAway.Init")
	public static final class Builder {

		private @Nullable String name;

		private List<String> namespaces;

		private @Nullable String labelSelector;

		private @Nullable String fieldSelector;

		private int pageSize;

		private Duration watchTimeout;

		private Duration watchIdleTimeout;

		private boolean streamingList;

		private BackoffPolicy backoff;

		private boolean managedFields;

		private boolean allowUnsyncedReads;

		private MutationDetection mutationDetection;

		/**
		 * Starts from what the given options say.
		 * @param options the defaults
		 */
		public Builder(InformerOptions options) {
			from(options);
		}

		/**
		 * Sets everything as the given options say.
		 * @param options the options
		 * @return this builder
		 */
		public Builder from(InformerOptions options) {
			this.name = options.name();
			this.namespaces = options.namespaces();
			this.labelSelector = options.labelSelector();
			this.fieldSelector = options.fieldSelector();
			this.pageSize = options.pageSize();
			this.watchTimeout = options.watchTimeout();
			this.watchIdleTimeout = options.watchIdleTimeout();
			this.streamingList = options.streamingList();
			this.backoff = options.backoff();
			this.managedFields = options.managedFields();
			this.allowUnsyncedReads = options.allowUnsyncedReads();
			this.mutationDetection = options.mutationDetection();
			return this;
		}

		/**
		 * Sets the name, which is unique within the factory.
		 * @param name the name
		 * @return this builder
		 */
		public Builder name(@Nullable String name) {
			this.name = name;
			return this;
		}

		/**
		 * Sets the namespaces to look at.
		 * @param namespaces the namespaces; none for all of them
		 * @return this builder
		 */
		public Builder namespaces(String... namespaces) {
			this.namespaces = List.of(namespaces);
			return this;
		}

		/**
		 * Sets which labels the objects must have. An object that does not match any more
		 * is told as deleted.
		 * @param labelSelector a selector as {@code kubectl -l} takes it
		 * @return this builder
		 */
		public Builder labelSelector(@Nullable String labelSelector) {
			this.labelSelector = labelSelector;
			return this;
		}

		/**
		 * Sets which fields the objects must have. An object that does not match any more
		 * is told as deleted. Which fields can be selected on depends on the resource.
		 * @param fieldSelector a selector as {@code kubectl --field-selector} takes it
		 * @return this builder
		 */
		public Builder fieldSelector(@Nullable String fieldSelector) {
			this.fieldSelector = fieldSelector;
			return this;
		}

		/**
		 * Sets how many objects a page of a list may have.
		 * @param pageSize the size; at least 1
		 * @return this builder
		 */
		public Builder pageSize(int pageSize) {
			this.pageSize = pageSize;
			return this;
		}

		/**
		 * Sets when the server shall end a watch. The time asked for is random between
		 * this and twice this, so that many clients do not come back at once.
		 * @param watchTimeout the shortest time; at least one second
		 * @return this builder
		 */
		public Builder watchTimeout(Duration watchTimeout) {
			this.watchTimeout = watchTimeout;
			return this;
		}

		/**
		 * Sets how long a watch may be silent. Servers send a bookmark a minute for most
		 * resources; the limit holds once one was seen.
		 * @param watchIdleTimeout the limit; at least one second
		 * @return this builder
		 */
		public Builder watchIdleTimeout(Duration watchIdleTimeout) {
			this.watchIdleTimeout = watchIdleTimeout;
			return this;
		}

		/**
		 * Sets whether the state is read as the first events of a watch. Where that does
		 * not work, it is listed.
		 * @param streamingList whether to try
		 * @return this builder
		 */
		public Builder streamingList(boolean streamingList) {
			this.streamingList = streamingList;
			return this;
		}

		/**
		 * Sets how long to wait between attempts that fail.
		 * @param backoff the policy
		 * @return this builder
		 */
		public Builder backoff(BackoffPolicy backoff) {
			this.backoff = backoff;
			return this;
		}

		/**
		 * Sets whether the objects have their {@code managedFields}, which can be as
		 * large as the rest of them together and are skipped by default.
		 * @param managedFields whether to keep them
		 * @return this builder
		 */
		public Builder managedFields(boolean managedFields) {
			this.managedFields = managedFields;
			return this;
		}

		/**
		 * Sets whether the {@link Lister} gives what there is before the local copy is
		 * complete for the first time, instead of a {@link NotSyncedException}.
		 * @param allowUnsyncedReads whether to give what there is
		 * @return this builder
		 */
		public Builder allowUnsyncedReads(boolean allowUnsyncedReads) {
			this.allowUnsyncedReads = allowUnsyncedReads;
			return this;
		}

		/**
		 * Sets what to do about code that changes objects of the local copy. Looking for
		 * it is expensive, see {@link MutationDetection}: meant for tests.
		 * @param mutationDetection what to do
		 * @return this builder
		 */
		public Builder mutationDetection(MutationDetection mutationDetection) {
			this.mutationDetection = mutationDetection;
			return this;
		}

		/**
		 * Builds the options.
		 * @return the options
		 */
		public InformerOptions build() {
			return new InformerOptions(this.name, this.namespaces, this.labelSelector, this.fieldSelector,
					this.pageSize, this.watchTimeout, this.watchIdleTimeout, this.streamingList, this.backoff,
					this.managedFields, this.allowUnsyncedReads, this.mutationDetection);
		}

	}

}
