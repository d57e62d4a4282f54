/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Bounded cache of decoded parts of objects by their bytes, which are compared: what is
 * found is what decoding would return. Bytes are cached when they are seen again, so that
 * those which never repeat do not displace others; among the cached ones those are
 * displaced first that were not found since.
 * <p>
 * Thread-safe. Lookups take no lock: bytes and part of an entry are final, and a lost
 * update costs a decoding.
 */
public final class SharedMessages {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	/** A part with less is as cheap to decode as to find. */
	static final int MIN_LENGTH = 8;

	static final int MAX_LENGTH = 1 << 12;

	private static final int SETS = 1 << 12;

	private static final int WAYS = 4;

	private static final int SEEN = 1 << 15;

	private final @Nullable Entry[] entries = new Entry[SETS * WAYS];

	/** Hashes of bytes that were seen. */
	private final int[] seen = new int[SEEN];

	/** Random, so that nobody can make up bytes whose hashes collide. */
	private final long seed = ThreadLocalRandom.current().nextLong();

	private final long factor = ThreadLocalRandom.current().nextLong() | 1;

	private final long maxBytes;

	private long bytes;

	private int hand;

	/**
	 * Create an empty cache.
	 * @param maxBytes the maximum size of the compared bytes. The parts take several
	 * times as much, and are shared with the objects.
	 */
	public SharedMessages(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	/**
	 * Return the size of the compared bytes.
	 */
	synchronized long bytes() {
		return this.bytes;
	}

	/**
	 * Return the hash of bytes and of the hash of what they are decoded into.
	 */
	int hash(int ownerHash, byte[] buffer, int offset, int length) {
		long hash = this.seed ^ ((long) ownerHash << Integer.SIZE | length);
		int end = offset + length;
		int at = offset;
		for (; at <= end - Long.BYTES; at += Long.BYTES) {
			hash = mix(hash ^ (long) LONGS.get(buffer, at));
		}
		long rest = 0;
		for (; at < end; at++) {
			rest = rest << Byte.SIZE | buffer[at] & 0xff;
		}
		hash = mix(mix(hash ^ rest));
		return (int) (hash >>> Integer.SIZE);
	}

	private long mix(long hash) {
		long product = hash * this.factor;
		return product ^ product >>> Integer.SIZE;
	}

	/**
	 * Find bytes.
	 * @param owner what the bytes are decoded into
	 */
	@Nullable Entry find(Object owner, int hash, byte[] buffer, int offset, int length) {
		int first = first(hash);
		for (int i = first; i < first + WAYS; i++) {
			Entry entry = this.entries[i];
			if (entry != null && entry.hash == hash && entry.matches(buffer, offset, length)
					&& (entry.owner == owner || entry.owner.equals(owner))) {
				entry.found();
				return entry;
			}
		}
		return null;
	}

	/**
	 * Record bytes that were not found, and return whether they were probably seen
	 * before.
	 */
	boolean isSeenAgain(int hash) {
		int place = hash & (SEEN - 1);
		boolean again = this.seen[place] == hash;
		this.seen[place] = hash;
		return again;
	}

	/**
	 * Add a decoded part.
	 */
	synchronized Entry add(Object owner, int hash, byte[] bytes, Object value) {
		while (this.bytes + bytes.length > this.maxBytes && this.bytes > 0) {
			removeNext();
		}
		Entry added = new Entry(owner, hash, bytes, value);
		int place = place(first(hash));
		remove(place);
		this.entries[place] = added;
		this.bytes += bytes.length;
		return added;
	}

	private static int first(int hash) {
		return (hash >>> 7 & (SETS - 1)) * WAYS;
	}

	private int place(int first) {
		for (int i = first; i < first + WAYS; i++) {
			if (this.entries[i] == null) {
				return i;
			}
		}
		int place = first;
		for (int i = first + WAYS - 1; i >= first; i--) {
			Entry entry = this.entries[i];
			if (entry != null && !entry.keep()) {
				place = i;
			}
		}
		return place;
	}

	private void removeNext() {
		Entry entry = this.entries[this.hand];
		if (entry != null && !entry.keep()) {
			remove(this.hand);
		}
		this.hand = (this.hand + 1) % this.entries.length;
	}

	private void remove(int place) {
		Entry entry = this.entries[place];
		if (entry != null) {
			this.bytes -= entry.bytes.length;
			this.entries[place] = null;
		}
	}

	/**
	 * Bytes and what they are decoded into.
	 */
	static final class Entry {

		private final Object owner;

		private final int hash;

		private final byte[] bytes;

		private final Object value;

		/** Whether the entry was found since it was spared the last time. */
		private boolean found;

		private Entry(Object owner, int hash, byte[] bytes, Object value) {
			this.owner = owner;
			this.hash = hash;
			this.bytes = bytes;
			this.value = value;
		}

		int hash() {
			return this.hash;
		}

		byte[] bytes() {
			return this.bytes;
		}

		Object value() {
			return this.value;
		}

		void found() {
			if (!this.found) {
				this.found = true;
			}
		}

		private boolean keep() {
			boolean keep = this.found;
			this.found = false;
			return keep;
		}

		boolean matches(byte[] buffer, int offset, int length) {
			return this.bytes.length == length && Arrays.equals(this.bytes, 0, length, buffer, offset, offset + length);
		}

	}

}
