/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.util.Map;

import dev.informer.spring.InformerReconciler;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.springframework.stereotype.Component;

@Component
class TeamDefaults {

	private final ObjectWriter writer;

	TeamDefaults(ObjectWriter writer) {
		this.writer = writer;
	}

	@InformerReconciler(id = "teamdefaults", informer = "teamnamespaces", owns = V1ConfigMap.class)
	void reconcile(V1Namespace namespace) throws ApiException {
		V1ObjectMeta metadata = new V1ObjectMeta().namespace(namespace.getMetadata().getName())
			.name("team-defaults")
			.labels(Map.of("app.kubernetes.io/managed-by", "teams"));
		this.writer.apply(new V1ConfigMap().metadata(metadata).data(Map.of("quota", "10")), namespace);
	}

}
