/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.Collections;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.client.Moment;
import dev.informer.client.ObjectSelector;
import dev.informer.client.TimeSource;
import dev.informer.controller.ReflectorSet.Omission;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Lets the reflectors of a run follow an {@link Assignment}: those of namespaces that
 * leave end, those of namespaces that join are started. Other namespaces are not
 * affected. Of the namespaces that match a selector, no more than the limit are watched.
 * All of them follow the changes of the selected objects.
 * <p>
 * A run begins without namespaces and waits until the assignment is known. Reflectors of
 * an earlier run whose namespaces have left send no request.
 * <p>
 * <b>Concurrency.</b> Confined to the thread of the store, so that no batch is applied
 * during a change.
 */
final class AssignmentUpdater<T extends KubernetesObject> {

	/** Number of namespaces that are logged by name. */
	private static final int NAMED = 10;

	private final Assignment assignment;

	private final InformerOptions options;

	private final ReflectorSet<T> reflectors;

	private final ReflectorThreads<T> threads;

	private final InformerReporter reporter;

	private final TimeSource time;

	/**
	 * Namespaces that matched, watched or omitted; {@code null} before the first
	 * assignment of the run.
	 */
	private @Nullable Set<String> assigned;

	/** {@code null} before the first assignment of the run, or for all objects. */
	private @Nullable ObjectSelector selector;

	private @Nullable InformerFailure failure;

	AssignmentUpdater(Assignment assignment, InformerOptions options, ReflectorSet<T> reflectors,
			ReflectorThreads<T> threads, InformerReporter reporter, TimeSource time) {
		this.assignment = assignment;
		this.options = options;
		this.reflectors = reflectors;
		this.threads = threads;
		this.reporter = reporter;
		this.time = time;
	}

	/**
	 * Apply the changes of the assignment, and return the nanoseconds until there is
	 * something to retry, {@link Long#MAX_VALUE} if there is nothing.
	 */
	long update() {
		reportFailure();
		Set<String> current = this.assignment.namespaces();
		if (current != null && !current.equals(this.assigned)) {
			assign(current);
		}
		ObjectSelector selected = this.assignment.selector();
		if (selected != null && !selected.equals(this.selector)) {
			assign(selected);
		}
		return this.threads.startMissing();
	}

	/**
	 * Complete the sync without the namespaces in which permissions are missing. Label
	 * and Role of a namespace may have different authors: it joins when the Role exists,
	 * as if its label were as late, and delays no other namespace.
	 */
	void excuseRefused() {
		if (this.assigned != null && this.selector == null) {
			this.reflectors.excuseRefused();
		}
	}

	private void reportFailure() {
		InformerFailure current = this.assignment.failure();
		if (current != null && current != this.failure) {
			this.reporter.failedPermanently(current);
		}
		this.failure = current;
	}

	private void assign(Set<String> matching) {
		Set<String> before = this.reflectors.states().keySet();
		Set<String> current = withinLimit(matching, before);
		Omission omittedBefore = this.reflectors.omission();
		Omission omitted = omission(matching, current, omittedBefore);
		this.threads.follow(this.reflectors.assign(current, omitted));
		boolean first = this.assigned == null;
		this.assigned = matching;
		if (this.options.watchedSet() == null && (first || !current.equals(before))) {
			this.reporter.log(Level.INFO, "watches " + current.size() + " namespaces (joined: "
					+ difference(current, before) + "; left: " + difference(before, current) + ")");
		}
		reportOmission(omitted, first ? null : omittedBefore);
		this.reporter.publishNamespaces(current);
	}

	/**
	 * Return the namespaces to watch: those that are watched already come first, others
	 * in the order of their names.
	 */
	private Set<String> withinLimit(Set<String> matching, Set<String> before) {
		if (this.options.namespaceSelector() == null || matching.size() <= this.options.maxSelectedNamespaces()) {
			return matching;
		}
		return matching.stream()
			.sorted(Comparator.comparing((String name) -> !before.contains(name))
				.thenComparing(Comparator.naturalOrder()))
			.limit(this.options.maxSelectedNamespaces())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private @Nullable Omission omission(Set<String> matching, Set<String> current, @Nullable Omission before) {
		Set<String> omitted = new TreeSet<>(matching);
		omitted.removeAll(current);
		if (omitted.isEmpty()) {
			return null;
		}
		Moment now = this.time.moment();
		String message = "Cannot watch " + omitted.size() + " of the " + matching.size()
				+ " namespaces that match the namespace-selector '" + this.options.namespaceSelector()
				+ "': max-selected-namespaces is " + this.options.maxSelectedNamespaces()
				+ ". Raise it, or let the selector match fewer namespaces.";
		return new Omission(Collections.unmodifiableSet(omitted),
				new InformerFailure(Kind.OTHER, message, now.time(), new IllegalStateException(message)),
				(before != null) ? before.since() : now);
	}

	private void reportOmission(@Nullable Omission current, @Nullable Omission before) {
		int count = (current != null) ? current.namespaces().size() : 0;
		if (count == ((before != null) ? before.namespaces().size() : 0)) {
			return;
		}
		if (current == null) {
			this.reporter.log(Level.INFO, "watches all namespaces that match its namespace-selector");
			return;
		}
		this.reporter.log(Level.WARN, "is incomplete: " + current.failure().message());
		this.reporter.publishFailure(current.failure());
	}

	/**
	 * Pass a selector to all reflectors, before those of joined namespaces are started.
	 */
	private void assign(ObjectSelector selected) {
		this.selector = selected;
		this.reflectors.created().forEach((reflector) -> reflector.select(selected));
		this.reporter.log(Level.INFO, "caches the objects of " + selected);
	}

	private static Object difference(Set<String> some, Set<String> others) {
		Set<String> difference = new TreeSet<>(some);
		difference.removeAll(others);
		return (difference.size() <= NAMED) ? difference : difference.size();
	}

}
