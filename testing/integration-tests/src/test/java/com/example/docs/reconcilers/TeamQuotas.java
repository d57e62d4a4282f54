/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.reconcilers;

import java.util.Map;

import dev.informer.reconcilers.Owned;
import dev.informer.spring.InformerReconciler;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ResourceQuota;
import io.kubernetes.client.openapi.models.V1ResourceQuotaSpec;

import org.springframework.stereotype.Component;

@Component
class TeamQuotas {

	private final ObjectWriter writer;

	TeamQuotas(ObjectWriter writer) {
		this.writer = writer;
	}

	@InformerReconciler(owns = V1ResourceQuota.class)
	void reconcile(V1Namespace namespace, Owned<V1ResourceQuota> quotas) throws ApiException {
		V1ObjectMeta metadata = new V1ObjectMeta().namespace(namespace.getMetadata().getName()).name("team");
		V1ResourceQuotaSpec spec = new V1ResourceQuotaSpec().hard(Map.of("pods", Quantity.fromString("10")));
		this.writer.apply(new V1ResourceQuota().metadata(metadata).spec(spec), namespace);
	}

}
