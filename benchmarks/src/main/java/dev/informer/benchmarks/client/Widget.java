/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Primary object of the compared controllers, for this project.
 */
@CustomResource(group = "bench.example.com", version = "v1", plural = "widgets")
public class Widget implements KubernetesObject {

	private String apiVersion = "bench.example.com/v1";

	private String kind = "Widget";

	private V1ObjectMeta metadata = new V1ObjectMeta();

	private Spec spec = new Spec("", 0);

	private @Nullable Status status;

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

	Spec getSpec() {
		return this.spec;
	}

	void setStatus(Status status) {
		this.status = status;
	}

	record Spec(String text, int number) {
	}

	record Status(int observed) {
	}

}
