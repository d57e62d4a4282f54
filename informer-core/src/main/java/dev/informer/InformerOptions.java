/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import dev.informer.client.TimeSource;
import dev.informer.support.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * Options of an informer. Immutable.
 *
 * @param name the name in logs, metrics and thread names; {@code null} for the plural of
 * the resource, with the suffix {@code -metadata} for a metadata-only informer
 * @param namespaces the namespaces to watch; empty for all namespaces
 * @param namespaceSelector the label selector of the namespaces to watch, which join and
 * leave while the informer runs; {@code null} for none
 * @param maxSelectedNamespaces the maximum number of namespaces that the namespace
 * selector may select; at least 1
 * @param watchedSet the objects to cache, which may change; {@code null} for all
 * @param labelSelector the label selector; {@code null} for none
 * @param fieldSelector the field selector; {@code null} for none
 * @param maxSize the maximum size of all objects in bytes, as they are received; 0 for no
 * limit
 * @param pageSize the maximum number of objects in a page of a list; at least 1
 * @param watchTimeout the minimum duration of a watch request. The actual duration is
 * random, up to twice as long
 * @param watchIdleTimeout the maximum time without events or bookmarks after which the
 * connection of a watch counts as dead; applies once the watch is known to receive
 * bookmarks
 * @param streamingList whether to read lists as the initial events of a watch where the
 * server supports it
 * @param watch whether to watch, or to list again at intervals
 * @param pollInterval the time between two lists without a watch
 * @param backoff the backoff between failed attempts
 * @param managedFields whether to keep {@code metadata.managedFields}
 * @param shareValues whether objects share equal parts
 * @param allowUnsyncedReads whether the cache can be read before the first sync
 * @param mutationDetection the reaction to code that modifies cached objects
 * @param encoding the encoding to request
 */
