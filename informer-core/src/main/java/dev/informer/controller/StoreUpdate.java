/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.json.ObjectContents;
import dev.informer.processor.KeyedEvent;
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

	private final List<KeyedEvent<T>> events = new ArrayList<>();

	private final List<Delta.ReplacedAll<T>> replaced = new ArrayList<>();

	private final Map<String, List<UndecodableObject>> corrupted = new HashMap<>();

	private final Indexer<T> indexer;

	private final Set<String> namespaces;

	private final Set<String> unlisted;

	private final Set<String> mixed;

	private final long receivedAt;

	private @Nullable Set<String> assigned;

	/**
	 * Keys of the store by UID. Kept for a batch only, and only if a change of an object
	 * that is not cached needs them.
	 */
	private @Nullable Map<String, String> keysByUid;

	/**
	 * Create an update without deltas.
	 * @param indexer the store, which remains unchanged
	 * @param namespaces the namespaces of the store
	 * @param unlisted those whose next list is their initial one
	 * @param mixed those with objects of an epoch before that of their last list
	 * @param receivedAt when the batch was received
	 */
	StoreUpdate(Indexer<T> indexer, Set<String> namespaces, Set<String> unlisted, Set<String> mixed, long receivedAt) {
		this.indexer = indexer;
		this.namespaces = namespaces;
		this.unlisted = unlisted;
		this.mixed = mixed;
		this.receivedAt = receivedAt;
	}

	void add(Delta<T> delta) {
		if (delta instanceof Delta.Assigned<T> assignment) {
			assign(assignment.namespaces());
			return;
		}
		if (delta instanceof Delta.Upserted<T> change) {
			if (!change.modified() || !isRenamed(change.namespace(), change.key(), change.object())) {
				boolean comparable = !this.mixed.contains(change.namespace());
				put(change.key(), change.object(), comparable, false);
			}
		}
		else if (delta instanceof Delta.Deleted<T> deletion) {
			T last = deletion.object();
			if (last == null || !isRenamed(deletion.namespace(), deletion.key(), last)) {
				delete(deletion.key(), last, Reason.DELETED);
			}
		}
		else if (delta instanceof Delta.Unreadable<T> unreadable) {
			T current = current(unreadable.key());
			if (current != null && unreadable.replaces(ObjectState.of(current).uid())) {
				delete(unreadable.key(), null, Reason.DELETED);
			}
		}
		else if (delta instanceof Delta.ReplacedAll<T> state) {
			replace(state);
		}
		this.resourceVersions.put(delta.namespace(), delta.resourceVersion());
	}

	private void assign(Set<String> namespaces) {
		for (String namespace : this.namespaces) {
			if (!namespaces.contains(namespace)) {
				this.indexer.keys(namespace).forEach((key) -> delete(key, null, Reason.UNWATCHED));
			}
		}
		this.assigned = namespaces;
	}

	/**
	 * Return whether an object that existed before is cached, but under other names only.
	 * A server renames no object, so bits of the name have changed on the way: now, or
	 * when it was cached.
	 */
	private boolean isRenamed(String namespace, String key, T object) {
		T current = current(key);
		if (current != null && ObjectKey.sameObject(current, object)) {
			return false;
		}
		ObjectState state = ObjectState.of(object);
		if (state.uid() == null || !isCached(state.uid())) {
			return false;
		}
		this.corrupted.computeIfAbsent(namespace, (any) -> new ArrayList<>())
			.add(new UndecodableObject(new ObjectState(null, null, state.uid(), state.resourceVersion()),
					"metadata.name: expected the one under which the metadata.uid is cached", true));
		return true;
	}

	private boolean isCached(String uid) {
		Map<String, String> keys = this.keysByUid;
		if (keys == null) {
			Map<String, String> found = new HashMap<>();
			this.indexer.snapshot().get().forEach((key, object) -> found.put(uid(object), key));
			this.keysByUid = found;
			keys = found;
		}
		String key = keys.get(uid);
		return (key != null && !this.removed.contains(key) && !this.stored.containsKey(key))
				|| this.stored.values().stream().anyMatch((object) -> uid.equals(uid(object)));
	}

	private static String uid(KubernetesObject object) {
		return String.valueOf(ObjectState.of(object).uid());
	}

	private void replace(Delta.ReplacedAll<T> state) {
		Set<String> gone = new HashSet<>();
		for (String key : this.indexer.keys(state.namespace())) {
			T current = state.objects().containsKey(key) ? null : current(key);
			if (current == null) {
				continue;
			}
			if (isExcluded(key, state.selector())) {
				delete(key, null, Reason.UNWATCHED);
			}
			else if (state.isGone(key, ObjectState.of(current).uid())) {
				gone.add(uid(current));
				delete(key, null, Reason.DELETED);
			}
		}
		// one of the two names is wrong, and it is not known which
		if (!gone.isEmpty() && state.objects()
			.entrySet()
			.stream()
			.anyMatch((entry) -> current(entry.getKey()) == null
					&& gone.contains(ObjectState.of(entry.getValue()).uid()))) {
			this.corrupted.computeIfAbsent(state.namespace(), (any) -> new ArrayList<>());
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

	/**
	 * Return the namespaces with names whose bits have changed on the way, with the
	 * objects that are not stored because of that.
	 */
	Map<String, List<UndecodableObject>> corrupted() {
		return this.corrupted;
	}

	List<KeyedEvent<T>> events() {
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

	private boolean isExcluded(String key, @Nullable ObjectSelector selector) {
		T current = current(key);
		return selector != null && current != null && selector.excludes(ObjectState.of(current));
	}

	/**
	 * Store an object, unless it is in the same state as the current one.
	 * @param comparable whether both are of one epoch, so that equal versions prove equal
	 * states
	 */
	private void put(String key, T object, boolean comparable, boolean initialList) {
		T current = current(key);
		if (current == null) {
			add(key, new Added<>(object, initialList));
		}
		else if (ObjectKey.sameState(current, object) && (comparable || ObjectContents.equal(current, object))) {
			return;
		}
		else if (ObjectKey.sameObject(current, object)) {
			add(key, new Updated<>(current, object));
		}
		else {
			add(key, new Deleted<>(current, current, true));
			add(key, new Added<>(object, false));
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
		add(key, new Deleted<>(last, current, last != finalState, reason));
		this.stored.remove(key);
		this.removed.add(key);
	}

	private void add(String key, ResourceEvent<T> event) {
		this.events.add(new KeyedEvent<>(key, ObjectState.of(event.object()).uid(), event));
	}

	private @Nullable T current(String key) {
		T changed = this.stored.get(key);
		if (changed != null) {
			return changed;
		}
		return this.removed.contains(key) ? null : this.indexer.get(key);
	}

}
