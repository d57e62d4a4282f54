/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.util.ClientBuilder;

/**
 * Program with one informer and one handler, which receives a pod of the list and one of
 * the watch. It uses nothing else of the tests.
 */
public final class LeastProgram {

	private LeastProgram() {
	}

	/**
	 * Wait for the pod of an API server and for another that it creates.
	 * @param arguments the URL
	 */
	public static void main(String[] arguments) throws Exception {
		ApiClient client = new ClientBuilder().setBasePath(arguments[0]).build();
		CountDownLatch delivered = new CountDownLatch(2);
		try (InformerFactory informers = InformerFactory.create(client)) {
			informers.informer(V1Pod.class).addHandler((event) -> delivered.countDown());
			informers.start();
			informers.awaitSynced(Duration.ofSeconds(60));
			new CoreV1Api(client)
				.createNamespacedPod("default",
						new V1Pod().metadata(new V1ObjectMeta().name("written"))
							.spec(new V1PodSpec().addContainersItem(new V1Container().name("web").image("web"))))
				.execute();
			if (!delivered.await(60, TimeUnit.SECONDS)) {
				throw new IllegalStateException("no pods");
			}
		}
	}

}
