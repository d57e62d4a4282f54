/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.official;

import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.EmbeddedConfigMaps;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link OfficialInformerFactory}, over HTTP against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class OfficialInformerFactoryTests {

	private final EmbeddedConfigMaps maps = new EmbeddedConfigMaps();

	private final SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();

	@AfterEach
	void close() {
		this.maps.close();
	}

	@Test
	void factory_startsAndStopsItsInformers() {
		SharedInformerFactory factory = OfficialInformers.factory(this.informer);
		for (int i = 0; i < 2; i++) {
			factory.startAllRegisteredInformers();
			await().until(() -> this.informer.state().phase() == Phase.WATCHING);
			factory.stopAllRegisteredInformers();
			assertThat(this.informer.state().phase()).isEqualTo(Phase.STOPPED);
		}
	}

	@Test
	void factory_returnsTheInformerOfTheClassForEveryRequest() throws Exception {
		ApiClient unused = new ApiClient().setReadTimeout(0);
		SharedInformerFactory factory = OfficialInformers.factory(this.informer);
		this.maps.create("shop", "a", "1");
		this.maps.startAndSync();
		var existing = factory.getExistingSharedIndexInformer(V1ConfigMap.class);
		assertThat(existing.getIndexer().getByKey("shop/a")).isNotNull();
		assertThat(factory.sharedIndexInformerFor((parameters) -> {
			throw new IllegalStateException("not called");
		}, V1ConfigMap.class, V1ConfigMapList.class)).isSameAs(existing);
		assertThat(factory.sharedIndexInformerFor(
				new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", unused),
				V1ConfigMap.class, 0, "shop"))
			.isSameAs(existing);
	}

	@Test
	void factory_createsNoInformer() {
		SharedInformerFactory factory = OfficialInformers.factory(this.informer);
		assertThat(factory.getExistingSharedIndexInformer(V1Pod.class)).isNull();
		assertThatIllegalStateException().isThrownBy(() -> factory.sharedIndexInformerFor((parameters) -> {
			throw new IllegalStateException("not called");
		}, V1Pod.class, V1PodList.class))
			.withMessage("Cannot create an informer of io.kubernetes.client.openapi.models.V1Pod: this factory has "
					+ "only the informers that it was made of. Pass one of this class to "
					+ "OfficialInformers.factory(...).");
	}

	@Test
	void factoryOfTwoInformersOfOneClass_isRefused() {
		SharedIndexInformer<V1ConfigMap> other = this.maps
			.informer((options) -> options.name("shop").namespaces("shop"));
		assertThatIllegalArgumentException().isThrownBy(() -> OfficialInformers.factory(this.informer, other))
			.withMessageContaining("'shop'")
			.withMessageContaining("V1ConfigMap");
	}

}
