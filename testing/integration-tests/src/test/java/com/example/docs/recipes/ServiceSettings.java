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
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
class ServiceSettings {

	private static final String LABEL = "example.com/service";

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private final CoreV1Api api;

	private final ObjectWriter writer;

	private final Lister<V1Service> services;

	private final Lister<V1ConfigMap> settings;

	ServiceSettings(ApiClient apiClient, ObjectWriter writer, Lister<V1Service> services,
			@Qualifier("servicesettingsLister") Lister<V1ConfigMap> settings) {
		this.api = new CoreV1Api(apiClient);
		this.writer = writer;
		this.services = services;
		this.settings = settings;
	}

	@InformerHandler(informer = "servicesettings", resyncPeriod = "10m", retry = @Retry(maxRetries = "-1"))
	void changed(V1ConfigMap current) throws ApiException {
		String service = current.getMetadata().getLabels().get(LABEL);
		if (this.services.get(current.getMetadata().getNamespace(), service).isEmpty()) {
			removeUnlessServed(current, service);
		}
	}

	@InformerHandler(retry = @Retry(maxRetries = "-1"))
	void serviceDeleted(ResourceEvent.Deleted<V1Service> event) throws ApiException {
		V1ObjectMeta service = event.object().getMetadata();
		for (V1ConfigMap each : this.settings.list(service.getNamespace())) {
			if (service.getName().equals(each.getMetadata().getLabels().get(LABEL))) {
				removeUnlessServed(each, service.getName());
			}
		}
	}

	private void removeUnlessServed(V1ConfigMap settings, String service) throws ApiException {
		try {
			this.api.readNamespacedService(service, settings.getMetadata().getNamespace()).execute();
			return; // the cache of Services is older than that of ConfigMaps
		}
		catch (ApiException ex) {
			if (ex.getCode() != NOT_FOUND) {
				throw ex;
			}
		}
		try {
			this.writer.deleteUnchanged(settings);
		}
		catch (ApiException ex) {
			if (ex.getCode() == CONFLICT) {
				throw new RetryLaterException("changed since");
			}
			throw ex;
		}
	}

}
