/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Mapping of the events of one informer to the keys of primary objects. Each state of an
 * object, the old and the new one, is mapped by each relation. What throws is mapped
 * again with the next change of the object and after a delay, until it does not, so no
 * primary object misses a change.
 * <p>
 * <b>Concurrency.</b> Confined to the thread of its handler.
 */
final class EventMapping<T extends KubernetesObject> {

	/** Number of failed states of one object from which further ones are not kept. */
	private static final int MAX_STATES = 8;

	private final Dependents<T> dependents;

	private final List<Relation> relations;

	private final boolean ofPrimaries;

	private final BiConsumer<String, Trigger> triggers;

	private final CallTimer timer;

	private final CallLog log;

	/** States that could not be mapped, by relation and key. */
	private final Map<Relation, Map<String, Set<KubernetesObject>>> unmapped = new HashMap<>();

	/** On whose thread what has failed is mapped again. */
	private final CompletableFuture<HandlerRegistration> handler = new CompletableFuture<>();

	private int failedRetries;

	private boolean retryScheduled;

	/**
	 * Create a mapping.
	 * @param triggers lets a key wait for a call if its object exists
	 */
	EventMapping(SharedIndexInformer<?> informer, Dependents<T> dependents, BiConsumer<String, Trigger> triggers,
			CallTimer timer, CallLog log) {
		this.dependents = dependents;
		this.relations = dependents.relations(informer);
		this.ofPrimaries = informer == dependents.primaries();
		this.triggers = triggers;
		this.timer = timer;
		this.log = log;
	}

	void handler(HandlerRegistration handler) {
		this.handler.complete(handler);
	}

	/**
	 * Map an event.
	 */
	void map(ResourceEvent<?> event) {
		String key = ObjectKey.of(event.object());
		for (Relation relation : this.relations) {
			map(relation, key, Stream.of(event.previous(), event.object()).filter(Objects::nonNull),
					Dependents.trigger(event, relation.trigger()));
		}
		scheduleRetry();
	}

	/**
	 * Note a primary object that was added or changed.
	 */
	void changed(String key, T primary) {
		for (IndexRelation<T> relation : this.dependents.indexRelations()) {
			guarded(relation, key, () -> relation.changed(key, primary)
				.forEach((value) -> impossible(relation, key, value, (value.indexOf('/') > 0 && key.indexOf('/') > 0)
						? "the name of an object in the namespace of the primary object" : "the name of an object")));
		}
		scheduleRetry();
	}

	private void map(Relation relation, String key, Stream<? extends KubernetesObject> states, Trigger trigger) {
		Map<String, Set<KubernetesObject>> failed = this.unmapped.computeIfAbsent(relation, (any) -> new HashMap<>());
		Set<KubernetesObject> left = Collections.newSetFromMap(new IdentityHashMap<>());
		left.addAll(failed.getOrDefault(key, Set.of()));
		if (left.size() < MAX_STATES) {
			states.forEach(left::add);
		}
		left.removeIf((state) -> guarded(relation, key, () -> trigger(relation, key, state, trigger)));
		failed.remove(key);
		if (!left.isEmpty()) {
			failed.put(key, left);
		}
	}

	private void trigger(Relation relation, String key, KubernetesObject state, Trigger trigger) {
		for (String primary : relation.primaries(state)) {
			if (Relation.isKey(this.dependents.primaries().resourceType(), primary)) {
				this.triggers.accept(primary, trigger);
			}
			else {
				impossible(relation, key, primary, "the key of a primary object");
			}
		}
	}

	private void impossible(Relation relation, String key, @Nullable String value, String meaning) {
		this.log.report(Level.WARN, relation + " of impossible keys",
				"Reconciler '" + this.dependents.reconciler() + "' ignores '" + UntrustedText.of(String.valueOf(value))
						+ "', which cannot be " + meaning + ", from its " + relation + " for " + UntrustedText.of(key),
				null);
	}

	/**
	 * Run code of the user, and return whether it has not thrown.
	 */
	private boolean guarded(Relation relation, String key, Runnable action) {
		try {
			action.run();
			return true;
		}
		catch (Throwable ex) {
			this.log
				.report(Level.ERROR, relation.toString(),
						"Reconciler '" + this.dependents.reconciler() + "' could not map " + UntrustedText.of(key)
								+ " by its " + relation + "; trying again in " + TimeSource.millis(delay()) + " ms",
						ex);
			return false;
		}
		finally {
			Thread.interrupted();
		}
	}

	private Duration delay() {
		return ReconcilerOptions.DEFAULT_RETRY.delay(this.failedRetries + 1, 0);
	}

	private boolean isFailing() {
		return this.unmapped.values().stream().anyMatch((failed) -> !failed.isEmpty())
				|| this.relations.stream().anyMatch(Relation::isFailing)
				|| (this.ofPrimaries && this.dependents.indexRelations().stream().anyMatch(Relation::isFailing));
	}

	private void scheduleRetry() {
		if (!isFailing()) {
			this.failedRetries = 0;
		}
		else if (!this.retryScheduled) {
			this.retryScheduled = true;
			this.timer.schedule(() -> this.handler.thenAccept((own) -> own.whenSynced(this::retry)), delay());
		}
	}

	private void retry() {
		this.retryScheduled = false;
		this.failedRetries++;
		this.unmapped.forEach((relation, failed) -> List.copyOf(failed.keySet())
			.forEach((key) -> map(relation, key, Stream.empty(), relation.trigger())));
		Stream.concat(this.relations.stream(), this.dependents.indexRelations().stream())
			.distinct()
			.forEach((relation) -> relation.retry()
				.forEach((primary) -> this.triggers.accept(primary, relation.trigger())));
		scheduleRetry();
	}

}
