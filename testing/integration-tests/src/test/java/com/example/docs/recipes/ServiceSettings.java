/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.RetryLaterException;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1DeleteOptions;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Preconditions;
import io.kubernetes.client.openapi.models.V1Service;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
class ServiceSettings {

	private static final String LABEL = "example.com/service";

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private final CoreV1Api api;

	private final Lister<V1Service> services;

	private final Lister<V1ConfigMap> settings;

	ServiceSettings(ApiClient apiClient, Lister<V1Service> services,
			@Qualifier("servicesettingsLister") Lister<V1ConfigMap> settings) {
		this.api = new CoreV1Api(apiClient);
		this.services = services;
		this.settings = settings;
	}

	@InformerHandler(informer = "servicesettings", resyncPeriod = "10m", retry = @Retry(maxRetries = "-1"))
	void changed(V1ConfigMap current) throws ApiException {
		V1ObjectMeta metadata = current.getMetadata();
		String service = metadata.getLabels().get(LABEL);
		if (this.services.get(metadata.getNamespace(), service).isEmpty()) {
			removeUnlessServed(metadata, service);
		}
	}

	@InformerHandler(retry = @Retry(maxRetries = "-1"))
	void serviceDeleted(ResourceEvent.Deleted<V1Service> event) throws ApiException {
		V1ObjectMeta service = event.object().getMetadata();
		for (V1ConfigMap each : this.settings.list(service.getNamespace())) {
			if (service.getName().equals(each.getMetadata().getLabels().get(LABEL))) {
				removeUnlessServed(each.getMetadata(), service.getName());
			}
		}
	}

	private void removeUnlessServed(V1ObjectMeta settings, String service) throws ApiException {
		try {
			this.api.readNamespacedService(service, settings.getNamespace()).execute();
			return; // the cache of Services is older than that of ConfigMaps
		}
		catch (ApiException ex) {
			if (ex.getCode() != NOT_FOUND) {
				throw ex;
			}
		}
		V1Preconditions seen = new V1Preconditions().uid(settings.getUid())
			.resourceVersion(settings.getResourceVersion());
		try {
			this.api.deleteNamespacedConfigMap(settings.getName(), settings.getNamespace())
				.body(new V1DeleteOptions().preconditions(seen))
				.execute();
		}
		catch (ApiException ex) {
			if (ex.getCode() == CONFLICT) {
				throw new RetryLaterException("changed since");
			}
			if (ex.getCode() != NOT_FOUND) {
				throw ex;
			}
		}
	}

}
