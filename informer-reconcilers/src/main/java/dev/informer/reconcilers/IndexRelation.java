/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import dev.informer.reconcilers.ReconcilerOptions.Reference;
import dev.informer.work.FollowedCache;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Relation by an index of the primary objects. The cache stores an object for which the
 * index function throws without a value, so the function is called again for it with each
 * change of the objects to which it may refer. Thread-safe.
 */
final class IndexRelation<T extends KubernetesObject> implements Relation {

	private final SharedIndexInformer<T> primaries;

	private final SharedIndexInformer<?> watched;

	private final Reference<?> reference;

	private final String index;

	/**
	 * Keys of the primary objects that the cache has without a value, and whether the
	 * function has thrown when it was called last.
	 */
	private final Map<String, Boolean> unindexed = new ConcurrentHashMap<>();

	IndexRelation(SharedIndexInformer<T> primaries, Reference<?> reference, String index) {
		this.primaries = primaries;
		this.watched = reference.informer();
		this.reference = reference;
		this.index = index;
	}

	@Override
	public Trigger trigger() {
		return Trigger.WATCHED;
	}

	@Override
	public Collection<String> primaries(KubernetesObject object) {
		ObjectState state = ObjectState.of(object);
		String namespace = state.namespace();
		String key = Objects.requireNonNull(state.key());
		String name = Objects.requireNonNull(state.name());
		Lister<T> lister = this.primaries.lister();
		Set<String> keys = new LinkedHashSet<>();
		lister.indexKeys(this.index, key).stream().filter((primary) -> permits(primary, key)).forEach(keys::add);
		if (namespace != null) {
			lister.indexKeys(this.index, name)
				.stream()
				.filter((primary) -> primary.startsWith(namespace + "/"))
				.forEach(keys::add);
		}
		for (String primary : this.unindexed.keySet()) {
			Collection<String> values = unindexedValues(primary);
			if ((values.contains(key) && permits(primary, key))
					|| (values.contains(name) && primary.startsWith(namespace + "/"))) {
				keys.add(primary);
			}
		}
		return keys;
	}

	/**
	 * Return the values of a primary object that is not in the index; none if the
	 * function throws, after which the object is called as soon as it does not.
	 */
	private Collection<String> unindexedValues(String primary) {
		KubernetesObject object = FollowedCache.of(this.primaries).find(primary);
		if (object == null) {
			this.unindexed.remove(primary);
			return List.of();
		}
		try {
			return values(this.primaries.resourceType().type().cast(object));
		}
		catch (Throwable ex) {
			this.unindexed.replace(primary, true);
			return List.of();
		}
	}

	/**
	 * Return the names that a primary object refers to. Throws what the index function
	 * throws.
	 */
	Collection<String> values(T primary) {
		return Objects.requireNonNull(this.primaries.indices().get(this.index)).values(primary);
	}

	/**
	 * Note a primary object that was added or changed, and return its values that cannot
	 * be the name of an object. Throws what the index function throws.
	 */
	List<String> changed(String key, T primary) {
		this.unindexed.put(key, true);
		Collection<String> values = values(primary);
		// it may have thrown when the cache has called it
		if (Set.copyOf(values).equals(Set.copyOf(this.primaries.lister().indexValues(this.index, key)))) {
			this.unindexed.remove(key);
		}
		else {
			this.unindexed.put(key, false);
		}
		return values.stream().filter((value) -> !(isPossible(value) && permits(key, value))).toList();
	}

	private boolean permits(String primary, String value) {
		int slash = primary.indexOf('/');
		return this.reference.permits((slash >= 0) ? primary.substring(0, slash) : null, value);
	}

	private boolean isPossible(String value) {
		ResourceType<?> type = this.watched.resourceType();
		// without a namespace, it is that of the primary object
		boolean local = type.namespaced() && this.primaries.resourceType().namespaced() && value.indexOf('/') < 0;
		return Relation.isKey(type, (local && !value.isBlank()) ? "namespace/" + value : value);
	}

	@Override
	public List<String> retry() {
		return this.unindexed.keySet().stream().filter((primary) -> {
			boolean failed = this.unindexed.replace(primary, true, false);
			unindexedValues(primary);
			return failed && Boolean.FALSE.equals(this.unindexed.get(primary));
		}).toList();
	}

	@Override
	public boolean isFailing() {
		return this.unindexed.containsValue(true);
	}

	@Override
	public String toString() {
		return "watches of " + this.watched.resourceType().type().getSimpleName() + " by index '" + this.index + "'";
	}

}
