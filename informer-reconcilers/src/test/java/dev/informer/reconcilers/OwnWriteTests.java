/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OwnWrite}.
 */
class OwnWriteTests {

	@Test
	void generatedNameWithoutAnAnswer_awaitsTheSecondList_whateverOthersWrite() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
				InformerFactory factory = InformerFactory
					.create(new ClientBuilder().setBasePath(kubernetes.url()).build())) {
			SharedIndexInformer<V1Secret> secrets = factory.informer(V1Secret.class);
			factory.start();
			assertThat(factory.awaitSynced(Duration.ofSeconds(30))).isTrue();
			OwnWrite.begin();
			OwnWrite.unanswered(factory, new WriteTarget<>(ResourceType.of(V1Secret.class), "default", null));
			OwnWrite write = OwnWrite.end().get(0);
			List<String> awaited = new ArrayList<>();
			for (int probe = 0; probe < 4; probe++) {
				kubernetes.create(new V1Namespace().apiVersion("v1")
					.kind("Namespace")
					.metadata(new V1ObjectMeta().name("other-" + probe)));
				assertThat(write.isReached()).isFalse();
				write.probe(0);
				awaited.add(write.toString());
			}
			assertThat(awaited.get(0)).contains("secrets with a generated name at version")
				.isNotEqualTo(awaited.get(1));
			assertThat(awaited.subList(1, 4)).containsOnly(awaited.get(1));
			kubernetes.create(new V1Secret().apiVersion("v1")
				.kind("Secret")
				.metadata(new V1ObjectMeta().namespace("default").name("next")));
			await().until(write::isReached);
			assertThat(secrets.lister().size()).isOne();
		}
	}

}
