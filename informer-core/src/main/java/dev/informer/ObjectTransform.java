/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Changes each object that comes from the server before anything else in the informer
 * sees it, to drop what nobody reads, for instance. It may change the object that it is
 * given and return it, or return another one.
 * <p>
 * It is called once for each object that is received, on the thread of the reflector:
 * never for objects that are told again by a resync, never for one that a new list has
 * unchanged (that one stays as it was transformed before), and never for a deletion that
 * was missed. The object of a deletion that was seen is transformed as any other. With
 * several namespaces it is called by several threads.
 *
 * @param <T> the type of the objects
 * @see SharedIndexInformer#setTransform(ObjectTransform)
 */
@FunctionalInterface
public interface ObjectTransform<T extends KubernetesObject> {

	/**
	 * Transforms an object.
	 * @param object the object, as it came from the server
	 * @return the object that takes its place, of the same namespace, name, UID and
	 * resource version
	 * @throws Exception anything. The object counts as stale then, just as when the
	 * result is {@code null} or another object: it is reported with its name, what the
	 * store has of it stays, and only its deletion is followed
	 */
	T transform(T object) throws Exception;

}
