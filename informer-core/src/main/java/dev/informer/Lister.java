/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Reads the local copy of a resource. Never talks to the server. Results are snapshots in
 * no particular order; the objects in them are shared and must not be changed. An object
 * that is not in it may still be at the server, where the informer has a selector that it
 * does not match.
 * <p>
 * Thread-safe. Every method throws {@link NotSyncedException} until the informer has
 * synced for the first time, unless
 * {@link InformerOptions.Builder#allowUnsyncedReads(boolean)} says otherwise.
 *
 * @param <T> the type of the objects
 */
public interface Lister<T extends KubernetesObject> {

	/**
	 * The index by namespace, which is always there.
	 */
	String NAMESPACE_INDEX = "namespace";

	/**
	 * The index by the UIDs of the owners of an object, to be switched on by
	 * {@link SharedIndexInformer#enableIndex(String)}.
	 */
	String OWNER_INDEX = "owner";

	/**
	 * The index by the labels of an object, each as {@code key=value}, to be switched on
	 * by {@link SharedIndexInformer#enableIndex(String)}.
	 */
	String LABEL_INDEX = "label";

	/**
	 * Gets an object of a cluster-scoped resource.
	 * @param name its name
	 * @return the object, if there is one
	 */
	Optional<T> get(String name);

	/**
	 * Gets an object of a namespaced resource.
	 * @param namespace its namespace
	 * @param name its name
	 * @return the object, if there is one
	 */
	Optional<T> get(String namespace, String name);

	/**
	 * Lists all objects.
	 * @return all objects
	 */
	List<T> list();

	/**
	 * Lists the objects of a namespace.
	 * @param namespace the namespace
	 * @return its objects
	 */
	List<T> list(String namespace);

	/**
	 * Lists the objects that an index has under a value.
	 * @param index the name of the index
	 * @param value the value
	 * @return the objects under it
	 * @throws IllegalArgumentException when there is no such index
	 */
	List<T> byIndex(String index, String value);

	/**
	 * Lists the objects that an index has under a value that another object has, too,
	 * such as those on the same node. The object itself is among them when it is stored.
	 * @param index the name of the index
	 * @param object the other object, stored or not
	 * @return the objects, each once
	 * @throws IllegalArgumentException when there is no such index
	 */
	List<T> index(String index, T object);

	/**
	 * The keys of the objects that an index has under a value: {@code namespace/name},
	 * and the name alone for cluster-scoped resources.
	 * @param index the name of the index
	 * @param value the value
	 * @return the keys, sorted
	 * @throws IllegalArgumentException when there is no such index
	 */
	List<String> indexKeys(String index, String value);

	/**
	 * The keys of all objects.
	 * @return the keys
	 * @see #indexKeys(String, String)
	 */
	List<String> keys();

	/**
	 * The values of an index under which there is an object.
	 * @param index the name of the index
	 * @return its values
	 * @throws IllegalArgumentException when there is no such index
	 */
	Set<String> indexValues(String index);

	/**
	 * How many objects there are.
	 * @return the number of objects
	 */
	int size();

}
