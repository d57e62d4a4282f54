/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import dev.informer.fault.journal.InvocationEntry.Owned;
import dev.informer.fault.journal.Violation;
import dev.informer.shard.ShardingOptions;

/**
 * Owners of the slots at a time, as the running processes have written them.
 *
 * @param byHolder the slots of each process
 * @param since the time of the last change
 */
record Ownership(Map<String, Set<Integer>> byHolder, long since) {

	static final int SLOTS = ShardingOptions.DEFAULT_SLOTS;

	/**
	 * Return the current owners. A process that is suspended owns none.
	 */
	static Ownership of(List<InvocationLog> logs) {
		Map<String, Set<Integer>> byHolder = new LinkedHashMap<>();
		long latest = Long.MIN_VALUE;
		for (InvocationLog log : logs) {
			Owned last = log.lastOwned();
			if (last != null) {
				latest = Math.max(latest, last.time());
				if (log.isRunning()) {
					byHolder.put(last.holder(), last.slots());
				}
			}
		}
		return new Ownership(byHolder, latest);
	}

	/**
	 * Find slots that have no owner or several ones.
	 */
	List<Violation> violations() {
		Set<Integer> unowned = new TreeSet<>();
		Set<Integer> shared = new TreeSet<>();
		for (int slot = 0; slot < SLOTS; slot++) {
			int owners = owners(slot).size();
			if (owners != 1) {
				((owners == 0) ? unowned : shared).add(slot);
			}
		}
		List<Violation> violations = new ArrayList<>();
		if (!unowned.isEmpty()) {
			violations.add(new Violation("slots without an owner", unowned.toString()));
		}
		if (!shared.isEmpty()) {
			violations.add(new Violation("slots with several owners", shared.toString()));
		}
		return violations;
	}

	private List<String> owners(int slot) {
		return this.byHolder.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().contains(slot))
			.map(Map.Entry::getKey)
			.toList();
	}

	/**
	 * Return whether each slot has one owner, and all members own a part of at most 1/n +
	 * 5 % of them.
	 */
	boolean isComplete(int members) {
		double share = SLOTS * (1.0 / members + 0.05);
		List<Set<Integer>> parts = this.byHolder.values().stream().filter((slots) -> !slots.isEmpty()).toList();
		return violations().isEmpty() && parts.size() == members
				&& parts.stream().allMatch((slots) -> slots.size() <= share);
	}

	/**
	 * Return the number of slots that had other owners.
	 */
	int movedFrom(Ownership before) {
		return (int) IntStream.range(0, SLOTS).filter((slot) -> !owners(slot).equals(before.owners(slot))).count();
	}

}
