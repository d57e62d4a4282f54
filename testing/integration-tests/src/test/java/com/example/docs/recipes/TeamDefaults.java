/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.util.Map;

import dev.informer.Lister;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.RetryLaterException;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
class TeamDefaults {

	private static final String NAME = "team-defaults";

	private static final int CONFLICT = 409;

	private final CoreV1Api api;

	private final Lister<V1Namespace> namespaces;

	private final Lister<V1ConfigMap> defaults;

	TeamDefaults(ApiClient apiClient, @Qualifier("teamnamespacesLister") Lister<V1Namespace> namespaces,
			@Qualifier("teamdefaultsLister") Lister<V1ConfigMap> defaults) {
		this.api = new CoreV1Api(apiClient);
		this.namespaces = namespaces;
		this.defaults = defaults;
	}

	@InformerHandler(informer = "teamnamespaces", retry = @Retry(maxRetries = "-1"))
	void namespaceChanged(V1Namespace namespace) throws ApiException {
		reconcile(namespace.getMetadata().getName());
	}

	@InformerHandler(informer = "teamdefaults", queue = QueuePolicy.KEEP_ALL, retry = @Retry(maxRetries = "-1"))
	void defaultsDeleted(ResourceEvent.Deleted<V1ConfigMap> event) throws ApiException {
		reconcile(event.object().getMetadata().getNamespace());
	}

	private void reconcile(String namespace) throws ApiException {
		if (this.namespaces.get(namespace).isEmpty() || this.defaults.get(namespace, NAME).isPresent()) {
			return;
		}
		V1ObjectMeta metadata = new V1ObjectMeta().name(NAME).labels(Map.of("app.kubernetes.io/managed-by", "teams"));
		try {
			V1ConfigMap created = new V1ConfigMap().metadata(metadata).data(Map.of("quota", "10"));
			this.api.createNamespacedConfigMap(namespace, created).execute();
		}
		catch (ApiException ex) {
			if (ex.getCode() == CONFLICT) {
				throw new RetryLaterException("conflict");
			}
			throw ex;
		}
	}

}
