/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.Collection;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Function that computes the index values of an object. It must return the same values
 * for the same object. It is invoked by the thread that updates the cache, or that adds
 * the index.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface IndexFunction<T extends KubernetesObject> {

	/**
	 * Return the index values of an object.
	 * @param object the object, which must not be modified
	 * @return the values; empty to leave the object out of the index
	 */
	Collection<String> values(T object);

}
