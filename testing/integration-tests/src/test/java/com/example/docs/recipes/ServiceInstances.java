/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.informer.SharedIndexInformer;
import io.kubernetes.client.openapi.models.V1Endpoint;
import io.kubernetes.client.openapi.models.V1EndpointSlice;

import org.springframework.stereotype.Component;

@Component
class ServiceInstances {

	private static final String BY_SERVICE = "by-service";

	private final SharedIndexInformer<V1EndpointSlice> slices;

	ServiceInstances(SharedIndexInformer<V1EndpointSlice> slices) {
		this.slices = slices;
		slices.addIndex(BY_SERVICE, ServiceInstances::service);
	}

	List<String> addresses(String namespace, String service) {
		return this.slices.lister()
			.byIndex(BY_SERVICE, namespace + "/" + service)
			.stream()
			.flatMap((slice) -> Stream.ofNullable(slice.getEndpoints()).flatMap(List::stream))
			.filter(ServiceInstances::ready)
			.flatMap((endpoint) -> endpoint.getAddresses().stream())
			.toList();
	}

	private static String service(V1EndpointSlice slice) {
		Map<String, String> labels = slice.getMetadata().getLabels();
		String name = (labels != null) ? labels.get("kubernetes.io/service-name") : null;
		return (name != null) ? slice.getMetadata().getNamespace() + "/" + name : null;
	}

	private static boolean ready(V1Endpoint endpoint) {
		return endpoint.getConditions() == null || !Boolean.FALSE.equals(endpoint.getConditions().getReady());
	}

}
