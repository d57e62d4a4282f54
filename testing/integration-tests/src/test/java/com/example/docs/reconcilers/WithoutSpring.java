/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.reconcilers;

import java.io.IOException;
import java.util.Map;

import dev.informer.InformerFactory;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ResourceQuota;
import io.kubernetes.client.openapi.models.V1ResourceQuotaSpec;
import io.kubernetes.client.util.ClientBuilder;

final class WithoutSpring {

	private WithoutSpring() {
	}

	static void run() throws IOException, InterruptedException {
		try (InformerFactory factory = InformerFactory.create(ClientBuilder.standard().build())) {
			ObjectWriter writer = ObjectWriter.of(factory, "teams");
			Reconcilers reconcilers = Reconcilers.of(factory, writer);
			reconcilers.add(factory.informer(V1Namespace.class), (namespace, context) -> {
				writer.apply(quotaOf(namespace), namespace);
				return null;
			}, (options) -> options.owns(factory.informer(V1ResourceQuota.class)));
			reconcilers.start();
			Thread.currentThread().join();
		}
	}

	private static V1ResourceQuota quotaOf(V1Namespace namespace) {
		return new V1ResourceQuota()
			.metadata(new V1ObjectMeta().namespace(namespace.getMetadata().getName()).name("team"))
			.spec(new V1ResourceQuotaSpec().hard(Map.of("pods", Quantity.fromString("10"))));
	}

}
