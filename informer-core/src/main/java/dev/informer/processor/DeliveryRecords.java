/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import dev.informer.DeliveryDiagnosis.Delivery;
import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.ResourceEvent;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Records of the deliveries of one handler, for diagnosis and for retries on request: the
 * last delivery of each object, and what has not been delivered because the retries are
 * exhausted. Each has a limit of {@value #LIMIT} objects, so that the memory does not
 * depend on the size of the cache: about 0.3 MB per handler for the deliveries. An
 * exhausted delivery refers to the states before and after it as well.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the lock of {@link WorkerThreads}.
 */
final class DeliveryRecords<T extends KubernetesObject> {

	/** Maximum number of objects of each kind of record. */
	static final int LIMIT = 1_000;

	private final Map<String, Delivery> deliveries = new Limited<>();

	private final Map<String, Exhausted<T>> exhausted = new Limited<>();

	/**
	 * Record the end of a delivery that is not retried.
	 * @param delivery the delivery; {@code null} if nothing was delivered, because the
	 * filter or the changes left no event
	 * @param failure the name of the class of the exception; {@code null} without one
	 */
	void ended(QueueEntry<T> entry, @Nullable Delivery delivery, @Nullable String failure, Instant now) {
		String key = entry.key();
		Exhausted<T> earlier = this.exhausted.get(key);
		if (delivery != null) {
			// again at the end: the eldest entry is the first to be removed
			this.deliveries.remove(key);
			this.deliveries.put(key, delivery);
		}
		if (failure != null) {
			PendingDelivery<T> undelivered = (earlier != null) ? earlier.and(entry.delivery()) : entry.delivery();
			this.exhausted.remove(key);
			this.exhausted.put(key, new Exhausted<>(undelivered, now, failure));
		}
		else if (earlier != null) {
			if (isEnd(delivery)) {
				this.exhausted.remove(key);
			}
			else {
				this.exhausted.put(key,
						new Exhausted<>(earlier.and(entry.delivery()), earlier.time(), earlier.failure()));
			}
		}
	}

	/**
	 * Return whether nothing remains to be retried after a delivery: it has succeeded, or
	 * the object was deleted.
	 */
	private static boolean isEnd(@Nullable Delivery delivery) {
		return delivery != null
				&& (delivery.outcome() == Outcome.HANDLED || delivery.event() == ResourceEvent.Type.DELETED);
	}

	@Nullable Delivery delivery(String key) {
		return this.deliveries.get(key);
	}

	@Nullable Exhausted<T> exhausted(String key) {
		return this.exhausted.get(key);
	}

	/**
	 * Return a copy of the keys of the objects with an exhausted delivery, the latest one
	 * last.
	 */
	Set<String> exhaustedKeys() {
		return new LinkedHashSet<>(this.exhausted.keySet());
	}

	void removeExhausted(String key) {
		this.exhausted.remove(key);
	}

	void clear() {
		this.deliveries.clear();
		this.exhausted.clear();
	}

	/**
	 * Delivery whose retries are exhausted.
	 *
	 * @param delivery the difference that was not delivered
	 * @param failure the name of the class of the exception
	 */
	record Exhausted<T extends KubernetesObject>(PendingDelivery<T> delivery, Instant time, String failure) {

		/**
		 * Return the difference that remains after a later delivery, which has not
		 * succeeded either. After the deletion of an object whose addition was not
		 * delivered it is the later one alone; after an addition that follows an
		 * undelivered deletion it is a recreation.
		 */
		PendingDelivery<T> and(PendingDelivery<T> later) {
			boolean same = this.delivery.current() != null && KeyedEvent.isSame(this.delivery.uid(), later.uid());
			if (later.current() == null || !(same || this.delivery.isDeletion())) {
				return later;
			}
			return new PendingDelivery<>(this.delivery.lastDelivered(), this.delivery.lastUid(), later.current(),
					later.uid(), this.delivery.deletion(), this.delivery.initialList(),
					this.delivery.resync() && later.resync());
		}

	}

	private static final class Limited<V> extends LinkedHashMap<String, V> {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
			return size() > LIMIT;
		}

	}

}
