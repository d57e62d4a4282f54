/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import dev.informer.fault.server.Cluster;
import tools.jackson.databind.JsonNode;

/**
 * Object for which replicas are to create one other object.
 *
 * @param uid its UID
 * @param name its name
 * @param finalizer whether it has the finalizer of the replicas
 * @param deleting whether it is being deleted
 */
record Primary(String uid, String name, boolean finalizer, boolean deleting) {

	static Primary of(JsonNode metadata) {
		return new Primary(metadata.path("uid").asString(), metadata.path("name").asString(),
				metadata.path("finalizers").valueStream().anyMatch((one) -> one.asString().equals(Cluster.FINALIZER)),
				metadata.has("deletionTimestamp"));
	}

	@Override
	public String toString() {
		return this.name + " " + this.uid;
	}

}
