/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.informer.fault.journal.LeaderHandler;
import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.Violation;

/**
 * Oracle that decides whether invocations of two holders have overlapped, and whether
 * every change was handled.
 * <p>
 * The first begin of an invocation in a later term ends the time of all other holders:
 * none of their invocations may begin after it, and none that began before may be running
 * at that time. This finds every overlap of two invocations of different holders. Three
 * exceptions are reported and are no violations:
 * <ul>
 * <li>the handler ignores interrupts, and the invocation began before;</li>
 * <li>the process was suspended within the invocation, another holder began after that,
 * and the invocation has ended within a second after the process was resumed;</li>
 * <li>the process was suspended between the check of the leadership and the first
 * statement; the same second applies.</li>
 * </ul>
 */
final class LeaderOracle {

	/** Kind of the report of an invocation that has ignored its interrupt. */
	static final String IGNORED_INTERRUPT = "ignored its interrupt";

	/** Kind of the report of an invocation whose process was suspended. */
	static final String SUSPENDED_WITHIN = "suspended within an invocation";

	/** Kind of the report of a process that was suspended before the first statement. */
	static final String SUSPENDED_BEFORE = "suspended before the first statement";

	/** Time in which an invocation of a resumed process has to be interrupted. */
	private static final long INTERRUPT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final List<InvocationLog> logs;

	private final List<Violation> violations = new ArrayList<>();

	private final List<Violation> reports = new ArrayList<>();

	private LeaderOracle(List<InvocationLog> logs) {
		this.logs = logs;
	}

	/**
	 * Judge the invocations of all processes, of which none is suspended now.
	 * @param logs the invocations of each process
	 * @param now the current time
	 */
	static Verdict judge(List<InvocationLog> logs, long now) {
		LeaderOracle oracle = new LeaderOracle(logs);
		oracle.judgeTerms();
		logs.forEach((log) -> oracle.judge(log, now));
		return new Verdict(oracle.violations, oracle.reports);
	}

	private void judgeTerms() {
		Map<Integer, InvocationLog> holders = new HashMap<>();
		for (InvocationLog log : this.logs) {
			for (Integer token : log.terms().keySet()) {
				InvocationLog other = holders.putIfAbsent(token, log);
				if (other != null) {
					this.violations.add(new Violation("term of two holders",
							"term %d of %s and %s".formatted(token, other.holder(), log.holder())));
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
	 * @param logs the invocations of the processes that count
	 * @param token the fencing token of the term
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
			this.violations.add(new Violation("began without leadership", invocation.toString()));
		}
		if (invocation.begin() >= takenOverAt) {
			before.ifPresentOrElse((suspension) -> suspended(SUSPENDED_BEFORE, invocation, suspension),
					() -> this.violations.add(new Violation("began after another holder",
							invocation + ", " + millis(invocation.begin() - takenOverAt) + " later")));
		}
		else if (invocation.end() > takenOverAt) {
			overlapped(log, invocation, takenOverAt);
		}
	}

	private void overlapped(InvocationLog log, Invocation invocation, long takenOverAt) {
		Optional<Suspension> within = invocation.suspendedWithin(log, takenOverAt);
		String detail = invocation + ", for " + millis(invocation.end() - takenOverAt);
		if (invocation.entry().handler().ignoresInterrupts()) {
			this.reports.add(new Violation(IGNORED_INTERRUPT, detail));
		}
		else if (within.isPresent()) {
			suspended(SUSPENDED_WITHIN, invocation, within.get());
		}
		else {
			this.violations.add(new Violation("overlapped another holder", detail));
		}
	}

	/**
	 * Report an invocation that has continued after a suspension, or find that it was not
	 * interrupted.
	 */
	private void suspended(String kind, Invocation invocation, Suspension suspension) {
		long continued = invocation.end() - suspension.end();
		String detail = invocation + ", ended " + millis(continued) + " after SIGCONT";
		if (continued <= INTERRUPT_NANOS || invocation.entry().handler().ignoresInterrupts()) {
			this.reports.add(new Violation(kind, detail));
		}
		else {
			this.violations.add(new Violation("not interrupted after SIGCONT", detail));
		}
	}

	private static String millis(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
	}

	/**
	 * Find objects whose state, or a later one, no process has handled.
	 * @param logs the invocations of each process
	 * @param handlers the handlers
	 * @param expected the states that the handlers should have received
	 * @return a violation for each handler that lacks objects
	 */
	static List<Violation> unhandled(List<InvocationLog> logs, Set<LeaderHandler> handlers, ObjectStates expected) {
		List<Violation> violations = new ArrayList<>();
		for (LeaderHandler handler : handlers) {
			Map<String, ObjectState> objects = expected.of(handler.resource());
			List<String> missing = objects.entrySet()
				.stream()
				.filter((object) -> logs.stream()
					.noneMatch((log) -> log.hasHandled(handler, object.getKey(), object.getValue())))
				.map((object) -> object.getKey() + " " + object.getValue())
				.sorted()
				.toList();
			if (!missing.isEmpty()) {
				violations.add(new Violation("change not handled",
						"%s, %d of %d objects: %s".formatted(handler, missing.size(), objects.size(), missing)));
			}
		}
		return violations;
	}

	/**
	 * Verdict on all invocations.
	 *
	 * @param violations the violations
	 * @param reports the exceptions that are no violations
	 */
	record Verdict(List<Violation> violations, List<Violation> reports) {

	}

}
