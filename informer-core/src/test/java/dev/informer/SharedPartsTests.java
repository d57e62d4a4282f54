/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that objects of a cache share equal parts, unless something may modify them.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class SharedPartsTests {

	private static final int PODS = 10;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory informers = InformerFactory
		.create(new ApiClient().setBasePath(this.kubernetes.url()));

	@BeforeEach
	void create() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		for (int i = 0; i < PODS; i++) {
			create("pod-" + i);
		}
	}

	private void create(String name) {
		this.kubernetes
			.create(Map.of("apiVersion", "v1", "kind", "Pod", "metadata", Map.of("name", name, "namespace", "shop"),
					"spec", Map.of("containers", List.of(Map.of("name", "main", "image", "web:1", "env",
							List.of(Map.of("name", "URL", "value", "http://example.com/" + "x".repeat(100))))))));
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void equalParts_ofListAndWatch_areShared() throws Exception {
		SharedIndexInformer<V1Pod> informer = start((options) -> {
		}, null);
		assertThat(containers(informer)).hasSize(2);
		create("one-more");
		await().until(() -> informer.lister().get("shop", "one-more").isPresent());
		assertThat(containers(informer)).hasSize(2);
	}

	@Test
	void nothingIsShared_ifThatIsDisabled() throws Exception {
		assertThat(containers(start((options) -> options.shareValues(false), null))).hasSize(PODS);
	}

	@Test
	void transform_mayModifyItsObject() throws Exception {
		SharedIndexInformer<V1Pod> informer = start((options) -> {
		}, (pod) -> {
			pod.getSpec().getContainers().get(0).getEnv().get(0).setValue(pod.getMetadata().getName());
			return pod;
		});
		assertThat(containers(informer)).hasSize(PODS);
		assertThat(informer.lister().list())
			.allSatisfy((pod) -> assertThat(pod.getSpec().getContainers().get(0).getEnv().get(0).getValue())
				.isEqualTo(pod.getMetadata().getName()));
	}

	private SharedIndexInformer<V1Pod> start(Consumer<InformerOptions.Builder> options,
			@Nullable ObjectTransform<V1Pod> transform) throws Exception {
		SharedIndexInformer<V1Pod> informer = this.informers.informer(V1Pod.class, options);
		if (transform != null) {
			informer.setTransform(transform);
		}
		this.informers.start();
		assertThat(this.informers.awaitSynced(Duration.ofSeconds(30))).isTrue();
		return informer;
	}

	/**
	 * Return the different lists of containers.
	 */
	private static Set<Object> containers(SharedIndexInformer<V1Pod> informer) {
		Set<Object> different = Collections.newSetFromMap(new IdentityHashMap<>());
		informer.lister().list().forEach((pod) -> different.add(pod.getSpec().getContainers()));
		return different;
	}

}
