/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Transform of objects before they are stored, for example to drop properties that are
 * not used. It may modify and return the given object, or return another one.
 * <p>
 * The transform is applied once to each received object, on the thread of the reflector.
 * It is not applied again by a resync, or by a relist that finds the object unchanged. It
 * is applied to the object of a deletion event, but not if the deletion was missed. With
 * several namespaces it is invoked by several threads.
 *
 * @param <T> the type of the objects
 * @see SharedIndexInformer#setTransform(ObjectTransform)
 */
@FunctionalInterface
public interface ObjectTransform<T extends KubernetesObject> {

	/**
	 * Transform an object.
	 * @param object the object as received from the server
	 * @return the object to store, with the same namespace, name, UID and resource
	 * version
	 * @throws Exception any failure. A failure is published with the name of the object,
	 * and the cached object remains as it was until it is deleted or transformed
	 * successfully. The same applies if the result is {@code null} or another object
	 */
	T transform(T object) throws Exception;

}
