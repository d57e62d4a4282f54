/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.ResourceEvent.Updated;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.ShardSelector;
import dev.informer.client.json.ObjectContents;
import dev.informer.processor.SharedProcessor;
import dev.informer.reflector.ResourceVersions;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Applies batches to the store and distributes the resulting events to the handlers. An
 * object with another UID than its predecessor is another object: the deletion of the old
 * one is delivered first.
 * <p>
 * All changes and events of a batch are computed before the store is changed. So a batch
 * is applied as a whole or not at all, and one that failed can be applied again.
 * <p>
 * <b>Concurrency.</b> Batches are applied by one thread at a time and without a lock:
 * index functions, {@code equals} and listeners are code of the user. The
 * {@link SharedProcessor} gives a new handler the content of the store and then every
 * later event.
 *
 * @param <T> the type of the objects
 */
final class StoreUpdater<T extends KubernetesObject> {

	private final SharedIndexInformer<T> informer;

	private final Indexer<T> indexer;

	private final SharedProcessor<T> processor;

	private final MutationDetector<T> mutations;

	private final InformerListener listener;

	/** Namespaces that were never listed. */
	private final Set<String> missingNamespaces;

	/** Namespaces with objects of an epoch before that of their last list. */
	private final Set<String> mixedNamespaces = new HashSet<>();

	/** By namespace the resource version up to which all events are distributed. */
	private final Map<String, String> distributedVersions = new ConcurrentHashMap<>();

	private volatile Set<String> namespaces;

	private volatile boolean complete;

	/**
	 * Create an updater.
	 * @param informer the informer
	 * @param indexer the store
	 * @param processor distributes the events
	 * @param namespaces the namespaces of the store; empty if they follow by
	 * {@link Delta.Assigned}
	 * @param mutations detects modified objects
	 * @param listener is notified of changes
	 */
	StoreUpdater(SharedIndexInformer<T> informer, Indexer<T> indexer, SharedProcessor<T> processor,
			Collection<String> namespaces, MutationDetector<T> mutations, InformerListener listener) {
		this.informer = informer;
		this.indexer = indexer;
		this.processor = processor;
		this.namespaces = Set.copyOf(namespaces);
		this.missingNamespaces = new HashSet<>(namespaces);
		this.mutations = mutations;
		this.listener = listener;
	}

	/**
	 * Return whether the store has been complete: every namespace was listed once.
	 */
	boolean isComplete() {
		return this.complete;
	}

	/**
	 * Return the number of stored objects.
	 */
	int size() {
		return this.indexer.size();
	}

	/**
	 * Return the resource version up to which the store is updated and the events are in
	 * the queues of the handlers; empty before the first list.
	 */
	String distributedVersion(String namespace) {
		return this.distributedVersions.getOrDefault(namespace, "");
	}

	/**
	 * Return whether every namespace has reached a resource version, including the
	 * distribution of the events.
	 * @throws IllegalStateException if a version of the store cannot be compared
	 */
	boolean hasReached(String resourceVersion) {
		Set<String> current = this.namespaces;
		boolean known = this.complete || !current.isEmpty();
		return known && current.stream().map(this::distributedVersion).allMatch((reached) -> {
			if (!reached.isEmpty() && !ResourceVersions.hasOrder(reached)) {
				throw new IllegalStateException("Cannot wait for resource version '" + resourceVersion + "': informer '"
						+ this.informer.name() + "' is at '" + reached + "', which is not comparable.");
			}
			return !reached.isEmpty() && !ResourceVersions.isBefore(reached, resourceVersion);
		});
	}

	/**
	 * Return the lowest resource version that a namespace of the store has reached; empty
	 * before the sync.
	 */
	String resourceVersion() {
		boolean synced = this.complete;
		return ResourceVersions.lowest(this.namespaces.stream()
			.map(this.indexer::resourceVersion)
			.filter((version) -> !(synced && version.isEmpty()))
			.toList());
	}

	/**
	 * Consider the store complete, although some namespaces may have been excused.
	 */
	void completed() {
		if (!this.complete) {
			this.complete = true;
			this.processor.distribute(List.of(), 0, this.indexer.snapshot(), true);
		}
	}

	/**
	 * Apply a batch.
	 */
	void apply(Batch<T> batch) {
		Update update = new Update();
		batch.deltas().forEach(update::add);
		this.mutations.record(update.events);
		this.indexer.apply(update.removed, update.stored, update.resourceVersions);
		// an index function or equals may have left the flag, which would end a wait of a
		// listener
		Thread.interrupted();
		update.replaced.forEach(this::replaced);
		if (update.assigned != null) {
			assigned(update.assigned);
		}
		this.processor.distribute(update.events, batch.receivedAt(), this.indexer.snapshot(), this.complete);
		update.events
			.forEach((event) -> this.listener.onEvent(new InformerEvent.CacheChanged(this.informer, event.type())));
		this.distributedVersions.putAll(update.resourceVersions);
	}

