/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import dev.informer.fault.server.Cluster;
import tools.jackson.databind.JsonNode;

/**
 * Object that a replica has created for a primary object, and that is not being deleted.
 *
 * @param uid its UID
 * @param name its name
 * @param owner the UID of the primary object
 * @param call the time at which the call that created it began
 */
record Child(String uid, String name, String owner, long call) {

	static Child of(JsonNode metadata) {
		return new Child(metadata.path("uid").asString(), metadata.path("name").asString(),
				metadata.path("ownerReferences").path(0).path("uid").asString(),
				Long.parseLong(metadata.path("annotations").path(Cluster.CALL).asString()));
	}

	@Override
	public String toString() {
		return "%s of a call that began at %d".formatted(this.name, this.call);
	}

}
