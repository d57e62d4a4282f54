/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.Objects;
import java.util.function.Consumer;

import dev.informer.InformerState.Phase;
import dev.informer.cache.Delta;
import dev.informer.client.Cancellation;
import dev.informer.client.ObjectKey;
import dev.informer.client.ShardSelector;
import dev.informer.reflector.RetryDecision.Attempt;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Follows the assignment of a shard: releases the objects of slots that are no longer
 * assigned, and lists those of slots that are assigned in addition, at exactly the
 * version that the watch of the others has reached. So one watch continues all of them,
 * and no object is listed twice. Confined to the thread of its reflector.
 *
 * @param <T> the type of the objects
 */
final class ShardSession<T extends KubernetesObject> {

	private final String namespace;

	private final ShardSource<T> source;

	private final ListSession<T> lists;

	private final Consumer<Delta<T>> sink;

	private final ResourceVersionState versions;

	private final ReflectorStatus status;

	private final ReflectorControl control;

	/** Shard that was assigned, until its objects have been or are about to be listed. */
	private @Nullable ShardSelector assigned;

	/**
	 * Create a session.
	 * @param namespace the namespace of the reflector
	 * @param source lists and watches a shard
	 * @param lists lists from the source
	 * @param sink takes the objects
	 * @param versions the resource version
	 * @param status takes reports
	 * @param control has the assignments
	 */
	ShardSession(String namespace, ShardSource<T> source, ListSession<T> lists, Consumer<Delta<T>> sink,
			ResourceVersionState versions, ReflectorStatus status, ReflectorControl control) {
		this.namespace = namespace;
		this.source = source;
		this.lists = lists;
		this.sink = sink;
		this.versions = versions;
		this.status = status;
		this.control = control;
	}

	/**
	 * Accept an assignment, unless the versions of the server are to be checked first.
	 * @param next the next attempt as it was decided
	 * @return the next attempt
	 */
	Attempt nextAttempt(Attempt next) {
		if (next != Attempt.WATCH && !next.isList()) {
			return next;
		}
		ShardSelector changed = this.control.takeAssignment();
		if (changed != null) {
			this.assigned = changed;
		}
		return (this.assigned != null) ? accept(this.assigned, next) : next;
	}

	private Attempt accept(ShardSelector changed, Attempt next) {
		ShardSelector before = this.source.selector();
		if (before == null || next.isList() || this.versions.isUnset()) {
			select(changed);
			return Attempt.LIST;
		}
		ShardSelector lost = before.without(changed);
		if (!lost.isEmpty()) {
			this.sink.accept(new Delta.Released<>(this.namespace, changed, this.versions.lastSync()));
			this.source.select(before.without(lost));
		}
		if (!changed.without(before).isEmpty()) {
			return Attempt.LIST_ASSIGNED;
		}
		select(changed);
		return next;
	}

	private void select(ShardSelector changed) {
		this.source.select(changed);
		this.assigned = null;
	}

	/**
	 * List what was assigned in addition. If that fails, it remains assigned, so that no
	 * watch begins before another attempt, or a list of all slots because the version has
	 * expired.
	 * @param cancellation cancels the requests
	 */
	ListOutcome<T> listAssigned(Cancellation cancellation) {
		this.status.enter(Phase.LISTING);
		ShardSelector changed = Objects.requireNonNull(this.assigned);
		ShardSelector before = Objects.requireNonNull(this.source.selector());
		ListOutcome<T> outcome = this.lists.listAssigned(this.source.exactly(changed.without(before)), cancellation);
		if (!(outcome instanceof ListOutcome.Listed<T> listed)) {
			return outcome;
		}
		select(changed);
		listed.undecodable().forEach(this.status::undecodable);
		listed.objects()
			.forEach((object) -> this.sink
				.accept(new Delta.Upserted<>(this.namespace, ObjectKey.of(object), object, this.versions.lastSync())));
		return listed.withoutObjects();
	}

}
