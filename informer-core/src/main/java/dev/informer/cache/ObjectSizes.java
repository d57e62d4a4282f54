/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import dev.informer.client.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of the objects of a reflector, as they were received, of which those of all
 * reflectors of a store are limited. A list counts while it is read, as far as it is
 * larger than what it will replace: beside the cache, it takes the limit once more.
 * <p>
 * <b>Concurrency.</b> Thread-safe, guarded by its monitor. The thread of the reflector
 * calls all methods but {@link #close()}. The sum of all reflectors is atomic.
 */
public final class ObjectSizes<T extends KubernetesObject> {

	private static final long MEGABYTE = 1 << 20;

	private final long limit;

	private final AtomicLong total;

	/** Of the objects that were handed over and not deleted since. */
	private Sizes current = new Sizes();

	/** Of the objects of the list that is being read; {@code null} outside of one. */
	private @Nullable Sizes list;

	/** Object of the watch that has been received last, and its size. */
	private String receivedKey = "";

	private long receivedSize;

	/** Part of the total. */
	private long counted;

	private boolean closed;

	ObjectSizes(long limit, AtomicLong total) {
		this.limit = limit;
		this.total = total;
	}

	/**
	 * Begin a list, which replaces the objects when it is handed over.
	 */
	public synchronized void beginList() {
		this.list = new Sizes();
	}

	/**
	 * Forget the objects of a list that was not handed over.
	 */
	public synchronized void endList() {
		this.list = null;
		count(this.current.sum);
	}

	/**
	 * Record an object of a list or a watch, and its size.
	 * @throws SizeLimitException if the objects exceed the limit with this one
	 */
	public synchronized void received(T object, long bytes) {
		String key = ObjectKey.of(object);
		long size = this.current.sum + bytes - this.current.of(key);
		if (this.list != null) {
			this.list.put(key, bytes);
			size = Math.max(this.current.sum, this.list.sum);
		}
		else {
			this.receivedKey = key;
			this.receivedSize = bytes;
		}
		if (size > this.counted && this.total.get() + size - this.counted > this.limit) {
			throw new SizeLimitException(this.limit);
		}
		count(size);
	}

	/**
	 * Record that a delta was handed over, after its transform.
	 */
	public synchronized void handedOver(Delta<T> delta) {
		if (delta instanceof Delta.Upserted<T> change && change.key().equals(this.receivedKey)) {
			this.current.put(change.key(), this.receivedSize);
		}
		else if (delta instanceof Delta.Deleted<T> deletion) {
			this.current.put(deletion.key(), 0);
		}
		else if (delta instanceof Delta.ReplacedAll<T> state && this.list != null) {
			this.current = replaced(state, this.list);
			this.list = null;
		}
		count(this.current.sum);
	}

	/**
	 * Return the sizes of the objects of a list, and of those whose earlier state is
	 * kept.
	 */
	private Sizes replaced(Delta.ReplacedAll<T> state, Sizes listed) {
		Sizes next = new Sizes();
		state.objects().keySet().forEach((key) -> next.put(key, listed.of(key)));
		this.current.byKey.forEach((key, size) -> {
			boolean kept = !state.complete() && !state.objects().containsKey(key) && !state.deleted().contains(key);
			if (kept || state.retained().containsKey(key)) {
				next.put(key, size);
			}
		});
		return next;
	}

	private void count(long size) {
		if (!this.closed) {
			this.total.addAndGet(size - this.counted);
			this.counted = size;
		}
	}

	/**
	 * Give back what was counted, and count nothing from now on.
	 */
	public synchronized void close() {
		count(0);
		this.closed = true;
	}

	/**
	 * The objects exceed a limit.
	 */
	public static final class SizeLimitException extends RuntimeException {

		private SizeLimitException(long limit) {
			super("the objects exceed the max-size of "
					+ ((limit % MEGABYTE == 0) ? limit / MEGABYTE + " MB" : limit + " bytes"));
		}

	}

	private static final class Sizes {

		private final Map<String, Long> byKey = new HashMap<>();

		private long sum;

		private long of(String key) {
			return this.byKey.getOrDefault(key, 0L);
		}

		private void put(String key, long size) {
			this.sum += size - of(key);
			if (size > 0) {
				this.byKey.put(key, size);
			}
			else {
				this.byKey.remove(key);
			}
		}

	}

}
