/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.function.BiConsumer;
import java.util.function.Function;

import dev.informer.ObjectTransform;
import dev.informer.client.ObjectState;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Runs the transform of an informer on what its reflectors bring, and makes sure that an
 * object stays the same one. Thread-safe if the transform is.
 *
 * @param <T> the type of the objects
 */
final class Transformation<T extends KubernetesObject> {

	private final Function<String, @Nullable T> stored;

	private final BiConsumer<String, Throwable> failures;

	private volatile @Nullable ObjectTransform<T> transform;

	/**
	 * Creates a transformation that leaves objects as they are.
	 * @param stored gives what is stored under a key
	 * @param failures is told the key of an object that could not be transformed, and why
	 */
	Transformation(Function<String, @Nullable T> stored, BiConsumer<String, Throwable> failures) {
		this.stored = stored;
		this.failures = failures;
	}

	/**
	 * Sets the transform.
	 * @return whether there was none before
	 */
	boolean set(ObjectTransform<T> transform) {
		boolean first = this.transform == null;
		if (first) {
			this.transform = transform;
		}
		return first;
	}

	/**
	 * What is stored of an object in exactly this state.
	 * @return the object, transformed already; {@code null} when it is not there
	 */
	@Nullable T stored(ObjectState state) {
		String key = state.key();
		T known = (key != null) ? this.stored.apply(key) : null;
		return (known != null && state.isSameAs(ObjectState.of(known))) ? known : null;
	}

	/**
	 * What takes the place of an object that is there at the server. One that is stored
	 * in the same state is not transformed again.
	 * @return the object to be stored; {@code null} when the transform failed
	 */
	@Nullable T present(String key, T object) {
		if (this.transform == null) {
			return object;
		}
		T known = stored(ObjectState.of(object));
		return (known != null) ? known : any(key, object);
	}

	/**
	 * What takes the place of an object.
	 * @return the object; {@code null} when the transform failed
	 */
	@Nullable T any(String key, T object) {
		ObjectTransform<T> current = this.transform;
		if (current == null) {
			return object;
		}
		ObjectState identity = ObjectState.of(object);
		try {
			T transformed = current.transform(object);
			if (transformed != null && identity.equals(ObjectState.of(transformed))) {
				return transformed;
			}
			this.failures.accept(key, new IllegalStateException(
					"It must return an object of the same namespace, name, UID and resource version, but returned "
							+ ((transformed != null) ? ObjectState.of(transformed) : "null")));
		}
		catch (Throwable ex) {
			this.failures.accept(key, ex);
		}
		return null;
	}

}
