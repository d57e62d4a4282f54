/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.ResourceEvent.Updated;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.ShardSelector;
import dev.informer.client.json.ObjectContents;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Effect of a batch on the store and the events that follow from it. Does not change the
 * store.
 *
 * @param <T> the type of the objects
 */
final class StoreUpdate<T extends KubernetesObject> {

	private final Set<String> removed = new LinkedHashSet<>();

	private final Map<String, T> stored = new LinkedHashMap<>();

	private final Map<String, String> resourceVersions = new HashMap<>();

	private final List<ResourceEvent<T>> events = new ArrayList<>();

	private final List<Delta.ReplacedAll<T>> replaced = new ArrayList<>();

	private final Indexer<T> indexer;

	private final Set<String> namespaces;

	private final Set<String> unlisted;

	private final Set<String> mixed;

	private final boolean sharded;

	private final long receivedAt;

	private @Nullable Set<String> assigned;

	/**
	 * Create an update without deltas.
	 * @param indexer the store, which remains unchanged
	 * @param namespaces the namespaces of the store
	 * @param unlisted those whose next list is their initial one
	 * @param mixed those with objects of an epoch before that of their last list
	 * @param sharded whether the store has the objects of a shard only
	 * @param receivedAt when the batch was received
	 */
	StoreUpdate(Indexer<T> indexer, Set<String> namespaces, Set<String> unlisted, Set<String> mixed, boolean sharded,
			long receivedAt) {
		this.indexer = indexer;
		this.namespaces = namespaces;
		this.unlisted = unlisted;
		this.mixed = mixed;
		this.sharded = sharded;
		this.receivedAt = receivedAt;
	}

	void add(Delta<T> delta) {
		if (delta instanceof Delta.Assigned<T> assignment) {
			assign(assignment.namespaces());
			return;
		}
		if (delta instanceof Delta.Upserted<T> change) {
			boolean comparable = !this.mixed.contains(change.namespace());
			put(change.key(), change.object(), comparable, false);
		}
		else if (delta instanceof Delta.Deleted<T> deletion) {
			delete(deletion.key(), deletion.object(), Reason.DELETED);
		}
		else if (delta instanceof Delta.Released<T> released) {
			this.indexer.keys(released.namespace())
				.stream()
				.filter((key) -> isExcluded(key, released.shard()))
				.forEach((key) -> delete(key, null, Reason.MOVED));
		}
		else if (delta instanceof Delta.ReplacedAll<T> state) {
			replace(state);
		}
		this.resourceVersions.put(delta.namespace(), delta.resourceVersion());
	}

	private void assign(Set<String> namespaces) {
		// without slots, an informer of a shard has no namespaces
		Reason reason = this.sharded ? Reason.MOVED : Reason.NAMESPACE_LEFT;
		for (String namespace : this.namespaces) {
			if (!namespaces.contains(namespace)) {
				this.indexer.keys(namespace).forEach((key) -> delete(key, null, reason));
			}
		}
		this.assigned = namespaces;
	}

	private void replace(Delta.ReplacedAll<T> state) {
		for (String key : this.indexer.keys(state.namespace())) {
			if (state.isGone(key)) {
				delete(key, null, isExcluded(key, state.shard()) ? Reason.MOVED : Reason.DELETED);
			}
		}
		boolean comparable = state.epoch() == this.indexer.epoch(state.namespace());
		boolean initialList = this.unlisted.contains(state.namespace());
		state.objects().forEach((key, object) -> put(key, object, comparable, initialList));
		this.replaced.add(state);
	}

	Set<String> removed() {
		return this.removed;
	}

	Map<String, T> stored() {
		return this.stored;
	}

	Map<String, String> resourceVersions() {
		return this.resourceVersions;
	}

	List<ResourceEvent<T>> events() {
		return this.events;
	}

	long receivedAt() {
		return this.receivedAt;
	}

	/**
	 * Return the namespaces that were listed, with their objects.
	 */
	List<Delta.ReplacedAll<T>> replaced() {
		return this.replaced;
	}

	/**
	 * Return the namespaces of the store from now on; {@code null} if they remain.
	 */
	@Nullable Set<String> assigned() {
		return this.assigned;
	}

	private boolean isExcluded(String key, @Nullable ShardSelector shard) {
		T current = current(key);
		return shard != null && current != null && shard.excludes(ObjectState.of(current));
	}

	/**
	 * Store an object, unless it is in the same state as the current one.
	 * @param comparable whether both are of one epoch, so that equal versions prove equal
	 * states
	 */
	private void put(String key, T object, boolean comparable, boolean initialList) {
		T current = current(key);
		if (current == null) {
			this.events.add(new Added<>(object, initialList));
		}
		else if (ObjectKey.sameState(current, object) && (comparable || ObjectContents.equal(current, object))) {
			return;
		}
		else if (ObjectKey.sameObject(current, object)) {
			this.events.add(new Updated<>(current, object));
		}
		else {
			this.events.add(new Deleted<>(current, current, true));
			this.events.add(new Added<>(object, false));
		}
		this.stored.put(key, object);
	}

	/**
	 * Delete an object. The final state counts only when it is one of the stored object,
	 * not of another one that had its name in between.
	 */
	private void delete(String key, @Nullable T finalState, Reason reason) {
		T current = current(key);
		if (current == null) {
			return;
		}
		T last = (finalState != null && ObjectKey.sameObject(current, finalState)) ? finalState : current;
		this.events.add(new Deleted<>(last, current, last != finalState, reason));
		this.stored.remove(key);
		this.removed.add(key);
	}

	private @Nullable T current(String key) {
		T changed = this.stored.get(key);
		if (changed != null) {
			return changed;
		}
		return this.removed.contains(key) ? null : this.indexer.get(key);
	}

}
