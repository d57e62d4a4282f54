/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * The key of an object among those of its resource: {@code namespace/name}, or
 * {@code name} when there is no namespace.
 */
public final class ObjectKey {

	private ObjectKey() {
	}

	/**
	 * The key of an object.
	 * @param object the object
	 * @return its key
	 * @throws IllegalArgumentException when it has no name
	 */
	public static String of(KubernetesObject object) {
		ObjectState identity = ObjectState.of(object);
		if (identity.name() == null) {
			throw new IllegalArgumentException("An object without metadata.name has no key");
		}
		return of(identity.namespace(), identity.name());
	}

	/**
	 * The key of an object by its names.
	 * @param namespace its namespace; {@code null} or empty when it has none
	 * @param name its name
	 * @return its key
	 */
	public static String of(@Nullable String namespace, String name) {
		return (namespace == null || namespace.isEmpty()) ? name : namespace + "/" + name;
	}

	/**
	 * Whether two states are those of one object. A name that was given anew belongs to
	 * another object.
	 * @param one a state
	 * @param other another state under the same key
	 * @return whether their UIDs are equal
	 */
	public static boolean sameObject(KubernetesObject one, KubernetesObject other) {
		return Objects.equals(ObjectState.of(one).uid(), ObjectState.of(other).uid());
	}

	/**
	 * Whether two states are the same state of one object.
	 * @param one a state
	 * @param other another state under the same key
	 * @return whether they have UIDs and resource versions, and these are equal
	 */
	public static boolean sameState(KubernetesObject one, KubernetesObject other) {
		return ObjectState.of(one).isSameAs(ObjectState.of(other));
	}

	/**
	 * The namespace in a key.
	 * @param key the key
	 * @return the namespace, empty when there is none
	 * @throws IllegalArgumentException when there is more than one slash
	 */
	public static String namespace(String key) {
		int slash = key.indexOf('/');
		if (slash != key.lastIndexOf('/')) {
			throw new IllegalArgumentException("'" + key + "' is no key: it has more than one slash");
		}
		return (slash < 0) ? "" : key.substring(0, slash);
	}

}
