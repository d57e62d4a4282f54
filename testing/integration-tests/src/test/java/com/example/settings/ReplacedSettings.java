/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.settings;

import java.util.Optional;

import dev.informer.ObjectCopy;
import dev.informer.reconcilers.Owned;
import dev.informer.spring.InformerReconciler;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;

/**
 * Controller that creates the ConfigMap, or replaces the one that it reads. With a cache
 * that lags behind its own writes, both would fail with 409.
 */
class ReplacedSettings {

	private final ObjectWriter writer;

	ReplacedSettings(ObjectWriter writer) {
		this.writer = writer;
	}

	@InformerReconciler(id = "settings", owns = V1ConfigMap.class)
	void reconcile(V1Deployment deployment, Owned<V1ConfigMap> owned) throws ApiException {
		V1ConfigMap desired = AppliedSettings.settings(deployment);
		Optional<V1ConfigMap> current = owned.get(deployment.getMetadata().getName());
		if (current.isPresent()) {
			this.writer.update(ObjectCopy.of(current.get()).data(desired.getData()));
		}
		else {
			this.writer.create(desired, deployment);
		}
	}

}
