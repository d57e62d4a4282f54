/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.modular;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;

/**
 * Prints the pods and tenants of an API server.
 */
public final class ModularApplication {

	private ModularApplication() {
	}

	public static void main(String[] arguments) throws InterruptedException {
		list(arguments[0]).forEach(System.out::println);
	}

	static Set<String> list(String url) throws InterruptedException {
		ApiClient client = new ClientBuilder().setBasePath(url).build();
		Set<String> names = ConcurrentHashMap.newKeySet();
		try (InformerFactory informers = InformerFactory.create(client)) {
			HandlerRegistration pods = informers.informer(V1Pod.class)
				.addHandler((event) -> names.add(event.object().getMetadata().getName()));
			HandlerRegistration tenants = informers.informer(Tenant.class)
				.addHandler((event) -> names.add(event.object().getPlan()));
			informers.start();
			if (!pods.awaitSynced(Duration.ofSeconds(30)) || !tenants.awaitSynced(Duration.ofSeconds(30))) {
				throw new IllegalStateException("Not synced");
			}
		}
		return names;
	}

}
