/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Keys of objects among those of one resource: {@code namespace/name}, or {@code name} of
 * an object without namespace.
 */
public final class ObjectKey {

	private ObjectKey() {
	}

	/**
	 * Return the key of an object.
	 * @param object the object
	 * @return its key
	 * @throws IllegalArgumentException if it has no name
	 */
	public static String of(KubernetesObject object) {
		String key = ObjectState.of(object).key();
		if (key == null) {
			throw new IllegalArgumentException("Cannot build the key of an object without metadata.name");
		}
		return key;
	}

	/**
	 * Return the key of an object with this namespace and name.
	 * @param namespace its namespace; {@code null} or empty if it has none
	 * @param name its name
	 * @return its key
	 */
	public static String of(@Nullable String namespace, String name) {
		return (namespace == null || namespace.isEmpty()) ? name : namespace + "/" + name;
	}

	/**
	 * Return whether two states belong to one object. An object that was recreated under
	 * the same name is a different object.
	 * @param one a state
	 * @param other another state under the same key
	 * @return whether their UIDs are equal
	 */
	public static boolean sameObject(KubernetesObject one, KubernetesObject other) {
		return Objects.equals(ObjectState.of(one).uid(), ObjectState.of(other).uid());
	}

	/**
	 * Return whether two states are the same version of one object.
	 * @param one a state
	 * @param other another state under the same key
	 * @return whether both have a UID and a resource version, and these are equal
	 */
	public static boolean sameState(KubernetesObject one, KubernetesObject other) {
		return ObjectState.of(one).isSameAs(ObjectState.of(other));
	}

}
