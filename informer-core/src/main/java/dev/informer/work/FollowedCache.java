/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.work;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

import dev.informer.SharedIndexInformer;
import dev.informer.client.Cancellation;
import dev.informer.client.ObjectState;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Cache of an informer, in relation to the server. Thread-safe; nothing but
 * {@link #list(String, Consumer, Cancellation)} waits.
 */
public interface FollowedCache {

	/**
	 * Return the cache of an informer.
	 * @throws IllegalArgumentException if it is not one of a factory
	 */
	static FollowedCache of(SharedIndexInformer<?> informer) {
		if (informer instanceof FollowedCache cache) {
			return cache;
		}
		throw new IllegalArgumentException("Informer '" + informer.name() + "' was not created by a factory.");
	}

	/**
	 * Return whether the cache follows the server: the informer runs, and neither lists
	 * again nor has to find out whether the server is still the same. A namespace that
	 * joins, or in which permissions are missing, does not matter with a namespace
	 * selector.
	 */
	boolean isFollowing();

	/**
	 * Return whether the cache has the initial list. A handler may have received it
	 * before the informer has {@linkplain SharedIndexInformer#hasSynced() synced}.
	 */
	boolean isReadable();

	/**
	 * Return the cached object with a key; {@code null} if there is none, or the cache is
	 * not readable.
	 */
	@Nullable KubernetesObject find(String key);

	/**
	 * Return the states of the cached objects of a namespace, or of all if it is empty.
	 */
	List<ObjectState> states(String namespace);

	/**
	 * Throw the exception of the lister for a namespace of which the cache has no list.
	 */
	void requireListed(String namespace);

	/**
	 * Return a number that grows when a list has replaced objects of another epoch, for
	 * example after etcd was restored. Versions of different epochs are not comparable.
	 */
	long epoch();

	/**
	 * Return whether the cache follows the server and has reached a version.
	 * @param namespace the namespace of the store that is to reach it; {@code null} for
	 * all of them
	 * @return {@code false} also if the versions cannot be compared
	 */
	boolean hasReached(String resourceVersion, @Nullable String namespace);

	/**
	 * Let the informer compute again what is due: resyncs, namespaces, threads that could
	 * not be started.
	 */
	void wake();

	/**
	 * List the metadata of what the informer selects, as it is on the server now. An
	 * informer without a watch lists for its cache instead, and this waits for it.
	 * @param namespace the namespace; empty for all of them
	 * @return the version of the list
	 * @throws IOException if the server is unreachable or refuses the request
	 */
	String list(String namespace, Consumer<ObjectState> objects, Cancellation cancellation) throws IOException;

}
