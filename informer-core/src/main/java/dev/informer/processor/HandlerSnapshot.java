/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.informer.DeliveryDiagnosis.Delivery;
import dev.informer.client.Moment;
import dev.informer.processor.DeliveryRecords.Exhausted;
import dev.informer.processor.HandlerQueue.Pause;
import dev.informer.processor.QueueEntry.State;
import dev.informer.support.UntrustedText;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * State of a handler, and of one object in it, at one moment.
 *
 * @param threadMissing whether a thread could not be started
 * @param busy the number of busy threads
 * @param delivering the objects that are being delivered, the longest delivery first
 * @param deliveringSince the time at which the first of these deliveries began
 * @param size the number of pending events
 * @param delayed the number of objects that wait for a retry
 * @param exhausted the keys of the objects with an exhausted delivery, the latest one
 * last
 * @param held the number of objects that the gate holds
 */
record HandlerSnapshot<T extends KubernetesObject>(boolean removed, Map<PauseReason, Pause> pauses,
		boolean threadMissing, int busy, List<String> delivering, @Nullable Instant deliveringSince, int size,
		int delayed, @Nullable Instant nextRetry, List<String> exhausted, int held, InQueue<T> object) {

	/**
	 * Take a snapshot. The caller holds the lock of the threads.
	 */
	static <T extends KubernetesObject> HandlerSnapshot<T> of(WorkerThreads<?> threads, HandlerQueue<T> queue,
			DeliveryRecords<T> records, InQueue<T> object, Moment now) {
		List<QueueEntry<T>> delayed = queue.delayed();
		List<QueueEntry<T>> delivering = queue.entries()
			.stream()
			.filter((entry) -> entry.state() == State.DELIVERING)
			.sorted(QueueEntry::compareStart)
			.toList();
		return new HandlerSnapshot<>(threads.isRemoved(), queue.pauses(), threads.isThreadMissing(), threads.busy(),
				delivering.stream().map((entry) -> UntrustedText.of(entry.key())).toList(),
				delivering.isEmpty() ? null : instant(delivering.get(0).startedAt(), now), queue.size(), delayed.size(),
				delayed.isEmpty() ? null : instant(delayed.get(0).retryAt(), now),
				records.exhaustedKeys().stream().map(UntrustedText::of).toList(), queue.heldSize(), object);
	}

	private static Instant instant(long nanos, Moment now) {
		return now.time().plusNanos(nanos - now.nanoTime());
	}

	/**
	 * Takes snapshots of a handler.
	 */
	@FunctionalInterface
	interface Source<T extends KubernetesObject> {

		/**
		 * Take a snapshot. Called without a lock.
		 * @param cached the delivery of nothing, if the object is not in the queue
		 */
		HandlerSnapshot<T> take(String key, PendingDelivery<T> cached, Moment now);

	}

	/**
	 * Object in the queue.
	 *
	 * @param next the next delivery, from the last delivered to the current state
	 * @param since the time at which the delivery began or the event was received;
	 * {@code null} if no event is pending
	 * @param delivery the last delivery; {@code null} if it is not recorded
	 */
	record InQueue<T extends KubernetesObject>(State state, PendingDelivery<T> next, int failedAttempts,
			@Nullable Instant nextAttempt, @Nullable Instant since, @Nullable Delivery delivery,
			@Nullable Exhausted<T> exhausted) {

		/**
		 * Return the state of an object. The caller holds the lock of the threads.
		 * @param cached the delivery of nothing, if there is no entry
		 */
		static <T extends KubernetesObject> InQueue<T> of(@Nullable QueueEntry<T> entry, PendingDelivery<T> cached,
				@Nullable Delivery delivery, @Nullable Exhausted<T> exhausted, Moment now) {
			if (entry == null) {
				return new InQueue<>(State.IDLE, cached, 0, null, null, delivery, exhausted);
			}
			Instant since = switch (entry.state()) {
				case DELIVERING -> instant(entry.startedAt(), now);
				case READY, DELAYED, HELD -> instant(entry.receivedNanos(), now);
				case IDLE -> null;
			};
			return new InQueue<>(entry.state(), entry.next(cached.current()), entry.attempts(),
					(entry.state() == State.DELAYED) ? instant(entry.retryAt(), now) : null, since, delivery,
					exhausted);
		}

		boolean isPending() {
			return this.state != State.IDLE;
		}

	}

}
