/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.informer.Encoding;
import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.official.OfficialInformers;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Program with informers of each kind, for tests of its class path. It uses nothing else
 * of the tests.
 */
public final class InformerProgram {

	private static final Duration LONG = Duration.ofSeconds(60);

	private InformerProgram() {
	}

	/**
	 * Follow the objects of an API server, and write an object.
	 * @param arguments {@code url} or {@code kubeconfig}, and the URL or the file
	 */
	public static void main(String[] arguments) throws Exception {
		ApiClient client = arguments[0].equals("url") ? new ClientBuilder().setBasePath(arguments[1]).build()
				: kubeconfig(Path.of(arguments[1]));
		CountDownLatch written = new CountDownLatch(1);
		try (InformerFactory informers = InformerFactory.create(client)) {
			SharedIndexInformer<V1Pod> pods = informers.informer(V1Pod.class);
			SharedIndexInformer<DynamicKubernetesObject> nodes = informers.informer("nodes.v1");
			informers.informer(V1ConfigMap.class, (options) -> options.name("json").encoding(Encoding.JSON));
			SharedIndexInformer<V1ConfigMap> maps = informers.informer(V1ConfigMap.class);
			HandlerRegistration handler = maps.addHandler((event) -> {
				if (event.object().getMetadata().getName().equals("written")) {
					written.countDown();
				}
			});
			maps.addIndex("by-key", (map) -> (map.getData() != null) ? map.getData().get("key") : null);
			informers.start();
			require(informers.awaitSynced(LONG) && handler.awaitSynced(LONG), "synced");
			require(List.of(pods, nodes).stream().noneMatch((informer) -> informer.lister().size() == 0), "objects");
			new CoreV1Api(client)
				.createNamespacedConfigMap("default",
						new V1ConfigMap().metadata(new V1ObjectMeta().name("written")).putDataItem("key", "value"))
				.execute();
			require(written.await(60, TimeUnit.SECONDS), "event");
			require(OfficialInformers.lister(maps).namespace("default").get("written") != null, "lister");
		}
	}

	private static ApiClient kubeconfig(Path file) throws IOException {
		try (Reader reader = Files.newBufferedReader(file)) {
			return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build();
		}
	}

	private static void require(boolean condition, String what) {
		if (!condition) {
			throw new IllegalStateException("no " + what);
		}
	}

}
