/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.settings;

import java.util.Map;

import dev.informer.spring.InformerReconciler;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Controller that applies the ConfigMap, and reads nothing.
 */
class AppliedSettings {

	private final ObjectWriter writer;

	AppliedSettings(ObjectWriter writer) {
		this.writer = writer;
	}

	@InformerReconciler(id = "settings", owns = V1ConfigMap.class)
	void reconcile(V1Deployment deployment) throws ApiException {
		this.writer.apply(settings(deployment), deployment);
	}

	static V1ConfigMap settings(V1Deployment deployment) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name(deployment.getMetadata().getName()))
			.data(Map.of("size", deployment.getMetadata().getAnnotations().get("size")));
	}

}
