/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.cache.DeltaType;
import dev.informer.cache.ObjectDelta;
import dev.informer.client.ObjectState;
import dev.informer.reflector.ReflectorSink;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Queues what the reflector of one namespace brings, once it is transformed. An object
 * whose transform fails is treated as one that could not be decoded.
 *
 * @param <T> the type of the objects
 */
final class FifoSink<T extends KubernetesObject> implements ReflectorSink<T> {

	private final String scope;

	private final Transformation<T> transformation;

	private final LongSupplier storedHistory;

	private volatile DeltaFifo<T> fifo;

	/**
	 * Creates a sink.
	 * @param scope the namespace; empty for all of them
	 * @param transformation transforms objects
	 * @param storedHistory which of the server's histories the store has
	 * @param fifo takes what is brought
	 */
	FifoSink(String scope, Transformation<T> transformation, LongSupplier storedHistory, DeltaFifo<T> fifo) {
		this.scope = scope;
		this.transformation = transformation;
		this.storedHistory = storedHistory;
		this.fifo = fifo;
	}

	/**
	 * Queues into another queue from now on, after a restart.
	 */
	void redirect(DeltaFifo<T> fifo) {
		this.fifo = fifo;
	}

	@Override
	public @Nullable T known(String namespace, long epoch, ObjectState state) {
		return (epoch == this.storedHistory.getAsLong()) ? this.transformation.stored(state) : null;
	}

	@Override
	public void accept(Delta<T> delta) {
		if (delta instanceof Delta.ReplacedAll<T> state) {
			replace(state);
		}
		else if (delta instanceof Delta.Upserted<T> change) {
			T transformed = this.transformation.any(change.key(), change.object());
			if (transformed != null) {
				this.fifo.add(this.scope, change.key(), new ObjectDelta<>(DeltaType.UPDATED, transformed),
						change.resourceVersion());
			}
			else {
				this.fifo.progress(this.scope, change.resourceVersion());
			}
		}
		else if (delta instanceof Delta.Deleted<T> deletion) {
			T object = deletion.object();
			T transformed = (object != null) ? this.transformation.any(deletion.key(), object) : null;
			this.fifo.add(this.scope, deletion.key(), new ObjectDelta<>(DeltaType.DELETED, transformed),
					deletion.resourceVersion());
		}
		else if (delta instanceof Delta.Bookmark<T> bookmark) {
			this.fifo.progress(this.scope, bookmark.resourceVersion());
		}
	}

	private void replace(Delta.ReplacedAll<T> state) {
		boolean comparable = state.epoch() == this.storedHistory.getAsLong();
		Map<String, T> objects = new LinkedHashMap<>(state.objects().size() * 4 / 3 + 1);
		Set<String> retained = new HashSet<>(state.retained());
		state.objects().forEach((key, object) -> {
			T transformed = comparable ? this.transformation.present(key, object)
					: this.transformation.any(key, object);
			if (transformed != null) {
				objects.put(key, transformed);
			}
			else {
				retained.add(key);
			}
		});
		this.fifo.replace(new Batch.Replacement<>(this.scope, objects, retained, state.deleted(), state.complete(),
				state.resourceVersion(), state.epoch()));
	}

}
