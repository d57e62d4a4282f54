/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

import dev.informer.InformerFailure.Kind;
import dev.informer.ObjectTransform;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.cache.Indexer;
import dev.informer.cache.StaleObjects;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Entrance of the queue: applies the transform of an informer to each delta and queues
 * the result. An object whose transform fails is treated as undecodable: the cache keeps
 * its last state.
 * <p>
 * <b>Concurrency.</b> Called on the threads of the reflectors. It has no state but the
 * transform, which any thread may set.
 */
final class TransformingSink<T extends KubernetesObject> {

	private final Indexer<T> cache;

	private final ResourceType<T> resourceType;

	private final InformerReporter reporter;

	private final TimeSource time;

	private volatile @Nullable ObjectTransform<T> transform;

	/**
	 * Create a sink that leaves objects unchanged.
	 */
	TransformingSink(Indexer<T> cache, ResourceType<T> resourceType, InformerReporter reporter, TimeSource time) {
		this.cache = cache;
		this.resourceType = resourceType;
		this.reporter = reporter;
		this.time = time;
	}

	/**
	 * Set the transform, and return whether there was none before.
	 */
	boolean set(ObjectTransform<T> transform) {
		boolean first = this.transform == null;
		if (first) {
			this.transform = transform;
		}
		return first;
	}

	boolean isTransforming() {
		return this.transform != null;
	}

	/**
	 * Queue a delta of a reflector if {@code current} is true: the reflector has not
	 * ended. Return it after the transform.
	 */
	Delta<T> accept(Delta<T> delta, DeltaFifo<T> fifo, BooleanSupplier current) {
		ObjectTransform<T> applied = this.transform;
		Delta<T> result = (applied != null) ? transformed(delta, applied) : delta;
		updateStaleObjects(result);
		fifo.add(result, current);
		return result;
	}

	/**
	 * Record which objects could be read. The deltas of a namespace arrive in order here,
	 * and later ones have not been decoded.
	 */
	private void updateStaleObjects(Delta<T> delta) {
		StaleObjects stale = this.cache.staleObjects();
		if (delta instanceof Delta.Upserted<T> change) {
			stale.remove(change.key());
		}
		else if (delta instanceof Delta.Deleted<T> deletion) {
			stale.remove(deletion.key());
		}
		else if (delta instanceof Delta.ReplacedAll<T> state) {
			Set<String> retained = new HashSet<>(state.retained().keySet());
			if (!state.complete()) {
				retained.add(StaleObjects.unnamed(state.namespace()));
			}
			stale.retain(state.namespace(), retained);
		}
	}

	private Delta<T> transformed(Delta<T> delta, ObjectTransform<T> current) {
		if (delta instanceof Delta.Upserted<T> change) {
			// before the transform, which may change the object
			ObjectState identity = ObjectState.of(change.object());
			T object = transformed(change.key(), change.object(), current);
			return (object != null)
					? new Delta.Upserted<>(change.namespace(), change.key(), object, change.resourceVersion(),
							change.modified())
					: Delta.ofUnreadable(change.namespace(), identity, change.resourceVersion());
		}
		if (delta instanceof Delta.Deleted<T> deletion && deletion.object() != null) {
			T object = transformed(deletion.key(), deletion.object(), current);
			return new Delta.Deleted<>(deletion.namespace(), deletion.key(), object, deletion.resourceVersion());
		}
		return (delta instanceof Delta.ReplacedAll<T> state) ? transformed(state, current) : delta;
	}

	private Delta<T> transformed(Delta.ReplacedAll<T> state, ObjectTransform<T> current) {
		Map<String, T> objects = new LinkedHashMap<>(state.objects().size() * 4 / 3 + 1);
		Map<String, ObjectState> retained = new HashMap<>(state.retained());
		state.objects().forEach((key, object) -> {
			// a cached object is transformed already, and a transform may be expensive
			ObjectState identity = ObjectState.of(object);
			T known = this.cache.get(state.namespace(), state.epoch(), identity);
			T result = (known != null) ? known : transformed(key, object, current);
			if (result != null) {
				objects.put(key, result);
			}
			else {
				retained.put(key, identity);
			}
		});
		return new Delta.ReplacedAll<>(state.namespace(), objects, retained, state.deleted(), state.complete(),
				state.selector(), state.resourceVersion(), state.epoch());
	}

	/**
	 * Return the transformed object, or {@code null} when the transform failed. It has to
	 * keep the identity and the version, because the store compares objects by them.
	 */
	private @Nullable T transformed(String key, T object, ObjectTransform<T> current) {
		ObjectState identity = ObjectState.of(object);
		try {
			T transformed = current.transform(object);
			if (transformed != null && identity.equals(ObjectState.of(transformed))) {
				return transformed;
			}
			failed(key, new IllegalStateException(
					"It must return an object of the same namespace, name, UID and resource version, but returned "
							+ ((transformed != null) ? ObjectState.of(transformed) : "null")));
		}
		catch (Throwable ex) {
			failed(key, ex);
		}
		return null;
	}

	private void failed(String key, Throwable cause) {
		this.cache.staleObjects().add(key, "its transform failed: " + cause.getClass().getName(), this.time.now());
		this.reporter.failed(Kind.TRANSFORM,
				"Transform of informer '" + this.reporter.name() + "' failed for " + UntrustedText.of(key) + " of "
						+ this.resourceType.qualifiedName() + "; keeping the last state of the object",
				cause);
	}

}