public record InformerOptions(@Nullable String name, List<String> namespaces, @Nullable String namespaceSelector,
		int maxSelectedNamespaces, @Nullable WatchedSet watchedSet, @Nullable String labelSelector,
		@Nullable String fieldSelector, long maxSize, int pageSize, Duration watchTimeout, Duration watchIdleTimeout,
		boolean streamingList, boolean watch, Duration pollInterval, BackoffPolicy backoff, boolean managedFields,
		boolean shareValues, boolean allowUnsyncedReads, MutationDetection mutationDetection, Encoding encoding) {

	/**
	 * Defaults: all namespaces, no selectors, at most 100 selected namespaces, no limit
	 * of the size, pages of 500 objects, watches of 5 to 10 minutes, an idle timeout of 3
	 * minutes, no streaming lists (measured to take a quarter to a third more processor
	 * time), a watch, intervals of 30 seconds without one, {@link BackoffPolicy#DEFAULT},
	 * no managed fields, shared values, no reads before the first sync, no mutation
	 * detection, {@link Encoding#AUTO}.
	 */
	public static final InformerOptions DEFAULT = new InformerOptions(null, List.of(), null, 100, null, null, null, 0,
			500, Duration.ofMinutes(5), Duration.ofMinutes(3), false, true, Duration.ofSeconds(30),
			BackoffPolicy.DEFAULT, false, true, false, MutationDetection.OFF, Encoding.AUTO);

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]+");

	/**
	 * Validate the values.
	 * @throws IllegalArgumentException if a value is invalid
	 */
	public InformerOptions {
		namespaces = namespaces.stream().distinct().sorted().toList();
		if (namespaces.stream().anyMatch(String::isBlank)) {
			throw new InvalidOptionException("namespaces",
					"must not contain an empty name; " + "for all namespaces leave the list of namespaces empty");
		}
		namespaces.stream().filter((namespace) -> !Arguments.isNamespace(namespace)).findFirst().ifPresent((other) -> {
			throw new InvalidOptionException("namespaces", "must not contain '" + other
					+ "': the name of a namespace has at most 63 lowercase letters, digits and '-'");
		});
		if (name != null && !NAME.matcher(name).matches()) {
			throw new InvalidOptionException("name",
					"cannot be '" + name + "'; use letters, digits, '-', '_' and '.', such as webpods");
		}
		if (namespaceSelector != null && namespaceSelector.isBlank()) {
			throw new InvalidOptionException("namespace-selector",
					"must not be empty; for all namespaces leave it out");
		}
		if (namespaceSelector != null && !namespaces.isEmpty()) {
			throw new InvalidOptionException("namespace-selector", "cannot be '" + namespaceSelector
					+ "' because the namespaces " + namespaces + " are set as well; set one of the two");
		}
		if (maxSelectedNamespaces < 1) {
			throw new InvalidOptionException("max-selected-namespaces",
					"must be at least 1, not " + maxSelectedNamespaces);
		}
		if (namespaceSelector != null && watchedSet != null) {
			throw new InvalidOptionException("namespace-selector",
					"cannot be '" + namespaceSelector + "' for the " + watchedSet + "; set one of the two");
		}
		if (maxSize < 0) {
			throw new InvalidOptionException("max-size", "must not be negative, but is " + maxSize + " bytes");
		}
		if (pageSize < 1) {
			throw new InvalidOptionException("page-size", "must be at least 1, not " + pageSize);
		}
		if (watchTimeout.toSeconds() < 1) {
			throw new InvalidOptionException("watch-timeout",
					"must be at least 1000 ms, but is " + TimeSource.millis(watchTimeout) + " ms");
		}
		if (watchIdleTimeout.toSeconds() < 1) {
			throw new InvalidOptionException("watch-idle-timeout",
					"must be at least 1000 ms, but is " + TimeSource.millis(watchIdleTimeout) + " ms");
		}
		if (pollInterval.toSeconds() < 1) {
			throw new InvalidOptionException("poll-interval",
					"must be at least 1000 ms, but is " + TimeSource.millis(pollInterval) + " ms");
		}
	}

	/**
	 * Builder of the options of one informer. Not thread-safe.
	 */
	@SuppressWarnings("NullAway.Init")
	public static final class Builder {

		private @Nullable String name;

		private List<String> namespaces;

		private @Nullable String namespaceSelector;

		private int maxSelectedNamespaces;

		private @Nullable WatchedSet watchedSet;

		private @Nullable String labelSelector;

		private @Nullable String fieldSelector;

		private long maxSize;

		private int pageSize;

		private Duration watchTimeout;

		private Duration watchIdleTimeout;

		private boolean streamingList;

		private boolean watch;

		private Duration pollInterval;

		private BackoffPolicy backoff;

		private boolean managedFields;

		private boolean shareValues;

		private boolean allowUnsyncedReads;

		private MutationDetection mutationDetection;

		private Encoding encoding;

		/**
		 * Create a builder with the values of the given options.
		 * @param options the options
		 */
		public Builder(InformerOptions options) {
			from(options);
		}

		/**
		 * Set all values from the given options.
		 * @param options the options
		 * @return this builder
		 */
		public Builder from(InformerOptions options) {
			this.name = options.name();
			this.namespaces = options.namespaces();
			this.namespaceSelector = options.namespaceSelector();
			this.maxSelectedNamespaces = options.maxSelectedNamespaces();
			this.watchedSet = options.watchedSet();
			this.labelSelector = options.labelSelector();
			this.fieldSelector = options.fieldSelector();
			this.maxSize = options.maxSize();
			this.pageSize = options.pageSize();
			this.watchTimeout = options.watchTimeout();
			this.watchIdleTimeout = options.watchIdleTimeout();
			this.streamingList = options.streamingList();
			this.watch = options.watch();
			this.pollInterval = options.pollInterval();
			this.backoff = options.backoff();
			this.managedFields = options.managedFields();
			this.shareValues = options.shareValues();
			this.allowUnsyncedReads = options.allowUnsyncedReads();
			this.mutationDetection = options.mutationDetection();
			this.encoding = options.encoding();
			return this;
		}

		/**
		 * Set the name, which is unique within the factory.
		 * @param name the name; {@code null} for the default
		 * @return this builder
		 */
		public Builder name(@Nullable String name) {
			this.name = name;
			return this;
		}

		/**
		 * Set the namespaces to watch.
		 * @param namespaces the namespaces; none for all namespaces
		 * @return this builder
		 */
		public Builder namespaces(String... namespaces) {
			this.namespaces = List.of(namespaces);
			return this;
		}

		/**
		 * Set the label selector of the namespaces to watch, in place of their names. A
		 * namespace that begins to match is listed and watched without a relist of
		 * others. The objects of one that ceases to match, or is deleted, are delivered
		 * as deleted. The informer needs the verbs list and watch on namespaces, and
		 * permissions in the namespaces that match, but none for all namespaces.
		 * @param namespaceSelector a selector in the syntax of {@code kubectl -l};
		 * {@code null} for none
		 * @return this builder
		 * @see SharedIndexInformer#namespaceInformer()
		 */
		public Builder namespaceSelector(@Nullable String namespaceSelector) {
			this.namespaceSelector = namespaceSelector;
			return this;
		}

		/**
		 * Set the maximum number of namespaces that the namespace selector may select.
		 * Each of them takes a list, a watch and a thread. Those beyond the maximum are
		 * not watched: the informer keeps the namespaces that it has, and takes others in
		 * the order of their names. As long as some are omitted, the
		 * {@linkplain SharedIndexInformer#state() state} of the informer has a failure.
		 * Has no effect on {@link #namespaces(String...)}.
		 * @param maxSelectedNamespaces the maximum; at least 1
		 * @return this builder
		 * @see SharedIndexInformer#omittedNamespaces()
		 */
		public Builder maxSelectedNamespaces(int maxSelectedNamespaces) {
			this.maxSelectedNamespaces = maxSelectedNamespaces;
			return this;
		}

		/**
		 * Set the objects to cache, beside namespaces and selectors, where they change
		 * while the informer runs.
		 * @param watchedSet the objects; {@code null} for all
		 * @return this builder
		 */
		public Builder watchedSet(@Nullable WatchedSet watchedSet) {
			this.watchedSet = watchedSet;
			return this;
		}

		/**
		 * Set the label selector. An object that no longer matches is delivered as
		 * deleted.
		 * @param labelSelector a selector in the syntax of {@code kubectl -l}
		 * @return this builder
		 */
		public Builder labelSelector(@Nullable String labelSelector) {
			this.labelSelector = labelSelector;
			return this;
		}

		/**
		 * Set the field selector. An object that no longer matches is delivered as
		 * deleted. The supported fields depend on the resource.
		 * @param fieldSelector a selector in the syntax of
		 * {@code kubectl --field-selector}
		 * @return this builder
		 */
		public Builder fieldSelector(@Nullable String fieldSelector) {
			this.fieldSelector = fieldSelector;
			return this;
		}

		/**
		 * Set the maximum size of all objects, those of all namespaces together, as the
		 * server sends them: JSON or protobuf, after decompression, with managed fields
		 * and before a transform. Their heap may be a multiple of that. A list or a watch
		 * that would exceed it ends, and the informer keeps the objects that it has. It
		 * is failing, and lists again with its backoff, until the objects are within the
		 * limit.
		 * @param maxSize the size in bytes; 0 for no limit
		 * @return this builder
		 */
		public Builder maxSize(long maxSize) {
			this.maxSize = maxSize;
			return this;
		}

		/**
		 * Set the maximum number of objects in a page of a list.
		 * @param pageSize the size; at least 1
		 * @return this builder
		 */
		public Builder pageSize(int pageSize) {
			this.pageSize = pageSize;
			return this;
		}

		/**
		 * Set the minimum duration of a watch request. The requested duration is random
		 * between this value and twice this value, so that many clients do not reconnect
		 * at once.
		 * @param watchTimeout the minimum duration; at least one second
		 * @return this builder
		 */
		public Builder watchTimeout(Duration watchTimeout) {
			this.watchTimeout = watchTimeout;
			return this;
		}

		/**
		 * Set the idle timeout of watches. Servers send a bookmark once a minute for most
		 * resources; the timeout applies once a bookmark has been received.
		 * @param watchIdleTimeout the timeout; at least one second
		 * @return this builder
		 */
		public Builder watchIdleTimeout(Duration watchIdleTimeout) {
			this.watchIdleTimeout = watchIdleTimeout;
			return this;
		}

		/**
		 * Set whether to read lists as the initial events of a watch. Where the server
		 * does not support that, LIST requests are used. A stream that the server has
		 * opened and that breaks before its end is followed by a LIST request at once,
		 * and the next list is a stream again: what breaks streams, such as the timeout
		 * of a proxy, is likely to break the next one, too, and pages make progress.
		 * @param streamingList whether to use streaming lists
		 * @return this builder
		 */
		public Builder streamingList(boolean streamingList) {
			this.streamingList = streamingList;
			return this;
		}

		/**
		 * Set whether to watch. Without a watch, the informer polls: it lists at
		 * {@linkplain #pollInterval(Duration) intervals}, and handlers receive the
		 * differences. States between two lists are not seen. For resources that the
		 * server lists and does not watch, such as those of {@code metrics.k8s.io}.
		 * @param watch whether to watch
		 * @return this builder
		 */
		public Builder watch(boolean watch) {
			this.watch = watch;
			return this;
		}

		/**
		 * Set the time between two lists without a watch, to which a random tenth is
		 * added. While a thread or a reconciler waits for the cache, the informer lists
		 * every 5 seconds. Has no effect on an informer that watches.
		 * @param pollInterval the time; at least one second
		 * @return this builder
		 */
		public Builder pollInterval(Duration pollInterval) {
			this.pollInterval = pollInterval;
			return this;
		}

		/**
		 * Set the backoff between failed attempts.
		 * @param backoff the policy
		 * @return this builder
		 */
		public Builder backoff(BackoffPolicy backoff) {
			this.backoff = backoff;
			return this;
		}

		/**
		 * Set whether to keep {@code metadata.managedFields}, which can be as large as
		 * the rest of an object and are skipped by default.
		 * @param managedFields whether to keep them
		 * @return this builder
		 */
		public Builder managedFields(boolean managedFields) {
			this.managedFields = managedFields;
			return this;
		}

		/**
		 * Set whether objects share equal parts, such as the environment of the
		 * containers of one workload. Code that modifies an object of the cache modifies
		 * all others with that part, and those that are received later. An informer with
		 * a transform shares nothing, because the transform may modify what it gets.
		 * @param shareValues whether to share
		 * @return this builder
		 */
		public Builder shareValues(boolean shareValues) {
			this.shareValues = shareValues;
			return this;
		}

		/**
		 * Set whether the {@link Lister} can be read before the first sync, instead of
		 * throwing a {@link NotSyncedException}.
		 * @param allowUnsyncedReads whether reads are allowed
		 * @return this builder
		 */
		public Builder allowUnsyncedReads(boolean allowUnsyncedReads) {
			this.allowUnsyncedReads = allowUnsyncedReads;
			return this;
		}

		/**
		 * Set the reaction to code that modifies cached objects. Detection is expensive,
		 * see {@link MutationDetection}; use it in tests.
		 * @param mutationDetection the reaction
		 * @return this builder
		 */
		public Builder mutationDetection(MutationDetection mutationDetection) {
			this.mutationDetection = mutationDetection;
			return this;
		}

		/**
		 * Set the encoding to request.
		 * @param encoding the encoding
		 * @return this builder
		 */
		public Builder encoding(Encoding encoding) {
			this.encoding = encoding;
			return this;
		}

		/**
		 * Build the options.
		 * @return the options
		 */
		public InformerOptions build() {
			return new InformerOptions(this.name, this.namespaces, this.namespaceSelector, this.maxSelectedNamespaces,
					this.watchedSet, this.labelSelector, this.fieldSelector, this.maxSize, this.pageSize,
					this.watchTimeout, this.watchIdleTimeout, this.streamingList, this.watch, this.pollInterval,
					this.backoff, this.managedFields, this.shareValues, this.allowUnsyncedReads, this.mutationDetection,
					this.encoding);
		}

	}

}
