/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import dev.informer.test.ResourceDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Key of an object within its resource. Lists are ordered by its path, as on the real
 * server.
 *
 * @param namespace the namespace, empty for cluster-scoped objects
 * @param name the name
 */
public record StoredObjectKey(String namespace, String name) {

	public static StoredObjectKey of(ResourceDefinition definition, @Nullable String namespace, String name) {
		return new StoredObjectKey((definition.namespaced() && namespace != null) ? namespace : "", name);
	}

	public String path() {
		return this.namespace.isEmpty() ? this.name : this.namespace + "/" + this.name;
	}

}
