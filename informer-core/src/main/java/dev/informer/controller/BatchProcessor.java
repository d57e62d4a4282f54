/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.cache.Batch;
import dev.informer.cache.Indexer;
import dev.informer.cache.ObjectDelta;
import dev.informer.cache.StoreChange;
import dev.informer.client.ObjectKey;
import dev.informer.processor.SharedProcessor;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Applies batches to the store, works out what they mean to somebody who knows what was
 * there before, and then has the handlers told. An object that has another UID than the
 * one before it is another object: the old one is told as deleted first.
 * <p>
 * Whatever can fail is worked out before anything is changed, so a batch is applied as a
 * whole or not at all, and one that has failed can be applied again.
 * <p>
 * <b>Concurrency.</b> Batches are applied by one thread at a time; whoever adds a handler
 * holds the same monitor, so that what the handler is told at first and what it is told
 * afterwards fit together. Reflectors ask for the history at any time; it follows the
 * store.
 *
 * @param <T> the type of the objects
 */
final class BatchProcessor<T extends KubernetesObject> {

	private final Indexer<T> indexer;

	private final SharedProcessor<T> processor;

	private final MutationDetector<T> mutations;

	private final Consumer<ResourceEvent<T>> changes;

	private final Set<String> missingScopes;

	/** Per scope the history that everything which is stored belongs to. */
	private final Map<String, Long> histories = new ConcurrentHashMap<>();

	/** Scopes of which some objects are left from an earlier history. */
	private final Set<String> mixedScopes = new HashSet<>();

	/** The versions of the scopes of which the handlers' queues have everything. */
	private final Map<String, String> told = new ConcurrentHashMap<>();

	private volatile boolean complete;

	BatchProcessor(Indexer<T> indexer, SharedProcessor<T> processor, Collection<String> scopes,
			MutationDetector<T> mutations, Consumer<ResourceEvent<T>> changes) {
		this.indexer = indexer;
		this.processor = processor;
		this.missingScopes = new HashSet<>(scopes);
		this.mutations = mutations;
		this.changes = changes;
	}

	/**
	 * Whether the store has been complete: every scope was replaced once.
	 */
	boolean isComplete() {
		return this.complete;
	}

	/**
	 * Up to which version everything is in the store and in the queues of the handlers.
	 * @return the version; empty before the first list
	 */
	String toldVersion(String scope) {
		return this.told.getOrDefault(scope, "");
	}

	/**
	 * Which of the server's histories the store has. It stays behind that of the
	 * reflector until a list of the new history has been applied, however many were lost
	 * before, and has taken the place of everything.
	 */
	long history(String scope) {
		return this.histories.getOrDefault(scope, 0L);
	}

	/**
	 * Apply a batch and distribute the resulting events.
	 * @param batch the batch
	 * @param receivedNanos the time at which its first change was received
	 */
	synchronized void accept(Batch<T> batch, long receivedNanos) {
		if (batch instanceof Batch.Changes<T> some) {
			change(some, receivedNanos);
		}
		else if (batch instanceof Batch.Replacement<T> replacement) {
			replace(replacement, receivedNanos);
		}
		else if (batch instanceof Batch.Resync<T> resync) {
			resync(resync, receivedNanos);
		}
	}

	/**
	 * What a handler that is added now has to be told first.
	 */
	List<ResourceEvent<T>> known() {
		List<ResourceEvent<T>> known = new ArrayList<>();
		this.indexer.list().forEach((object) -> known.add(new Added<>(object, true)));
		return known;
	}

	private void change(Batch.Changes<T> batch, long receivedNanos) {
		List<ResourceEvent<T>> events = new ArrayList<>();
		List<StoreChange<T>> storeChanges = new ArrayList<>();
		boolean sameHistory = Collections.disjoint(this.mixedScopes, batch.resourceVersions().keySet());
		batch.deltas().forEach((key, deltas) -> {
			T before = this.indexer.get(key);
			T after = before;
			for (ObjectDelta<T> delta : deltas) {
				after = apply(delta, after, sameHistory, events);
			}
			if (after != before) {
				storeChanges.add(new StoreChange<>(key, after));
			}
		});
		this.mutations.note(events);
		this.indexer.apply(storeChanges, batch.resourceVersions());
		tell(events, receivedNanos);
		this.told.putAll(batch.resourceVersions());
	}

