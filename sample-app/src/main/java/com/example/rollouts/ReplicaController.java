/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.Set;
import java.util.TreeSet;

import dev.informer.Lister;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.Sharding;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller for the part of this replica in the work. Without the profile
 * {@code replicas} it has no content.
 */
@RestController
class ReplicaController {

	private final @Nullable Leadership leadership;

	private final @Nullable Sharding sharding;

	private final Lister<V1Deployment> deployments;

	ReplicaController(ObjectProvider<Leadership> leadership, ObjectProvider<Sharding> sharding,
			Lister<V1Deployment> deployments) {
		this.leadership = leadership.getIfAvailable();
		this.sharding = sharding.getIfAvailable();
		this.deployments = deployments;
	}

	@GetMapping("/replica")
	ResponseEntity<Replica> replica() {
		if (this.leadership == null || this.sharding == null) {
			return ResponseEntity.noContent().build();
		}
		Set<String> owned = new TreeSet<>();
		for (V1Deployment deployment : this.deployments.list()) {
			V1ObjectMeta metadata = deployment.getMetadata();
			if (this.sharding.owns(this.sharding.slotOf(metadata.getNamespace(), metadata.getName()))) {
				owned.add(metadata.getNamespace() + "/" + metadata.getName());
			}
		}
		return ResponseEntity.ok(new Replica(this.sharding.identity(), this.leadership.leader().orElse(null),
				this.sharding.slots(), this.sharding.owned(), owned));
	}

}
