/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import dev.informer.client.type.ValueType;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Copies of objects for code that modifies them. An object of a cache is shared with all
 * readers and handlers, and its parts with other objects.
 */
public final class ObjectCopy {

	private ObjectCopy() {
	}

	/**
	 * Copy an object with everything in it.
	 * @param <T> the type of the object
	 * @param object an object whose class an informer can have: a model of the official
	 * client, a class of a custom resource, an untyped object or metadata alone
	 * @return the copy, which has only immutable values in common with the object.
	 * Collections have the class that their field requires; values of a type with a Gson
	 * adapter are copied through their JSON
	 * @throws IllegalArgumentException if objects of its class cannot be decoded, and
	 * therefore not be copied; if a constructor or adapter throws; or if the object
	 * contains itself. Names the property
	 */
	public static <T extends KubernetesObject> T of(T object) {
		return ValueType.copyOf(object);
	}

}
