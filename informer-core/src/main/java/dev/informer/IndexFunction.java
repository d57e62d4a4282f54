/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.Collection;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Function that computes the index values of an object. It is invoked once for each state
 * of an object, by the thread that updates the cache, or that adds the index. No lock of
 * the informer is held, but the cache is not updated before it returns.
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
