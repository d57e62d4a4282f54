/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.client.TimeSource;
import dev.informer.work.StateLock;
import org.jspecify.annotations.Nullable;

/**
 * Latch of one informer, for threads that wait until it has synced, has reached a
 * resource version, has failed permanently, or is closed.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The fields are written under the {@link StateLock},
 * and read by waiting threads under it.
 */
final class SyncLatch {

	private final StateLock lock;

	private final String informer;

	private final Runnable settled;

	private volatile boolean synced;

	private volatile @Nullable InformerFailure failure;

	private volatile boolean closed;

	private final List<Runnable> followers = new CopyOnWriteArrayList<>();

	/**
	 * Create a latch. {@code settled} is called for the sync, a permanent failure, or the
	 * end.
	 */
	SyncLatch(StateLock lock, String informer, Runnable settled) {
		this.lock = lock;
		this.informer = informer;
		this.settled = settled;
	}

	/**
	 * Wait until several informers have synced, apart from those that are closed, and
	 * return whether all of them have synced.
	 * @throws InformerFailedException as soon as one of them has failed permanently
	 */
	static boolean awaitAll(StateLock lock, Collection<SyncLatch> latches, Duration timeout)
			throws InterruptedException {
		lock.await(() -> latches.stream().allMatch((latch) -> latch.synced || latch.closed)
				|| latches.stream().anyMatch(SyncLatch::hasFailed), TimeSource.nanos(timeout));
		latches.forEach(SyncLatch::throwIfFailed);
		return latches.stream().allMatch((latch) -> latch.synced || latch.closed);
	}

	/**
	 * Return the exception for waits for a handler of an informer that is closed or has
	 * failed permanently; {@code null} if the handler may still sync.
	 */
	@Nullable RuntimeException refusal(String handler) {
		if (this.closed) {
			return new IllegalStateException("Cannot wait for handler '" + handler + "': informer '" + this.informer
					+ "' is closed. Create another one.");
		}
		InformerFailure current = this.failure;
		return (current != null && !this.synced) ? new InformerFailedException(this.informer, current) : null;
	}

	boolean isSynced() {
		return this.synced;
	}

	/**
	 * Return whether waiting for the sync is over: the informer has synced, has failed
	 * permanently, or is closed.
	 */
	boolean isSettled() {
		return this.synced || this.failure != null || this.closed;
	}

	/**
	 * Record that the informer has synced. After a failure it has to be called again.
	 */
	void synced() {
		this.lock.change(() -> this.synced = true);
		this.settled.run();
	}

	/**
	 * Record that the informer has failed permanently, or with {@code null} that it was
	 * started again.
	 */
	void failed(@Nullable InformerFailure failure) {
		this.lock.change(() -> this.failure = failure);
		if (failure != null) {
			this.settled.run();
		}
		this.followers.forEach(Runnable::run);
	}

	@Nullable InformerFailure failure() {
		return this.failure;
	}

	/**
	 * Record that the informer is closed, so that nothing it has not reached will come.
	 */
	void close() {
		this.lock.change(() -> this.closed = true);
		this.settled.run();
	}

	/**
	 * Record that the cache may have changed.
	 */
	void changed() {
		this.lock.change(() -> {
		});
		this.followers.forEach(Runnable::run);
	}

	/**
	 * Add a callback for changes of the cache and failures. It must not wait.
	 */
	void follow(Runnable follower) {
		this.followers.add(follower);
	}

	void unfollow(Runnable follower) {
		this.followers.remove(follower);
	}

	boolean isFollowed() {
		return !this.followers.isEmpty();
	}

	/**
	 * Wait until a predicate holds, which becomes true only together with a change of the
	 * cache, and return whether it has held. It may be false again by then: a watch that
	 * ends leaves the versions of the cache unverified for a moment.
	 * @throws InformerFailedException as soon as the informer has failed permanently
	 */
	boolean await(BooleanSupplier reached, Duration timeout) throws InterruptedException {
		AtomicBoolean held = new AtomicBoolean();
		this.lock.await(() -> {
			held.set(held.get() || reached.getAsBoolean());
			return held.get() || this.failure != null || this.closed;
		}, TimeSource.nanos(timeout));
		throwIfFailed();
		return held.get();
	}

	private boolean hasFailed() {
		return this.failure != null && !this.closed;
	}

	private void throwIfFailed() {
		InformerFailure current = this.failure;
		if (current != null && !this.closed) {
			throw new InformerFailedException(this.informer, current);
		}
	}

}
