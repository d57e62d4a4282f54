/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.ResourceEvent.Added;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an informer of very many objects.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class ManyObjectsTests {

	private static final int OBJECTS = 100_000;

	private static final Duration LONG = Duration.ofSeconds(120);

	@Test
	void hundredThousandObjects_areStoredAndDelivered() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
				InformerFactory informers = InformerFactory.create(new ApiClient().setBasePath(kubernetes.url()))) {
			kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
			for (int i = 0; i < OBJECTS; i++) {
				kubernetes.create(configMap("map-" + i));
			}
			AtomicInteger initial = new AtomicInteger();
			AtomicInteger later = new AtomicInteger();
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class);
			HandlerRegistration registration = informer
				.addHandler((event) -> (isInitial(event) ? initial : later).incrementAndGet());
			informers.start();
			assertThat(informers.awaitSynced(LONG)).isTrue();
			assertThat(registration.awaitSynced(LONG)).isTrue();
			assertThat(initial).hasValue(OBJECTS);
			assertThat(informer.lister().list()).hasSize(OBJECTS);
			assertThat(informer.lister().get("shop", "map-" + (OBJECTS - 1))).isPresent();
			kubernetes.create(configMap("one-more"));
			await().atMost(LONG).until(() -> later.get() == 1);
			assertThat(informer.lister().keys()).hasSize(OBJECTS + 1);
			assertThat(initial).hasValue(OBJECTS);
		}
	}

	private static boolean isInitial(ResourceEvent<V1ConfigMap> event) {
		return event instanceof Added<V1ConfigMap> added && added.initialList();
	}

	private static Map<String, Object> configMap(String name) {
		return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace", "shop", "name", name));
	}

}
