/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.client.PartialObjectMetadata;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Informers without a class of the objects, from the documentation of the core.
 */
final class OtherResourcesWithoutSpring {

	private OtherResourcesWithoutSpring() {
	}

	static void others(InformerFactory informers) {
		SharedIndexInformer<DynamicKubernetesObject> certificates = informers
			.informer("certificates.v1.cert-manager.io");
		SharedIndexInformer<PartialObjectMetadata> secrets = informers.metadataInformer(V1ConfigMap.class,
				(options) -> options.name("names"));
		certificates.addHandler((event) -> show(event.object()));
		secrets.addHandler((event) -> show(event.object()));
	}

	private static void show(Object object) {
	}

}
