/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.Collection;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Says under which values an object is found in an index. It must always give the same
 * values for the same object, and is called by whichever thread changes the store.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface IndexFunction<T extends KubernetesObject> {

	/**
	 * The values of an object.
	 * @param object the object, not to be changed
	 * @return its values; empty when it is not in this index
	 */
	Collection<String> values(T object);

}
