/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Oracle that decides whether invocations of two holders have overlapped.
 * <p>
 * The first begin of an invocation in a later term ends the time of all other holders:
 * none of their invocations may begin after it, and none that began before may be running
 * at that time. This finds every overlap of two invocations of different holders. Nor
 * does an invocation of the same holder begin with the token of an earlier term.
 *
 * @see Verdict the exceptions
 */
final class LeaderOracle {

	private final List<InvocationLog> logs;

	private final Verdict verdict = new Verdict();

	private LeaderOracle(List<InvocationLog> logs) {
		this.logs = logs;
	}

	/**
	 * Judge the invocations of all processes, of which none is suspended now.
	 */
	static Verdict judge(List<InvocationLog> logs, long now) {
		LeaderOracle oracle = new LeaderOracle(logs);
		oracle.judgeTerms();
		logs.forEach((log) -> oracle.judge(log, now));
		return oracle.verdict;
	}

	private void judgeTerms() {
		Map<Integer, InvocationLog> holders = new HashMap<>();
		for (InvocationLog log : this.logs) {
			for (Integer token : log.terms().keySet()) {
				InvocationLog other = holders.putIfAbsent(token, log);
				if (other != null) {
					this.verdict.violated("term of two holders",
							"term %d of %s and %s".formatted(token, other.holder(), log.holder()));
				}
			}
		}
	}

	private void judge(InvocationLog log, long now) {
		Map<Integer, Long> takenOverAt = new HashMap<>();
		for (Invocation invocation : log.invocations(now)) {
			judge(log, invocation,
					takenOverAt.computeIfAbsent(invocation.token(),
							(token) -> firstBegin(this.logs.stream().filter((other) -> other != log), token)
								.orElse(Long.MAX_VALUE)));
		}
	}

	/**
	 * Return the time of the first begin in a later term.
	 * @return the time; empty if there is no later term
	 */
	static OptionalLong firstBegin(Stream<InvocationLog> logs, int token) {
		return logs.flatMap((log) -> log.terms().tailMap(token, false).values().stream())
			.mapToLong(Long::longValue)
			.min();
	}

	private void judge(InvocationLog log, Invocation invocation, long takenOverAt) {
		Optional<Suspension> before = invocation.suspendedBefore(log);
		if (!invocation.hasBegunAsLeader() && before.isEmpty() && invocation.begin() < log.terminatedAt()) {
			this.verdict.violated("began without leadership", invocation.toString());
		}
		if (invocation.begin() >= takenOverAt) {
			before.ifPresentOrElse(
					(suspension) -> this.verdict.suspended(Verdict.SUSPENDED_BEFORE, invocation, suspension),
					() -> this.verdict.violated("began after another holder",
							invocation + ", " + Verdict.millis(invocation.begin() - takenOverAt) + " later"));
		}
		else if (invocation.end() > takenOverAt) {
			this.verdict.overlapped(log, invocation, takenOverAt);
		}
		else if (firstBegin(Stream.of(log), invocation.token()).orElse(Long.MAX_VALUE) < invocation.begin()) {
			this.verdict.violated("fencing token went back", invocation.toString());
		}
	}

}