	/**
	 * Applies a delta to what is there.
	 * @return what is there then
	 */
	private @Nullable T apply(ObjectDelta<T> delta, @Nullable T current, boolean sameHistory,
			List<ResourceEvent<T>> events) {
		T object = delta.object();
		switch (delta.type()) {
			case ADDED, UPDATED -> {
				if (object == null) {
					throw new IllegalArgumentException("A delta " + delta.type() + " without an object");
				}
				return put(object, current, sameHistory, false, events);
			}
			default -> {
				if (current != null) {
					boolean seen = object != null && ObjectKey.sameObject(current, object);
					events.add((seen && object != null) ? new Deleted<>(object, current, false)
							: new Deleted<>(current, current, true));
				}
				return null;
			}
		}
	}

	private T put(T object, @Nullable T current, boolean sameHistory, boolean initialList,
			List<ResourceEvent<T>> events) {
		if (current == null) {
			events.add(new Added<>(object, initialList));
			return object;
		}
		if (ObjectKey.sameState(current, object) && (sameHistory || current.equals(object))) {
			return current;
		}
		if (ObjectKey.sameObject(current, object)) {
			events.add(new Updated<>(current, object));
			return object;
		}
		events.add(new Deleted<>(current, current, true));
		events.add(new Added<>(object, false));
		return object;
	}

	private void replace(Batch.Replacement<T> batch, long receivedNanos) {
		boolean initialList = this.missingScopes.contains(batch.scope());
		boolean sameHistory = batch.history() == history(batch.scope());
		boolean mixed = false;
		List<ResourceEvent<T>> events = new ArrayList<>();
		List<StoreChange<T>> storeChanges = new ArrayList<>();
		for (String key : this.indexer.keys(batch.scope())) {
			if (batch.isGone(key)) {
				T gone = Objects.requireNonNull(this.indexer.get(key));
				events.add(new Deleted<>(gone, gone, true));
				storeChanges.add(new StoreChange<>(key, null));
			}
			else {
				mixed |= !sameHistory && !batch.objects().containsKey(key);
			}
		}
		batch.objects().forEach((key, object) -> {
			T before = this.indexer.get(key);
			T after = put(object, before, sameHistory, initialList, events);
			if (after != before) {
				storeChanges.add(new StoreChange<>(key, after));
			}
		});
		this.mutations.note(events);
		this.indexer.apply(storeChanges, Map.of(batch.scope(), batch.resourceVersion()));
		applied(batch.scope(), batch.history(), mixed);
		this.missingScopes.remove(batch.scope());
		this.complete = this.missingScopes.isEmpty();
		tell(events, receivedNanos);
		this.told.put(batch.scope(), batch.resourceVersion());
		if (initialList && this.complete) {
			this.processor.initialListDistributed();
		}
	}

	private void applied(String scope, long history, boolean mixed) {
		if (mixed) {
			this.mixedScopes.add(scope);
		}
		else {
			this.mixedScopes.remove(scope);
			this.histories.put(scope, history);
		}
	}

	private void resync(Batch.Resync<T> batch, long receivedNanos) {
		List<ResourceEvent<T>> events = new ArrayList<>();
		for (T object : this.indexer.list()) {
			if (!batch.queued().contains(ObjectKey.of(object))) {
				events.add(new Updated<>(object, object));
			}
		}
		this.processor.distribute(batch.handlers(), events, receivedNanos);
	}

	private void tell(List<ResourceEvent<T>> events, long receivedNanos) {
		this.processor.distribute(events, receivedNanos);
		events.forEach(this.changes);
	}

}
