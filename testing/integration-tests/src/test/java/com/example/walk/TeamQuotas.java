/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.walk;

import java.util.Map;

import dev.informer.reconcilers.Owned;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Writes;
import dev.informer.writer.ObjectWrite.Operation;
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

	@InformerReconciler(owns = V1ResourceQuota.class,
			writes = @Writes(type = V1ResourceQuota.class, operations = { Operation.APPLY, Operation.DELETE }))
	void reconcile(V1Namespace namespace, Owned<V1ResourceQuota> quotas) throws ApiException {
		String pods = namespace.getMetadata().getLabels().get("max-pods");
		if (pods != null) {
			this.writer.apply(quota(namespace.getMetadata().getName(), pods), namespace);
		}
		else {
			for (V1ResourceQuota quota : quotas.list()) {
				this.writer.delete(quota);
			}
		}
	}

	private static V1ResourceQuota quota(String namespace, String pods) {
		return new V1ResourceQuota().metadata(new V1ObjectMeta().namespace(namespace).name("max-pods"))
			.spec(new V1ResourceQuotaSpec().hard(Map.of("pods", Quantity.fromString(pods))));
	}

}
