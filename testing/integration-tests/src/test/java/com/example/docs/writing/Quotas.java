/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.writing;

import java.util.Map;

import dev.informer.spring.InformerHandler;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.springframework.stereotype.Component;

@Component
class Quotas {

	private final ObjectWriter writer;

	Quotas(ObjectWriter writer) {
		this.writer = writer;
	}

	@InformerHandler
	void namespaceChanged(V1Namespace namespace) throws ApiException {
		V1ObjectMeta metadata = new V1ObjectMeta().namespace(namespace.getMetadata().getName()).name("quota");
		this.writer.apply(new V1ConfigMap().metadata(metadata).data(Map.of("pods", "10")), namespace);
	}

}
