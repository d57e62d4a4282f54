/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

import dev.informer.fault.journal.InvocationEntry.Owned;

/**
 * Oracle that decides whether invocations of two processes for the same object, or for
 * objects with the same namespace and name, have overlapped, or a slot had two owners.
 *
 * @see Verdict the exceptions
 */
final class ShardOracle {

	private final List<InvocationLog> logs;

	private final Verdict verdict = new Verdict();

	private ShardOracle(List<InvocationLog> logs) {
		this.logs = logs;
	}

	/**
	 * Judge the invocations of all processes, of which none is suspended now.
	 */
	static Verdict judge(List<InvocationLog> logs, long now) {
		ShardOracle oracle = new ShardOracle(logs);
		oracle.judgeInvocations(now);
		oracle.judgeOwnership();
		return oracle.verdict;
	}

	private void judgeInvocations(long now) {
		Map<String, List<Journaled>> byObject = new HashMap<>();
		for (InvocationLog log : this.logs) {
			for (Invocation invocation : log.invocations(now)) {
				byObject.computeIfAbsent(invocation.object(), (object) -> new ArrayList<>())
					.add(new Journaled(log, invocation));
			}
		}
		byObject.values().forEach(this::judgeObject);
	}

	/**
	 * Judge the invocations for an object.
	 */
	private void judgeObject(List<Journaled> invocations) {
		invocations.sort(Comparator.comparingLong((journaled) -> journaled.invocation().begin()));
		List<Journaled> running = new ArrayList<>();
		for (Journaled next : invocations) {
			long begin = next.invocation().begin();
			running.removeIf((earlier) -> earlier.invocation().end() <= begin);
			List<Journaled> overlapped = running.stream().filter((earlier) -> earlier.log() != next.log()).toList();
			Optional<Suspension> before = next.invocation().suspendedBefore(next.log());
			if (!overlapped.isEmpty() && before.isPresent()) {
				this.verdict.suspended(Verdict.SUSPENDED_BEFORE, next.invocation(), before.get());
			}
			else {
				overlapped.forEach((earlier) -> judgeOverlap(earlier, begin));
				// one report for each
				running.removeAll(overlapped);
			}
			running.add(next);
		}
	}

	/**
	 * Judge an invocation that was running when one of another process began. Only the
	 * loss of the slots interrupts it: a slot that moves waits for its end.
	 */
	private void judgeOverlap(Journaled earlier, long begin) {
		Invocation invocation = earlier.invocation();
		if (earlier.log().hasLostSlots(invocation.begin(), begin)
				|| earlier.log().suspendedWithin(invocation.begin(), invocation.end(), begin).isPresent()) {
			this.verdict.overlapped(earlier.log(), invocation, begin);
		}
		else {
			this.verdict.violated("overlapped another holder",
					invocation + ", for " + Verdict.millis(invocation.end() - begin));
		}
	}

	private void judgeOwnership() {
		for (InvocationLog log : this.logs) {
			for (Owned owned : log.owned()) {
				this.logs.stream().filter((other) -> other != log).forEach((other) -> judge(owned, other));
			}
		}
	}

	/**
	 * Judge slots that a process owns, and those that another one owned at that time.
	 */
	private void judge(Owned owned, InvocationLog other) {
		long time = owned.time();
		Owned former = other.ownedAt(time);
		if (former == null) {
			return;
		}
		TreeSet<Integer> shared = new TreeSet<>(owned.slots());
		shared.retainAll(former.slots());
		long end = other.ownedUntil(former);
		boolean suspended = other.suspendedWithin(former.time(), end, time)
			.filter((suspension) -> end - suspension.end() <= Verdict.INTERRUPT_NANOS)
			.isPresent();
		if (!shared.isEmpty() && !suspended) {
			this.verdict.violated("slot of two owners",
					"%s of %s and %s at %d".formatted(shared, former.holder(), owned.holder(), time));
		}
	}

	/**
	 * Invocation in the journal of a process.
	 */
	private record Journaled(InvocationLog log, Invocation invocation) {

	}

}
