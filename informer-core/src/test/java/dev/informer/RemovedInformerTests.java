/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for informers that are removed from their factory.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class RemovedInformerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory informers = InformerFactory
		.create(new ApiClient().setBasePath(this.kubernetes.url()));

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void removedInformer_isClosedAndItsNameIsAvailable() throws Exception {
		SharedIndexInformer<V1Node> nodes = this.informers.informer(V1Node.class);
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
		this.informers.remove(nodes);
		this.informers.remove(nodes);
		assertThat(this.informers.informers()).isEmpty();
		assertThatIllegalStateException().isThrownBy(nodes::start).withMessageContaining("is closed");
		SharedIndexInformer<V1Node> others = this.informers.informer(V1Node.class,
				(options) -> options.labelSelector("zone=a"));
		assertThat(others).isNotSameAs(nodes);
		this.informers.remove(nodes);
		assertThat(this.informers.informers()).containsExactly(others);
		others.start();
		assertThat(others.awaitSynced(LONG)).isTrue();
	}

	@Test
	void removedInformer_releasesHandlers() throws Exception {
		this.kubernetes.faults().always(Verb.LIST, "nodes", Fault.status(403));
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "default", "name", "a"), "data", Map.of()));
		SharedIndexInformer<V1Node> nodes = this.informers.informer(V1Node.class);
		HandlerRegistration registration = this.informers.informer(V1ConfigMap.class).addHandler((event) -> {
		});
		this.informers.holdHandlers(List.of(nodes));
		this.informers.start();
		assertThat(registration.awaitSynced(Duration.ofMillis(50))).isFalse();
		this.informers.remove(nodes);
		assertThat(registration.awaitSynced(LONG)).isTrue();
	}

}
