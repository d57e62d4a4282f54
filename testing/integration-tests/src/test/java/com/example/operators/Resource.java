/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Generic base class of a user, with constructors for its generic parts left to the
 * subclasses.
 */
abstract class Resource<S, T> implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata = new V1ObjectMeta();

	private S spec;

	private T status;

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

	S getSpec() {
		return this.spec;
	}

	T getStatus() {
		return this.status;
	}

	void setStatus(T status) {
		this.status = status;
	}

}
