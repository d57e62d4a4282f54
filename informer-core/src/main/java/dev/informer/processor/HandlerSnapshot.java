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
import dev.informer.client.TimeSource;
import dev.informer.processor.DeliveryRecords.Exhausted;
import dev.informer.processor.Entry.State;
import dev.informer.processor.PauseState.Pause;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * State of a handler, and of one object in it, at one moment. Immutable.
 *
 * @param <T> the type of the objects
 * @param removed whether the handler was removed
 * @param pauses the reasons for which it is paused
 * @param threadMissing whether a thread could not be started
 * @param invocations the number of busy threads
 * @param busy the objects that are being delivered, the longest delivery first
 * @param size the number of pending events
 * @param delayed the number of objects that wait for a retry
 * @param nextRetry the time of the next retry; {@code null} for none
 * @param exhausted the keys of the objects with an exhausted delivery, the latest one
 * last
 * @param held the number of objects that the gate holds
 * @param object the object
 */
record HandlerSnapshot<T extends KubernetesObject>(boolean removed, Map<PauseReason, Pause> pauses,
		boolean threadMissing, int invocations, List<Busy> busy, int size, int delayed, @Nullable Instant nextRetry,
		List<String> exhausted, int held, InQueue<T> object) {

	/**
	 * Take a snapshot.
	 * @param listener the handler
	 * @param time the time source
	 * @param key the key of the object
	 * @param cached the cached object; {@code null} if it is not cached
	 */
	static <T extends KubernetesObject> HandlerSnapshot<T> of(ProcessorListener<T> listener, TimeSource time,
			String key, @Nullable T cached) {
		Moment now = time.moment();
		// without the lock: metadata may be code of the user
		String uid = (cached != null) ? KeyedEvent.uid(cached) : null;
		return listener.lock().get(() -> {
			HandlerQueue<T> queue = listener.pendingEvents();
			List<Entry<T>> delayed = queue.waiting().delayed();
			List<Busy> busy = queue.entries()
				.stream()
				.filter((entry) -> entry.state() == State.DELIVERING)
				.sorted(Entry::compareDue)
				.map((entry) -> new Busy(UntrustedText.of(entry.key()), instant(entry.due(), now)))
				.toList();
			Instant nextRetry = delayed.isEmpty() ? null : instant(delayed.get(0).due(), now);
			return new HandlerSnapshot<>(listener.threads().isRemoved(), listener.pauses().all(),
					listener.workers().isThreadMissing(), listener.workers().invocations(), busy, queue.size(),
					delayed.size(), nextRetry,
					listener.records().exhaustedKeys().stream().map(UntrustedText::of).toList(),
					queue.waiting().heldSize(), object(queue.find(key), listener.records(), key, cached, uid, now));
		});
	}

	private static <T extends KubernetesObject> InQueue<T> object(@Nullable Entry<T> entry, DeliveryRecords<T> records,
			String key, @Nullable T cached, @Nullable String uid, Moment now) {
		Delivery delivery = records.delivery(key);
		Exhausted<T> exhausted = records.exhausted(key);
		if (entry == null) {
			return new InQueue<>(State.IDLE, PendingDelivery.none(cached, uid), 0, null, null, delivery, exhausted);
		}
		State state = entry.state();
		Instant since = switch (state) {
			case DELIVERING -> instant(entry.due(), now);
			case READY, DELAYED, HELD -> instant(entry.pending().receivedNanos(), now);
			case IDLE -> null;
		};
		return new InQueue<>(state, entry.pending().next(cached), entry.failedAttempts(),
				(state == State.DELAYED) ? instant(entry.due(), now) : null, since, delivery, exhausted);
	}

	private static Instant instant(long nanos, Moment now) {
		return now.time().plusNanos(nanos - now.nanoTime());
	}

	/**
	 * Object that is being delivered.
	 *
	 * @param key the key of the object
	 * @param since the time at which the delivery began
	 */
	record Busy(String key, Instant since) {

	}

	/**
	 * Object in the queue.
	 *
	 * @param <T> the type of the object
	 * @param state the state
	 * @param next the next delivery, from the last delivered to the current state
	 * @param failedAttempts the number of failed attempts in a row
	 * @param nextAttempt the time of the retry; {@code null} for none
	 * @param since the time at which the delivery began or the event was received;
	 * {@code null} if no event is pending
	 * @param delivery the last delivery; {@code null} if it is not recorded
	 * @param exhausted the delivery whose retries are exhausted; {@code null} for none
	 */
	record InQueue<T extends KubernetesObject>(State state, PendingDelivery<T> next, int failedAttempts,
			@Nullable Instant nextAttempt, @Nullable Instant since, @Nullable Delivery delivery,
			@Nullable Exhausted<T> exhausted) {

		boolean isPending() {
			return this.state != State.IDLE;
		}

	}

}