	/**
	 * Deliver every stored object to some handlers once more.
	 * @param handlers the names of the handlers
	 * @param queuedKeys the keys to leave out, because a newer state is queued
	 * @param receivedAt when the resync was queued
	 */
	void syncAll(Set<String> handlers, Set<String> queuedKeys, long receivedAt) {
		List<ResourceEvent<T>> events = new ArrayList<>();
		for (T object : this.indexer.list()) {
			if (!queuedKeys.contains(ObjectKey.of(object))) {
				events.add(new Updated<>(object, object));
			}
		}
		this.processor.distribute(handlers, events, receivedAt);
	}

	/**
	 * Begin the epoch of a list, unless an object of an earlier one is left. The epoch of
	 * the store stays behind that of the reflector until then.
	 */
	private void replaced(Delta.ReplacedAll<T> state) {
		boolean mixed = state.epoch() != this.indexer.epoch(state.namespace())
				&& this.indexer.keys(state.namespace()).stream().anyMatch((key) -> !state.objects().containsKey(key));
		if (mixed) {
			this.mixedNamespaces.add(state.namespace());
		}
		else {
			this.mixedNamespaces.remove(state.namespace());
			this.indexer.beginEpoch(state.namespace(), state.epoch());
		}
		this.missingNamespaces.remove(state.namespace());
		this.complete |= this.missingNamespaces.isEmpty();
	}

	private void assigned(Set<String> assigned) {
		Set<String> left = new HashSet<>(this.namespaces);
		left.removeAll(assigned);
		Set<String> joined = new HashSet<>(assigned);
		joined.removeAll(this.namespaces);
		this.namespaces = assigned;
		this.indexer.forget(left);
		this.distributedVersions.keySet().removeAll(left);
		this.mixedNamespaces.removeAll(left);
		this.missingNamespaces.removeAll(left);
		this.missingNamespaces.addAll(joined);
		this.complete |= this.missingNamespaces.isEmpty();
	}

	/**
	 * Effect of a batch on the store and the events that follow from it.
	 */
	private final class Update {

		private final Set<String> removed = new LinkedHashSet<>();

		private final Map<String, T> stored = new LinkedHashMap<>();

		private final Map<String, String> resourceVersions = new HashMap<>();

		private final List<ResourceEvent<T>> events = new ArrayList<>();

		private final List<Delta.ReplacedAll<T>> replaced = new ArrayList<>();

		private @Nullable Set<String> assigned;

		void add(Delta<T> delta) {
			if (delta instanceof Delta.Assigned<T> assignment) {
				assign(assignment.namespaces());
				return;
			}
			if (delta instanceof Delta.Upserted<T> change) {
				boolean comparable = !StoreUpdater.this.mixedNamespaces.contains(change.namespace());
				put(change.key(), change.object(), comparable, false);
			}
			else if (delta instanceof Delta.Deleted<T> deletion) {
				delete(deletion.key(), deletion.object(), Reason.DELETED);
			}
			else if (delta instanceof Delta.Released<T> released) {
				StoreUpdater.this.indexer.keys(released.namespace())
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
			boolean sharded = StoreUpdater.this.informer.options().shard() != null;
			Reason reason = sharded ? Reason.MOVED : Reason.NAMESPACE_LEFT;
			for (String namespace : StoreUpdater.this.namespaces) {
				if (!namespaces.contains(namespace)) {
					StoreUpdater.this.indexer.keys(namespace).forEach((key) -> delete(key, null, reason));
				}
			}
			this.assigned = namespaces;
		}

		private void replace(Delta.ReplacedAll<T> state) {
			for (String key : StoreUpdater.this.indexer.keys(state.namespace())) {
				if (state.isGone(key)) {
					delete(key, null, isExcluded(key, state.shard()) ? Reason.MOVED : Reason.DELETED);
				}
			}
			boolean comparable = state.epoch() == StoreUpdater.this.indexer.epoch(state.namespace());
			boolean initialList = !StoreUpdater.this.complete
					&& StoreUpdater.this.missingNamespaces.contains(state.namespace());
			state.objects().forEach((key, object) -> put(key, object, comparable, initialList));
			this.replaced.add(state);
		}

		private boolean isExcluded(String key, @Nullable ShardSelector shard) {
			T current = current(key);
			return shard != null && current != null && shard.excludes(ObjectState.of(current));
		}

		/**
		 * Store an object, unless it is in the same state as the current one.
		 * @param comparable whether both are of one epoch, so that equal versions prove
		 * equal states
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
		 * Delete an object. The final state counts only when it is one of the stored
		 * object, not of another one that had its name in between.
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
			return this.removed.contains(key) ? null : StoreUpdater.this.indexer.get(key);
		}

	}

}
