/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.List;

import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Of Cluster API, with records for everything below the object.
 */
@CustomResource(group = "cluster.x-k8s.io", version = "v1beta2", plural = "clusters", kind = "Cluster")
final class ManagedCluster implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	private Spec spec;

	private Status status;

	private ManagedCluster() {
	}

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	void pause() {
		this.spec = new Spec(true, this.spec.clusterNetwork(), this.spec.controlPlaneRef(),
				this.spec.infrastructureRef());
	}

	void status(Status status) {
		this.status = status;
	}

	record Spec(Boolean paused, Network clusterNetwork, Ref controlPlaneRef, Ref infrastructureRef) {
	}

	record Network(Blocks services, Blocks pods, String serviceDomain) {
	}

	record Blocks(@SerializedName("cidrBlocks") List<String> addresses) {

		Blocks {
			addresses = (addresses != null) ? List.copyOf(addresses) : List.of();
		}

	}

	record Ref(String apiGroup, String kind, String name) {
	}

	record Status(List<V1Condition> conditions, Phase phase, long observedGeneration, Initialization initialization) {
	}

	record Initialization(Boolean controlPlaneInitialized, Boolean infrastructureProvisioned) {
	}

	enum Phase {

		@SerializedName("Provisioning")
		PROVISIONING,

		@SerializedName("Provisioned")
		PROVISIONED

	}

}
