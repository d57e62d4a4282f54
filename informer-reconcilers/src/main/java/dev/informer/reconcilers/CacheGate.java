/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectState;
import dev.informer.client.TimeSource;
import dev.informer.work.FollowedCache;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Whether the caches of a reconciler are fit for a call: each informer follows the
 * server, and is as new as a list that began after the takeover. A takeover is a term of
 * the gate, in which other processes may have written before, or another epoch of an
 * informer, in which the versions of earlier writes mean nothing.
 * <p>
 * <b>Concurrency.</b> Guarded by the lock of {@link WorkerThreads}, apart from
 * {@link #compare}.
 */
final class CacheGate {

	/** After this time the caches are compared with another list. */
	private static final long REPEAT_NANOS = Duration.ofSeconds(10).toNanos();

	private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

	private final List<SharedIndexInformer<?>> informers;

	private final List<FollowedCache> caches;

	private final TimeSource time;

	/** The latest term that a key has asked for. */
	private long wantedTerm;

	private long provenTerm;

	private long provenEpochs;

	private @Nullable Proof proof;

	private boolean comparing;

	/** Time before which no comparison begins. */
	private long nextComparison;

	CacheGate(List<SharedIndexInformer<?>> informers, TimeSource time) {
		this.informers = informers;
		this.caches = informers.stream().<FollowedCache>map(FollowedCache::of).toList();
		this.time = time;
		this.nextComparison = time.nanoTime();
	}

	/**
	 * Return whether each informer follows the server.
	 */
	boolean isFollowing() {
		return this.caches.stream().allMatch(FollowedCache::isFollowing);
	}

	/**
	 * Return whether calls may begin, apart from {@link #admits(long)}.
	 */
	boolean isOpen() {
		return isFollowing() && epochs() == this.provenEpochs;
	}

	/** Each of them only grows. */
	private long epochs() {
		return this.caches.stream().mapToLong(FollowedCache::epoch).sum();
	}

	/**
	 * Return whether calls of a term may begin, and compare the caches if not.
	 */
	boolean admits(long term) {
		this.wantedTerm = Math.max(this.wantedTerm, term);
		return term <= this.provenTerm;
	}

	/**
	 * Return whether calls of the latest term may not begin.
	 */
	boolean isTermPending() {
		return this.wantedTerm > this.provenTerm;
	}

	/**
	 * Return why no call may begin, for a diagnosis; {@code null} if calls may.
	 */
	@Nullable String reason() {
		for (int i = 0; i < this.caches.size(); i++) {
			if (!this.caches.get(i).isFollowing()) {
				return "Informer '" + this.informers.get(i).name() + "' compares its cache with the server";
			}
		}
		return isTakingOver() ? "The caches have to be as new as the server was after a takeover" : null;
	}

	private boolean isTakingOver() {
		return isTermPending() || epochs() != this.provenEpochs;
	}

	/**
	 * Complete the takeover if the caches are as new as the list, and return whether they
	 * have become so.
	 */
	boolean update() {
		Proof current = this.proof;
		if (current == null || !isFollowing()) {
			return false;
		}
		boolean other = current.epochs != epochs();
		boolean complete = !other && current.isComplete();
		if (complete) {
			this.provenTerm = Math.max(this.provenTerm, current.term);
			this.provenEpochs = current.epochs;
		}
		if (other || complete || this.time.nanoTime() - current.since >= REPEAT_NANOS) {
			this.proof = null;
		}
		return complete;
	}

	/**
	 * Return the comparison that is to begin now. {@link #compare} has to follow.
	 * @return the comparison; {@code null} for none
	 */
	@Nullable Proof takeComparison() {
		if (!isTakingOver() || this.comparing || this.proof != null || !isFollowing()
				|| this.nextComparison - this.time.nanoTime() > 0) {
			return null;
		}
		this.comparing = true;
		return new Proof(this.wantedTerm, epochs(), this.time.nanoTime());
	}

	/**
	 * List what the informers select. Blocks.
	 */
	void compare(Proof next, LookUps lookUps, WorkerThreads<?> threads) {
		boolean listed = false;
		try {
			for (SharedIndexInformer<?> informer : this.informers) {
				next.list(informer, lookUps);
			}
			listed = true;
		}
		catch (IOException | RuntimeException ex) {
			lookUps.failed(ex);
		}
		finally {
			boolean complete = listed;
			threads.locked(() -> {
				this.comparing = false;
				this.proof = complete ? next : null;
				this.nextComparison = this.time.nanoTime() + (complete ? 0 : RETRY_NANOS);
			});
		}
	}

	/**
	 * Lists that began after a takeover, and the caches that are to be as new.
	 */
	static final class Proof {

		private final long term;

		private final long epochs;

		private final long since;

		private final List<Part> parts = new ArrayList<>();

		private Proof(long term, long epochs, long since) {
			this.term = term;
			this.epochs = epochs;
			this.since = since;
		}

		private void list(SharedIndexInformer<?> informer, LookUps lookUps) throws IOException {
			FollowedCache cache = FollowedCache.of(informer);
			for (String namespace : informer.statesByNamespace().keySet()) {
				Map<String, @Nullable String> gone = new HashMap<>();
				cache.states(namespace).forEach((state) -> gone.put(String.valueOf(state.key()), state.uid()));
				String before = cache.isFollowing() ? informer.lastSyncResourceVersion() : "";
				ListedObjects listed = lookUps.list(cache, namespace, gone.keySet());
				if (ListedObjects.isBefore(listed.version(), before)) {
					informer.relist("its reconciler, as the server is at an earlier version");
				}
				gone.keySet().removeIf((key) -> listed.find(key) != null);
				this.parts.add(new Part(informer, listed, gone));
			}
		}

		private boolean isComplete() {
			this.parts.removeIf(Part::isReached);
			return this.parts.isEmpty();
		}

	}

	/**
	 * What a cache has to reach.
	 *
	 * @param gone the UIDs of objects that were cached, but not listed, by key
	 */
	private record Part(SharedIndexInformer<?> informer, ListedObjects listed, Map<String, @Nullable String> gone) {

		private boolean isReached() {
			FollowedCache cache = FollowedCache.of(this.informer);
			if (this.listed.isReachedBy(cache)) {
				return true;
			}
			this.gone.entrySet().removeIf((entry) -> {
				KubernetesObject cached = cache.find(entry.getKey());
				return cached == null || !String.valueOf(entry.getValue()).equals(ObjectState.of(cached).uid());
			});
			return this.gone.isEmpty() && this.listed.isContainedIn(cache);
		}

	}

}
