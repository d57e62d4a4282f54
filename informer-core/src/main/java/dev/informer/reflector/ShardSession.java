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

	/** Shard of the next {@link Attempt#LIST_ASSIGNED}. */
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
		ShardSelector changed = (next == Attempt.WATCH || next.isList()) ? this.control.takeAssignment() : null;
		return (changed != null) ? accept(changed, next) : next;
	}

	private Attempt accept(ShardSelector changed, Attempt next) {
		ShardSelector before = this.source.selector();
		if (before == null || next.isList() || this.versions.isUnset()) {
			this.source.select(changed);
			return Attempt.LIST;
		}
		if (!before.without(changed).isEmpty()) {
			this.sink.accept(new Delta.Released<>(this.namespace, changed, this.versions.lastSync()));
		}
		if (!changed.without(before).isEmpty()) {
			this.assigned = changed;
			return Attempt.LIST_ASSIGNED;
		}
		this.source.select(changed);
		return next;
	}

	/**
	 * List what was assigned in addition. If that fails, for example because the version
	 * has expired, the list that follows contains it.
	 * @param cancellation cancels the requests
	 */
	ListOutcome<T> listAssigned(Cancellation cancellation) {
		this.status.enter(Phase.LISTING);
		ShardSelector changed = Objects.requireNonNull(this.assigned);
		ShardSelector before = Objects.requireNonNull(this.source.selector());
		ListOutcome<T> outcome = this.lists.listAssigned(this.source.exactly(changed.without(before)), cancellation);
		this.source.select(changed);
		if (!(outcome instanceof ListOutcome.Listed<T> listed)) {
			return outcome;
		}
		listed.undecodable().forEach(this.status::undecodable);
		listed.objects()
			.forEach((object) -> this.sink
				.accept(new Delta.Upserted<>(this.namespace, ObjectKey.of(object), object, this.versions.lastSync())));
		return listed.withoutObjects();
	}

}
