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
 * Read access to the cache of an informer. Reads never contact the server. Results are
 * snapshots in no particular order. The objects in them are shared: do not modify them.
 * The cache contains only the objects that match the selectors of the informer.
 * <p>
 * Thread-safe. Every method throws {@link NotSyncedException} until the informer has
 * synced for the first time, unless
 * {@link InformerOptions.Builder#allowUnsyncedReads(boolean)} is set.
 * <p>
 * A read by namespace, also of the index {@link #NAMESPACE_INDEX}, throws
 * {@link NamespaceNotWatchedException} if the informer does not watch the namespace. With
 * a namespace selector, that is one that does not match it now; in one that matches and
 * was not listed yet, the read throws {@link NotSyncedException}.
 *
 * @param <T> the type of the objects
 */
public interface Lister<T extends KubernetesObject> {

	/**
	 * Name of the index by namespace, which is always enabled.
	 */
	String NAMESPACE_INDEX = "namespace";

	/**
	 * Name of the index by the UIDs of the owners of an object. Enable it with
	 * {@link SharedIndexInformer#enableIndex(String)}.
	 */
	String OWNER_INDEX = "owner";

	/**
	 * Name of the index by the labels of an object, each as {@code key=value}. Enable it
	 * with {@link SharedIndexInformer#enableIndex(String)}.
	 */
	String LABEL_INDEX = "label";

	/**
	 * Return an object of a cluster-scoped resource.
	 * @param name the name of the object
	 * @return the object, or empty if it is not in the cache
	 */
	Optional<T> get(String name);

	/**
	 * Return an object of a namespaced resource.
	 * @param namespace the namespace of the object
	 * @param name the name of the object
	 * @return the object, or empty if it is not in the cache
	 */
	Optional<T> get(String namespace, String name);

	/**
	 * Return all objects.
	 * @return all objects
	 */
	List<T> list();

	/**
	 * Return the objects of a namespace.
	 * @param namespace the namespace
	 * @return the objects of the namespace
	 */
	List<T> list(String namespace);

	/**
	 * Return the objects with an index value.
	 * @param index the name of the index
	 * @param value the value
	 * @return the objects with this value
	 * @throws IllegalArgumentException if the index does not exist
	 */
	List<T> byIndex(String index, String value);

	/**
	 * Return the objects that share an index value with another object, for example the
	 * pods on the same node. The result includes the object itself if it is in the cache.
	 * @param index the name of the index
	 * @param object the other object, which need not be in the cache
	 * @return the objects, without duplicates
	 * @throws IllegalArgumentException if the index does not exist
	 */
	List<T> index(String index, T object);

	/**
	 * Return the keys of the objects with an index value: {@code namespace/name}, or the
	 * name for cluster-scoped resources.
	 * @param index the name of the index
	 * @param value the value
	 * @return the keys, sorted
	 * @throws IllegalArgumentException if the index does not exist
	 */
	List<String> indexKeys(String index, String value);

	/**
	 * Return the values of one object in an index.
	 * @param index the name of the index
	 * @param key the key of the object: {@code namespace/name}, or the name for
	 * cluster-scoped resources
	 * @return the values; empty if the object is not in the cache, or if the function of
	 * the index has thrown for it
	 * @throws IllegalArgumentException if the index does not exist
	 */
	List<String> indexValues(String index, String key);

	/**
	 * Return the keys of all objects.
	 * @return the keys
	 * @see #indexKeys(String, String)
	 */
	List<String> keys();

	/**
	 * Return the values of an index that have at least one object.
	 * @param index the name of the index
	 * @return the values
	 * @throws IllegalArgumentException if the index does not exist
	 */
	Set<String> indexValues(String index);

	/**
	 * Return the number of objects.
	 * @return the number of objects
	 */
	int size();

}
