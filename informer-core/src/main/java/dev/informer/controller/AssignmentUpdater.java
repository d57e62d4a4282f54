/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.SharedIndexInformer;
import dev.informer.TimeSource;
import dev.informer.client.ShardSelector;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Lets the reflectors of a run follow an {@link Assignment}: those of namespaces that
 * leave end, those of namespaces that join are started. Other namespaces are not
 * affected. All of them follow the changes of a shard.
 * <p>
 * A run begins without namespaces and waits until the assignment is known. Reflectors of
 * an earlier run whose namespaces have left send no request.
 * <p>
 * <b>Concurrency.</b> Confined to the thread of the store, so that no batch is applied
 * during a change.
 *
 * @param <T> the type of the objects
 */
final class AssignmentUpdater<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private static final long RETRY_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	/** Number of namespaces that are logged by name. */
	private static final int NAMED = 10;

	private final InformerParts<T> parts;

	private final Assignment assignment;

	private final Run<T> run;

	/** {@code null} before the first assignment of the run. */
	private @Nullable Set<String> assigned;

	/** {@code null} before the first assignment of the run, or for all objects. */
	private @Nullable ShardSelector shard;

	private @Nullable InformerFailure failure;

	/** Whether a thread may be missing. */
	private boolean starting;

	private long nextStart;

	AssignmentUpdater(InformerParts<T> parts, Assignment assignment, Run<T> run) {
		this.parts = parts;
		this.assignment = assignment;
		this.run = run;
	}

	/**
	 * Apply the changes of the assignment.
	 */
	void update() {
		reportFailure();
		Set<String> current = this.assignment.namespaces();
		if (current != null && !current.equals(this.assigned)) {
			assign(current);
		}
		ShardSelector selected = this.assignment.shard();
		if (selected != null && !selected.equals(this.shard)) {
			assign(selected);
		}
		if (this.starting && nanosToUpdate() <= 0) {
			start();
		}
	}

	/**
	 * Complete the sync without the namespaces in which permissions are missing. Label
	 * and Role of a namespace may have different authors: it joins when the Role exists,
	 * as if its label were as late, and delays no other namespace.
	 */
	void excuseRefused() {
		if (this.assigned != null && this.shard == null && !this.run.fifo().hasSynced()) {
			this.run.fifo().excuse(this.parts.reflectors().refused());
		}
	}

	private void reportFailure() {
		InformerFailure current = this.assignment.failure();
		if (current != null && current != this.failure) {
			this.parts.latch().failed(current);
		}
		this.failure = current;
	}

	private void assign(Set<String> current) {
		Set<String> before = this.parts.reflectors().states().keySet();
		this.parts.reflectors().assign(current, this.run.fifo()).forEach(this.run::ended);
		this.assigned = current;
		this.starting = true;
		this.nextStart = this.parts.time().nanoTime();
		if (this.parts.informer().options().shard() == null) {
			log("Informer '{}' watches {} namespaces (joined: {}; left: {})", current.size(),
					difference(current, before), difference(before, current));
		}
		this.parts.environment()
			.listener()
			.onEvent(new InformerEvent.NamespacesChanged(this.parts.informer(), Set.copyOf(current)));
	}

	/**
	 * Pass a shard to all reflectors, before those of joined namespaces are started.
	 */
	private void assign(ShardSelector selected) {
		this.shard = selected;
		this.parts.reflectors().created().forEach((reflector) -> reflector.assign(selected));
		log("Informer '{}' caches the objects of {}", selected);
	}

	private void log(String message, Object... arguments) {
		LoggingEventBuilder event = logger.atInfo()
			.addKeyValue("informer", this.parts.informer().name())
			.setMessage(message)
			.addArgument(this.parts.informer().name());
		for (Object argument : arguments) {
			event = event.addArgument(argument);
		}
		event.log();
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
			this.nextStart = this.parts.time().nanoTime() + RETRY_NANOS;
			this.parts.failures().threadFailed("Cannot start the threads of joined namespaces; retrying", failure);
		}
	}

	/**
	 * Return the time until {@link #update()} has something to retry.
	 * @return the time in nanoseconds; {@link Long#MAX_VALUE} if it has nothing
	 */
	long nanosToUpdate() {
		return this.starting ? Math.max(0, this.nextStart - this.parts.time().nanoTime()) : Long.MAX_VALUE;
	}

}
