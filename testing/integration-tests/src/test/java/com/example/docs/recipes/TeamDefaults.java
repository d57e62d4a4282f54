/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.util.Map;
import java.util.Optional;

import dev.informer.Lister;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.reconcilers.ObjectWriter;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
class TeamDefaults {

	private final ObjectWriter writer;

	private final Lister<V1Namespace> namespaces;

	TeamDefaults(ObjectWriter writer, @Qualifier("teamnamespacesLister") Lister<V1Namespace> namespaces) {
		this.writer = writer;
		this.namespaces = namespaces;
	}

	@InformerHandler(informer = "teamnamespaces", retry = @Retry(maxRetries = "-1"))
	void namespaceChanged(V1Namespace namespace) throws ApiException {
		V1ObjectMeta metadata = new V1ObjectMeta().namespace(namespace.getMetadata().getName())
			.name("team-defaults")
			.labels(Map.of("app.kubernetes.io/managed-by", "teams"));
		this.writer.apply(new V1ConfigMap().metadata(metadata).data(Map.of("quota", "10")));
	}

	@InformerHandler(informer = "teamdefaults", queue = QueuePolicy.KEEP_ALL, retry = @Retry(maxRetries = "-1"))
	void defaultsChanged(ResourceEvent<V1ConfigMap> event) throws ApiException {
		Optional<V1Namespace> namespace = this.namespaces.get(event.object().getMetadata().getNamespace());
		if (namespace.isPresent()) {
			namespaceChanged(namespace.get());
		}
	}

}
