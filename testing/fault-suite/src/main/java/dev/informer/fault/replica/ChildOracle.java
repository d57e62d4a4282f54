/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.informer.fault.journal.Violation;

/**
 * Oracle that decides whether replicas create what is wanted: never two objects for one
 * primary object at the same time, and in the end one for each.
 * <p>
 * After a restore of etcd, two exceptions are reported and are no violations: the call
 * that created the second object began before the restore, or the restore has brought
 * back an object that somebody else had deleted since the backup. Thread-safe.
 */
final class ChildOracle {

	/** Kind of the report of a call that had seen the state before a restore. */
	static final String BEFORE_RESTORE = "created by a call from before a restore";

	/** Kind of the report of an object that was deleted after the backup. */
	static final String BROUGHT_BACK = "created beside one that a restore brought back";

	private final Verdict verdict = new Verdict();

	private final Set<String> seen = new HashSet<>();

	private final Set<Child> judged = new HashSet<>();

	private final Set<String> broughtBack = new HashSet<>();

	private long restoredAt = Long.MIN_VALUE;

	/**
	 * Note that etcd is about to be restored.
	 * @param time the time
	 * @param deleted the UIDs of the objects that the backup has and that do not exist
	 */
	synchronized void restored(long time, Set<String> deleted) {
		this.restoredAt = time;
		this.broughtBack.addAll(deleted);
	}

	/**
	 * Judge the objects of one list of the server.
	 */
	synchronized void observe(List<Child> children) {
		children.forEach((child) -> this.seen.add(child.uid()));
		byOwner(children).values().forEach((siblings) -> {
			siblings.sort(Comparator.comparingLong(Child::call));
			for (int i = 1; i < siblings.size(); i++) {
				Child child = siblings.get(i);
				if (this.judged.add(child)) {
					judge(child, siblings.subList(0, i));
				}
			}
		});
	}

	private static Map<String, List<Child>> byOwner(List<Child> children) {
		return children.stream().collect(Collectors.groupingBy(Child::owner, Collectors.toCollection(ArrayList::new)));
	}

	private void judge(Child child, List<Child> earlier) {
		String detail = "%s, beside %s, owner %s, last restore at %d".formatted(child, earlier, child.owner(),
				this.restoredAt);
		exception(child, earlier).ifPresentOrElse((kind) -> this.verdict.reported(kind, detail),
				() -> this.verdict.violated("two objects for one primary object", detail));
	}

	private Optional<String> exception(Child child, List<Child> earlier) {
		if (child.call() < this.restoredAt) {
			return Optional.of(BEFORE_RESTORE);
		}
		return earlier.stream().map(Child::uid).allMatch(this.broughtBack::contains) ? Optional.of(BROUGHT_BACK)
				: Optional.empty();
	}

	/**
	 * Return the number of objects so far.
	 */
	synchronized int count() {
		return this.seen.size();
	}

	/**
	 * Return the violations and reports so far.
	 */
	synchronized Verdict verdict() {
		return this.verdict;
	}

	/**
	 * Judge objects that no fault and no change affects any more.
	 */
	synchronized List<Violation> differences(List<Primary> primaries, List<Child> children) {
		List<Violation> differences = new ArrayList<>();
		Map<String, List<Child>> byOwner = byOwner(children);
		for (Primary primary : primaries) {
			List<Child> own = byOwner.getOrDefault(primary.uid(), List.of());
			byOwner.remove(primary.uid());
			if (primary.deleting()) {
				differences.add(new Violation("primary object is still being deleted", primary.toString()));
			}
			else if (!primary.finalizer()) {
				differences.add(new Violation("primary object without its finalizer", primary.toString()));
			}
			if (own.isEmpty()) {
				differences.add(new Violation("primary object without another object", primary.toString()));
			}
		}
		// nothing deletes what a call creates for an object that the restore has undone
		byOwner.values()
			.stream()
			.flatMap(List::stream)
			.filter((child) -> child.call() >= this.restoredAt)
			.forEach((child) -> differences.add(new Violation("object of a missing primary object", child.toString())));
		return differences;
	}

}
