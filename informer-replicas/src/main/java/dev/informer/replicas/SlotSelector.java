/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import org.jspecify.annotations.Nullable;

/**
 * Selector of the objects in some slots. An API server with the feature gate
 * {@code ShardedListAndWatch} applies one by UID; others ignore it, so the client does in
 * any case. Immutable.
 * <p>
 * The server hashes namespaces as well, but its slots are ranges of FNV-1a, whose upper
 * bits hardly depend on the last characters: 200 namespaces {@code team-000} to
 * {@code team-199} belong to 2 of 64 slots. So the client selects namespaces, by a hash
 * that spreads them.
 *
 * @param by the property of an object that its slot follows from
 * @param total the number of all slots, a power of two
 * @param slots the selected slots, which are not modified
 * @see <a href=
 * "https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/5866-server-side-sharded-list-and-watch">KEP-5866</a>
 */
public record SlotSelector(Shard.Key by, int total, BitSet slots) implements ObjectSelector {

	/**
	 * Create a selector.
	 * @param by the property of an object that its slot follows from
	 * @param total the number of all slots, a power of two
	 * @param slots the selected slots
	 * @return the selector
	 */
	public static SlotSelector of(Shard.Key by, int total, Set<Integer> slots) {
		BitSet selected = new BitSet(total);
		slots.forEach(selected::set);
		return new SlotSelector(by, total, selected);
	}

	/**
	 * Return the slot of an object.
	 * @param by the property of an object that its slot follows from
	 * @param total the number of all slots, a power of two
	 * @param state the state of the object
	 * @return the slot
	 */
	public static int slotOf(Shard.Key by, int total, ObjectState state) {
		String value = value(by, state);
		return slotOf(by, (value != null) ? value : "", total);
	}

	private static @Nullable String value(Shard.Key by, ObjectState state) {
		return (by == Shard.Key.UID) ? state.uid() : state.namespace();
	}

	private static int slotOf(Shard.Key by, String value, int total) {
		long hash = SlotHash.fnv1a(value);
		return SlotHash.slot((by == Shard.Key.UID) ? hash : SlotHash.mix(hash), total);
	}

	/**
	 * Return whether an object is known to be in none of the slots.
	 */
	@Override
	public boolean excludes(ObjectState state) {
		String value = value(this.by, state);
		return value != null && !this.slots.get(slotOf(this.by, value, this.total));
	}

	@Override
	public boolean isEmpty() {
		return this.slots.isEmpty();
	}

	/**
	 * Return the request parameter {@code shardSelector} with the ranges of hashes of the
	 * slots.
	 */
	@Override
	public Map<String, String> parameters() {
		if (this.by != Shard.Key.UID) {
			return Map.of();
		}
		StringJoiner ranges = new StringJoiner(" || ");
		int from = this.slots.nextSetBit(0);
		while (from >= 0) {
			int to = this.slots.nextClearBit(from);
			ranges.add("shardRange(object.metadata.uid, '" + bound(from) + "', '" + bound(to) + "')");
			from = this.slots.nextSetBit(to);
		}
		return Map.of("shardSelector", ranges.toString());
	}

	/**
	 * Return the first hash of a slot. Bounds have 16 hexadecimal digits, apart from the
	 * last one.
	 */
	private String bound(int slot) {
		int bits = Long.SIZE - Integer.numberOfTrailingZeros(this.total);
		return (slot < this.total) ? String.format("0x%016x", (long) slot << bits) : "0x10000000000000000";
	}

	@Override
	public String toString() {
		return this.slots.cardinality() + " of " + this.total + " slots by " + this.by;
	}

}
