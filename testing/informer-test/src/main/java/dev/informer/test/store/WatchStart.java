/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.List;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.ResourceDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Start position of a watch.
 *
 * @param initial the objects to send first, {@code null} for none
 * @param initialEnd whether a bookmark marks the end of the initial events
 * @param position the change to continue after
 * @param after the version that all events must be newer than
 * @param resourceVersion the version of the store at the start
 */
public record WatchStart(@Nullable List<StoredObject> initial, boolean initialEnd, Change position, long after,
		long resourceVersion) {

	/**
	 * Find the start position. Called with the store's lock held.
	 * @throws KubernetesStatusException if the requested version is too old or too large
	 */
	public static WatchStart find(Store store, ResourceDefinition definition, String namespace, ListOptions options,
			long version) {
		ResourceStore resource = store.resource(definition);
		long current = store.resourceVersion();
		Change last = resource.changes().last();
		boolean streaming = Boolean.TRUE.equals(options.initialEvents());
		if (streaming && version > current) {
			throw StatusErrors.tooLarge(version, current);
		}
		if (streaming || (options.initialEvents() == null && version == 0)) {
			return new WatchStart(resource.objects(namespace), options.bookmarks(), last, 0, current);
		}
		if (version == 0) {
			return new WatchStart(null, false, last, 0, current);
		}
		long floor = resource.changes().floor();
		if (version < floor) {
			throw StatusErrors.expired("too old resource version: " + version + " (" + floor + ")", null);
		}
		return new WatchStart(null, false, resource.changes().after(version), version, current);
	}

}
