/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import org.jspecify.annotations.Nullable;

/**
 * Where an object is within its resource. The path orders objects as the real server
 * does.
 *
 * @param namespace the namespace, empty for objects of the whole cluster
 * @param name the name
 */
record StoredObjectKey(String namespace, String name) {

	static StoredObjectKey of(ResourceDefinition definition, @Nullable String namespace, String name) {
		return new StoredObjectKey((definition.namespaced() && namespace != null) ? namespace : "", name);
	}

	String path() {
		return this.namespace.isEmpty() ? this.name : this.namespace + "/" + this.name;
	}

}
