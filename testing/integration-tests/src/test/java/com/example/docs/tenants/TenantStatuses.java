/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.tenants;

import java.time.Instant;
import java.util.Map;

import dev.informer.RetryLaterException;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.PatchUtils;

import org.springframework.stereotype.Component;

@Component
class TenantStatuses {

	private static final int CONFLICT = 409;

	private final ApiClient apiClient;

	private final CustomObjectsApi api;

	TenantStatuses(ApiClient apiClient) {
		this.apiClient = apiClient;
		this.api = new CustomObjectsApi(apiClient);
	}

	@InformerHandler(id = "tenantstatus", retry = @Retry(maxRetries = "-1"))
	void changed(Tenant tenant) throws ApiException {
		if (tenant.readySince().isPresent()) {
			return;
		}
		V1ObjectMeta metadata = tenant.getMetadata();
		Map<String, ?> patch = Map.of("metadata", Map.of("resourceVersion", metadata.getResourceVersion()), "status",
				Map.of("readySince", Instant.now().toString()));
		try {
			PatchUtils.patch(Object.class,
					() -> this.api
						.patchNamespacedCustomObjectStatus("example.com", "v1", metadata.getNamespace(), "tenants",
								metadata.getName(), patch)
						.buildCall(null),
					V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, this.apiClient);
		}
		catch (ApiException ex) {
			if (ex.getCode() == CONFLICT) {
				throw new RetryLaterException("changed since");
			}
			throw ex;
		}
	}

}
