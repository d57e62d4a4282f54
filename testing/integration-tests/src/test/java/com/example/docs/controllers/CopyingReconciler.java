/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.controllers;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;

import org.springframework.stereotype.Component;

/**
 * Reconciler of the official client, which copies a value within each config map.
 */
@Component
class CopyingReconciler implements Reconciler {

	private final List<String> reconciled = new CopyOnWriteArrayList<>();

	private final CoreV1Api api;

	private final Lister<V1ConfigMap> configMaps;

	CopyingReconciler(ApiClient apiClient, Lister<V1ConfigMap> configMaps) {
		this.api = new CoreV1Api(apiClient);
		this.configMaps = configMaps;
	}

	@Override
	public Result reconcile(Request request) {
		this.reconciled.add(request.getName());
		V1ConfigMap current = this.configMaps.namespace(request.getNamespace()).get(request.getName());
		String value = (current != null) ? current.getData().get("key") : null;
		if (value == null || value.equals(current.getData().get("copy"))) {
			return new Result(false);
		}
		V1ConfigMap copied = new V1ConfigMap().metadata(current.getMetadata())
			.data(Map.of("key", value, "copy", value));
		try {
			this.api.replaceNamespacedConfigMap(request.getName(), request.getNamespace(), copied).execute();
			return new Result(false);
		}
		catch (ApiException ex) {
			return new Result(true);
		}
	}

	List<String> reconciled() {
		return this.reconciled;
	}

}
