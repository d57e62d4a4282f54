/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.ReplicaHandler;
import dev.informer.fault.journal.Violation;

/**
 * Verdict on invocations by several holders. Three exceptions are reported and are no
 * violations:
 * <ul>
 * <li>the handler ignores interrupts, and the invocation began before;</li>
 * <li>the process was suspended within the invocation, another holder began after that,
 * and the invocation has ended within a second after the process was resumed;</li>
 * <li>the process was suspended between the check of the leadership or the ownership and
 * the first statement; the same second applies.</li>
 * </ul>
 * Not thread-safe.
 */
final class Verdict {

	/** Kind of the report of an invocation that has ignored its interrupt. */
	static final String IGNORED_INTERRUPT = "ignored its interrupt";

	/** Kind of the report of an invocation whose process was suspended. */
	static final String SUSPENDED_WITHIN = "suspended within an invocation";

	/** Kind of the report of a process that was suspended before the first statement. */
	static final String SUSPENDED_BEFORE = "suspended before the first statement";

	/** Time in which an invocation of a resumed process has to be interrupted. */
	static final long INTERRUPT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final List<Violation> violations = new ArrayList<>();

	private final List<Violation> reports = new ArrayList<>();

	List<Violation> violations() {
		return this.violations;
	}

	List<Violation> reports() {
		return this.reports;
	}

	void violated(String kind, String detail) {
		this.violations.add(new Violation(kind, detail));
	}

	void reported(String kind, String detail) {
		this.reports.add(new Violation(kind, detail));
	}

	/**
	 * Add what another oracle has found.
	 */
	Verdict and(Verdict other) {
		this.violations.addAll(other.violations);
		this.reports.addAll(other.reports);
		return this;
	}

	/**
	 * Judge an invocation that was running when another holder began.
	 */
	void overlapped(InvocationLog log, Invocation invocation, long other) {
		Optional<Suspension> within = log.suspendedWithin(invocation.begin(), invocation.end(), other);
		String detail = invocation + ", for " + millis(invocation.end() - other);
		if (invocation.entry().handler().ignoresInterrupts()) {
			reported(IGNORED_INTERRUPT, detail);
		}
		else if (within.isPresent()) {
			suspended(SUSPENDED_WITHIN, invocation, within.get());
		}
		else {
			violated("overlapped another holder", detail);
		}
	}

	/**
	 * Report an invocation that has continued after a suspension, or find that it was not
	 * interrupted.
	 */
	void suspended(String kind, Invocation invocation, Suspension suspension) {
		long continued = invocation.end() - suspension.end();
		String detail = invocation + ", ended " + millis(continued) + " after SIGCONT";
		if (continued <= INTERRUPT_NANOS || invocation.entry().handler().ignoresInterrupts()) {
			reported(kind, detail);
		}
		else {
			violated("not interrupted after SIGCONT", detail);
		}
	}

	static String millis(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
	}

	/**
	 * Find objects whose state, or a later one, no process has handled.
	 */
	static List<Violation> unhandled(List<InvocationLog> logs, Set<ReplicaHandler> handlers, ObjectStates expected) {
		List<Violation> violations = new ArrayList<>();
		for (ReplicaHandler handler : handlers) {
			Map<String, ObjectState> objects = expected.of(handler.resource());
			List<String> missing = objects.entrySet()
				.stream()
				.filter((object) -> logs.stream().noneMatch((log) -> log.hasHandled(handler, object.getValue())))
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
	 * Find objects that a handler has received as deleted although they exist.
	 * @param broughtBack the UIDs of objects that existed again after a restore
	 */
	static List<Violation> deletedInError(List<InvocationLog> logs, ObjectStates existing, Set<String> broughtBack) {
		return existing.byResource()
			.entrySet()
			.stream()
			.flatMap((objects) -> objects.getValue()
				.entrySet()
				.stream()
				.filter((object) -> !broughtBack.contains(object.getValue().uid()))
				.filter((object) -> logs.stream().anyMatch((log) -> log.deleted().contains(object.getValue().uid())))
				.map((object) -> new Violation("existing object delivered as deleted",
						objects.getKey() + " " + object.getKey() + " " + object.getValue())))
			.toList();
	}

}
