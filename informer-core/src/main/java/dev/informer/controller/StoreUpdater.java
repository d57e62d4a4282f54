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

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.ResourceEvent.Updated;
import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.type.ValueType;
import dev.informer.processor.KeyedEvent;
import dev.informer.processor.MutationDetector;
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
 * is applied as a whole or not at all, and one that failed can be applied again. Once the
 * store has changed, the batch is only {@link #complete() completed}: computed again from
 * the changed store, its events would be others.
 * <p>
 * <b>Concurrency.</b> Batches are applied by one thread at a time and without a lock:
 * index functions, {@code equals} and listeners are code of the user. The
 * {@link SharedProcessor} gives a new handler the content of the store and then every
 * later event.
 */
final class StoreUpdater<T extends KubernetesObject> {

	private final Indexer<T> indexer;

	private final SharedProcessor<T> processor;

	private final MutationDetector<T> mutations;

	private final InformerReporter reporter;

	/** Namespaces that were never listed. */
	private final Set<String> missingNamespaces;

	/** Namespaces with objects of an epoch before that of their last list. */
	private final Set<String> mixedNamespaces = new HashSet<>();

	/** By namespace the resource version up to which all events are distributed. */
	private final Map<String, String> distributedVersions = new ConcurrentHashMap<>();

	/** By namespace the epoch of its last list. */
	private final Map<String, Long> listedEpochs = new HashMap<>();

	/** Number of lists of another epoch than the one before. */
	private volatile long epoch;

	private volatile Set<String> namespaces;

	private volatile boolean complete;

	/** Update of the store whose events are not distributed to all handlers yet. */
	private volatile @Nullable Update incomplete;

	/**
	 * Create an updater. The namespaces are empty if they follow by
	 * {@link Delta.Assigned}.
	 */
	StoreUpdater(Indexer<T> indexer, SharedProcessor<T> processor, MutationDetector<T> mutations,
			Collection<String> namespaces, InformerReporter reporter) {
		this.indexer = indexer;
		this.processor = processor;
		this.mutations = mutations;
		this.namespaces = Set.copyOf(namespaces);
		this.missingNamespaces = new HashSet<>(namespaces);
		this.reporter = reporter;
	}

	/**
	 * Return whether the store has been complete: every namespace was listed once.
	 */
	boolean isComplete() {
		return this.complete;
	}

	/**
	 * Return a number that grows when a namespace is listed in another epoch. It does so
	 * while the list is distributed.
	 */
	long epoch() {
		return this.epoch;
	}

	/**
	 * Return the resource version up to which the store is updated and the events are in
	 * the queues of the handlers; empty before the first list.
	 */
	String distributedVersion(String namespace) {
		return this.distributedVersions.getOrDefault(namespace, "");
	}

	/**
	 * Return whether every namespace has reached a resource version, or with
	 * {@code within} those that contain it, including the distribution of the events.
	 * @throws IllegalStateException if a version of the store cannot be compared
	 */
	boolean hasReached(String resourceVersion, @Nullable String within) {
		List<String> current = this.namespaces.stream()
			.filter((namespace) -> within == null || namespace.isEmpty() || namespace.equals(within))
			.toList();
		boolean known = this.incomplete == null && (!current.isEmpty() || (this.complete && within == null));
		return known && current.stream().map(this::distributedVersion).allMatch((reached) -> {
			if (!reached.isEmpty() && !ResourceVersions.hasOrder(reached)) {
				throw new IllegalStateException("Cannot wait for resource version '" + resourceVersion + "': informer '"
						+ this.reporter.name() + "' is at '" + reached + "', which is not comparable.");
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
	 * Consider the store complete, although some namespaces may have been excused, and
	 * let the handlers know.
	 */
	void synced() {
		if (!this.complete) {
			this.processor.distribute(List.of(), 0, this.indexer.snapshot(), true);
			this.complete = true;
		}
		this.processor.initialListDistributed();
	}

	/**
	 * Return the number of objects in the store.
	 */
	int size() {
		return this.indexer.size();
	}

	void wakeHandlers() {
		this.processor.wakeHandlers();
	}

	/**
	 * Return the nanoseconds until there is something to {@link #supervise()}.
	 */
	long nanosToSupervision() {
		return Math.min(this.mutations.nanosToCheck(),
				Math.min(this.processor.nanosToResync(), this.processor.nanosToStartThreads()));
	}

	/**
	 * Wake the handlers, look for mutated objects, and return the handlers whose resync
	 * is due, once for each.
	 */
	Set<String> supervise() {
		wakeHandlers();
		this.mutations.check();
		return (this.processor.nanosToResync() <= 0) ? this.processor.takeResyncDue() : Set.of();
	}

	/**
	 * Apply a batch to the store, after {@link #complete()} and before it.
	 * @return the namespaces with names whose bits have changed on the way, with the
	 * objects that are not stored because of that
	 */
	Map<String, List<UndecodableObject>> apply(Batch<T> batch) {
		Update update = new Update(batch.receivedAt());
		batch.deltas().forEach(update::add);
		this.mutations.record(update.events);
		this.indexer.apply(update.removed, update.stored, update.resourceVersions);
		this.incomplete = update;
		return update.corrupted;
	}

	/**
	 * Distribute the events of the last update of the store, unless that was done. After
	 * a failure it continues where it has failed.
	 */
	void complete() {
		Update update = this.incomplete;
		if (update == null) {
			return;
		}
		// an index function or equals may have left the flag, which would end a wait of a
		// listener
		Thread.interrupted();
		update.replaced.forEach(this::replaced);
		if (update.assigned != null) {
			assigned(update.assigned);
		}
		this.processor.distribute(update.events, update.receivedAt, this.indexer.snapshot(), this.complete);
		update.resourceVersions
			.forEach((namespace, version) -> this.distributedVersions.compute(namespace, (any, before) -> version));
		this.incomplete = null;
		update.events.forEach((keyed) -> this.reporter.publishChange(keyed.event().type()));
	}

	/**
	 * Deliver every stored object to the handlers with these names once more.
	 * @param queuedKeys the keys to leave out, because a newer state is queued
	 * @param receivedAt when the resync was queued
	 */
	void syncAll(Set<String> handlers, Set<String> queuedKeys, long receivedAt) {
		List<KeyedEvent<T>> events = new ArrayList<>();
		this.indexer.snapshot().get().forEach((key, object) -> {
			if (!queuedKeys.contains(key)) {
				events.add(new KeyedEvent<>(key, KeyedEvent.uid(object), new Updated<>(object, object)));
			}
		});
		this.processor.distribute(handlers, events, receivedAt);
	}

	/**
	 * Begin the epoch of a list, unless an object of an earlier one is left. The epoch of
	 * the store stays behind that of the reflector until then.
	 */
	private void replaced(Delta.ReplacedAll<T> state) {
		Long before = this.listedEpochs.put(state.namespace(), state.epoch());
		if (before != null && before != state.epoch()) {
			long next = this.epoch + 1;
			this.epoch = next;
		}
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
		this.indexer.forget(left);
		this.mixedNamespaces.removeAll(left);
		this.listedEpochs.keySet().removeAll(left);
		this.missingNamespaces.removeAll(left);
		this.missingNamespaces.addAll(joined);
		this.namespaces = assigned;
		this.complete |= this.missingNamespaces.isEmpty();
	}

	/**
	 * Effect of a batch on the store and the events that follow from it. Does not change
	 * the store.
	 */
	private final class Update {

		private final Set<String> removed = new LinkedHashSet<>();

		private final Map<String, T> stored = new LinkedHashMap<>();

		/** By namespace; {@code null} for one that leaves. */
		private final Map<String, @Nullable String> resourceVersions = new HashMap<>();

		private final List<KeyedEvent<T>> events = new ArrayList<>();

		/** Namespaces that were listed, with their objects. */
		private final List<Delta.ReplacedAll<T>> replaced = new ArrayList<>();

		/**
		 * Namespaces with names whose bits have changed on the way, with the objects that
		 * are not stored because of that.
		 */
		private final Map<String, List<UndecodableObject>> corrupted = new HashMap<>();

		private final long receivedAt;

		/** Namespaces of the store from now on; {@code null} if they remain. */
		private @Nullable Set<String> assigned;

		/**
		 * Keys of the store by UID. Kept for a batch only, and only if a change of an
		 * object that is not cached needs them.
		 */
		private @Nullable Map<String, String> keysByUid;

		Update(long receivedAt) {
			this.receivedAt = receivedAt;
		}

		void add(Delta<T> delta) {
			if (delta instanceof Delta.Assigned<T> assignment) {
				assign(assignment.namespaces());
				return;
			}
			if (delta instanceof Delta.Upserted<T> change) {
				if (!change.modified() || !isRenamed(change.namespace(), change.key(), change.object())) {
					boolean comparable = !StoreUpdater.this.mixedNamespaces.contains(change.namespace());
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
			for (String namespace : StoreUpdater.this.namespaces) {
				if (!namespaces.contains(namespace)) {
					StoreUpdater.this.indexer.keys(namespace).forEach((key) -> delete(key, null, Reason.UNWATCHED));
					// in the same step, so that no reader finds the namespace empty
					this.resourceVersions.put(namespace, null);
				}
			}
			this.assigned = namespaces;
		}

		/**
		 * Return whether an object that existed before is cached, but under other names
		 * only. A server renames no object, so bits of the name have changed on the way:
		 * now, or when it was cached.
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
				StoreUpdater.this.indexer.snapshot().get().forEach((key, object) -> found.put(uid(object), key));
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
			for (String key : StoreUpdater.this.indexer.keys(state.namespace())) {
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
			boolean comparable = state.epoch() == StoreUpdater.this.indexer.epoch(state.namespace());
			boolean initialList = !StoreUpdater.this.complete
					&& StoreUpdater.this.missingNamespaces.contains(state.namespace());
			state.objects().forEach((key, object) -> put(key, object, comparable, initialList));
			this.replaced.add(state);
		}

		private boolean isExcluded(String key, @Nullable ObjectSelector selector) {
			T current = current(key);
			return selector != null && current != null && selector.excludes(ObjectState.of(current));
		}

		/**
		 * Store an object, unless it is in the same state as the current one.
		 * @param comparable whether both are of one epoch, so that equal versions prove
		 * equal states
		 */
		private void put(String key, T object, boolean comparable, boolean initialList) {
			T current = current(key);
			if (current == null) {
				add(key, new Added<>(object, initialList));
			}
			else if (isUnchanged(current, object, comparable)) {
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
		 * Return whether two states are equal. Those without a version, as some
		 * aggregated API servers have, are compared.
		 */
		private boolean isUnchanged(T current, T object, boolean comparable) {
			String version = ObjectState.of(object).resourceVersion();
			return (version != null && !version.isEmpty())
					? ObjectKey.sameState(current, object) && (comparable || ValueType.equal(current, object))
					: ObjectKey.sameObject(current, object) && ValueType.equal(current, object);
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
			return this.removed.contains(key) ? null : StoreUpdater.this.indexer.find(key);
		}

	}

}
