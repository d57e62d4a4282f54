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
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.reflector.Listing;
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

	/** Of what the reflector brings. */
	private long history;

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
	public @Nullable T known(ObjectState state, long history) {
		return (history == this.storedHistory.getAsLong()) ? this.transformation.stored(state) : null;
	}

	@Override
	public void replace(Listing<T> listing) {
		this.history = listing.history();
		Map<String, T> byKey = new LinkedHashMap<>(listing.objects().size() * 4 / 3 + 1);
		Set<String> retained = new HashSet<>();
		for (T object : listing.objects()) {
			String key = ObjectKey.of(object);
			T transformed = present(key, object);
			if (transformed != null) {
				byKey.put(key, transformed);
			}
			else {
				retained.add(key);
			}
		}
		boolean complete = true;
		for (UndecodableObject object : listing.undecodable()) {
			if (object.name() != null) {
				retained.add(ObjectKey.of(object.namespace(), object.name()));
			}
			else {
				complete = false;
			}
		}
		this.fifo.replace(new Batch.Replacement<>(this.scope, byKey, retained, listing.deleted(), complete,
				listing.resourceVersion(), listing.history()));
	}

	/**
	 * What takes the place of an object that is there. What is stored can only do so when
	 * it is of the same history.
	 */
	private @Nullable T present(String key, T object) {
		boolean comparable = this.history == this.storedHistory.getAsLong();
		return comparable ? this.transformation.present(key, object) : this.transformation.any(key, object);
	}

	@Override
	public void change(ChangeType type, T object, String resourceVersion) {
		String key = ObjectKey.of(object);
		T transformed = (type == ChangeType.DELETED) ? this.transformation.any(key, object) : present(key, object);
		if (transformed == null && type != ChangeType.DELETED) {
			this.fifo.progress(this.scope, resourceVersion);
			return;
		}
		DeltaType deltaType = switch (type) {
			case ADDED -> DeltaType.ADDED;
			case MODIFIED -> DeltaType.UPDATED;
			case DELETED -> DeltaType.DELETED;
		};
		this.fifo.add(this.scope, key, new Delta<>(deltaType, transformed), resourceVersion);
	}

	@Override
	public void undecodableChange(ChangeType type, UndecodableObject object, String resourceVersion) {
		if (type == ChangeType.DELETED && object.name() != null) {
			String key = ObjectKey.of(object.namespace(), object.name());
			this.fifo.add(this.scope, key, new Delta<>(DeltaType.DELETED, null), resourceVersion);
		}
		else {
			this.fifo.progress(this.scope, resourceVersion);
		}
	}

	@Override
	public void progress(String resourceVersion) {
		this.fifo.progress(this.scope, resourceVersion);
	}

}
