/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where a watch begins.
 *
 * @param initial the objects that it is sent first
 * @param initialEnd whether it is told where they end
 * @param position the change after which it goes on
 * @param after the version that everything it is sent must be newer than
 * @param resourceVersion the version of the store when it began
 */
record WatchStart(@Nullable List<StoredObject> initial, boolean initialEnd, Change position, long after,
		long resourceVersion) {

	/**
	 * Finds the place; called with the store's lock held.
	 * @throws KubernetesStatusException when there is none any more, or not yet
	 */
	static WatchStart find(Store store, ResourceDefinition definition, String namespace, ListOptions options,
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
