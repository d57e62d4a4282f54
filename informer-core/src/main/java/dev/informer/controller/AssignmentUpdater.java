/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
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

	private static final long RETRY_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	/** Number of namespaces that are logged by name. */
	private static final int NAMED = 10;

	private final DefaultSharedIndexInformer<T> informer;

	private final TimeSource time;

	private final Assignment assignment;

	private final Run<T> run;

	/**
	 * Namespaces that matched, watched or omitted; {@code null} before the first
	 * assignment of the run.
	 */
	private @Nullable Set<String> assigned;

	/** {@code null} before the first assignment of the run, or for all objects. */
	private @Nullable ObjectSelector selector;

	private @Nullable InformerFailure failure;

	/** Whether a thread may be missing. */
	private boolean starting;

	private long nextStart;

	AssignmentUpdater(DefaultSharedIndexInformer<T> informer, Assignment assignment, Run<T> run) {
		this.informer = informer;
		this.time = informer.factory.time;
		this.assignment = assignment;
		this.run = run;
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
		if (this.starting && nanosToStart() <= 0) {
			start();
		}
		return nanosToStart();
	}

	/**
	 * Complete the sync without the namespaces in which permissions are missing. Label
	 * and Role of a namespace may have different authors: it joins when the Role exists,
	 * as if its label were as late, and delays no other namespace.
	 */
	void excuseRefused() {
		if (this.assigned != null && this.selector == null && !this.run.fifo.hasSynced()) {
			this.run.fifo.excuse(this.informer.reflectors.refused());
		}
	}

	private void reportFailure() {
		InformerFailure current = this.assignment.failure();
		if (current != null && current != this.failure) {
			this.informer.reporter.failedPermanently(current);
		}
		this.failure = current;
	}

	private void assign(Set<String> matching) {
		Set<String> before = this.informer.reflectors.states().keySet();
		Set<String> current = withinLimit(matching, before);
		Omission omittedBefore = this.informer.reflectors.omission();
		Omission omitted = omission(matching, current, omittedBefore);
		this.informer.reflectors.assign(current, omitted).forEach(this.run::ended);
		boolean first = this.assigned == null;
		this.assigned = matching;
		this.starting = true;
		this.nextStart = this.time.nanoTime();
		if (this.informer.options().watchedSet() == null && (first || !current.equals(before))) {
			this.informer.reporter.log(Level.INFO, "watches " + current.size() + " namespaces (joined: "
					+ difference(current, before) + "; left: " + difference(before, current) + ")");
		}
		reportOmission(omitted, first ? null : omittedBefore);
		this.informer.reporter.publishNamespaces(current);
	}

	/**
	 * Return the namespaces to watch: those that are watched already come first, others
	 * in the order of their names.
	 */
	private Set<String> withinLimit(Set<String> matching, Set<String> before) {
		InformerOptions options = this.informer.options();
		if (options.namespaceSelector() == null || matching.size() <= options.maxSelectedNamespaces()) {
			return matching;
		}
		return matching.stream()
			.sorted(Comparator.comparing((String name) -> !before.contains(name))
				.thenComparing(Comparator.naturalOrder()))
			.limit(options.maxSelectedNamespaces())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private @Nullable Omission omission(Set<String> matching, Set<String> current, @Nullable Omission before) {
		Set<String> omitted = new TreeSet<>(matching);
		omitted.removeAll(current);
		if (omitted.isEmpty()) {
			return null;
		}
		Moment now = this.time.moment();
		InformerOptions options = this.informer.options();
		String message = "Cannot watch " + omitted.size() + " of the " + matching.size()
				+ " namespaces that match the namespace-selector '" + options.namespaceSelector()
				+ "': max-selected-namespaces is " + options.maxSelectedNamespaces()
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
			this.informer.reporter.log(Level.INFO, "watches all namespaces that match its namespace-selector");
			return;
		}
		this.informer.reporter.log(Level.WARN, "is incomplete: " + current.failure().message());
		this.informer.reporter.publishFailure(current.failure());
	}

	/**
	 * Pass a selector to all reflectors, before those of joined namespaces are started.
	 */
	private void assign(ObjectSelector selected) {
		this.selector = selected;
		this.informer.reflectors.created().forEach((reflector) -> reflector.select(selected));
		this.informer.reporter.log(Level.INFO, "caches the objects of " + selected);
	}

	private static Object difference(Set<String> some, Set<String> others) {
		Set<String> difference = new TreeSet<>(some);
		difference.removeAll(others);
		return (difference.size() <= NAMED) ? difference : difference.size();
	}

	private void start() {
		Throwable failure = this.run.startReflectors();
		this.starting = failure != null;
		if (failure != null) {
			this.nextStart = this.time.nanoTime() + RETRY_NANOS;
			this.informer.reporter.failed(Kind.OTHER, "Cannot start the threads of joined namespaces; retrying",
					failure);
		}
	}

	private long nanosToStart() {
		return this.starting ? Math.max(0, this.nextStart - this.time.nanoTime()) : Long.MAX_VALUE;
	}

}
