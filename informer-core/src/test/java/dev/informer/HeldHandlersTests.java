/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for handlers that are held back until informers have synced.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class HeldHandlersTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory informers = factory();

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.informers.informer(V1ConfigMap.class);

	private final SharedIndexInformer<V1Node> nodes = this.informers.informer(V1Node.class);

	private final EventLog<V1ConfigMap> log = new EventLog<>();

	@BeforeEach
	void createObjects() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "shop", "name", "a"), "data", Map.of()));
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void handlers_areInvokedOnceAllInformersHaveSynced() throws Exception {
		this.kubernetes.faults().always(Verb.LIST, "nodes", Fault.status(403));
		List<Boolean> found = new CopyOnWriteArrayList<>();
		HandlerRegistration early = this.configMaps.addHandler((event) -> found.add(this.nodes.hasSynced()));
		this.informers.holdHandlers(this.informers.informers());
		this.informers.start();
		assertThat(this.configMaps.awaitSynced(LONG)).isTrue();
		HandlerRegistration late = this.configMaps.addHandler(this.log);
		assertThat(early.awaitSynced(Duration.ofMillis(50))).isFalse();
		assertThat(early.pending()).isEqualTo(1);
		assertThat(late.pending()).isEqualTo(1);
		assertThat(found).isEmpty();
		this.kubernetes.faults().clear();
		assertThat(early.awaitSynced(LONG)).isTrue();
		assertThat(late.awaitSynced(LONG)).isTrue();
		assertThat(found).containsExactly(true);
		assertThat(this.log.story()).containsExactly("ADDED shop/a");
	}

	@Test
	void release_deliversEventsAndSurvivesRestart() throws Exception {
		this.kubernetes.faults().always(Verb.LIST, "nodes", Fault.status(403));
		HandlerRegistration registration = this.configMaps.addHandler(this.log);
		this.informers.holdHandlers(List.of(this.configMaps, this.nodes));
		this.informers.start();
		assertThat(this.configMaps.awaitSynced(LONG)).isTrue();
		this.informers.stop(LONG);
		assertThat(this.log.events()).isEmpty();
		this.informers.start();
		this.informers.releaseHandlers();
		assertThat(registration.awaitSynced(LONG)).isTrue();
		this.informers.stop(LONG);
		this.kubernetes.delete("configmaps", "shop", "a");
		this.informers.start();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("ADDED shop/a", "DELETED shop/a"));
	}

	@Test
	void permanentlyFailedInformer_releasesHandlers() throws Exception {
		SharedIndexInformer<V1Node> invalid = this.informers.informer(V1Node.class,
				(options) -> options.name("invalid").labelSelector("a=b=c"));
		HandlerRegistration registration = this.configMaps.addHandler(this.log);
		this.informers.holdHandlers(List.of(invalid));
		this.informers.start();
		assertThat(registration.awaitSynced(LONG)).isTrue();
		assertThat(invalid.hasSynced()).isFalse();
	}

	@Test
	void syncedInformers_doNotDeferDelivery() throws Exception {
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
		this.informers.holdHandlers(this.informers.informers());
		assertThat(this.configMaps.addHandler(this.log).awaitSynced(LONG)).isTrue();
	}

	@Test
	void informerOfAnotherFactory_isRejected() {
		try (InformerFactory other = factory()) {
			assertThatIllegalArgumentException().isThrownBy(() -> other.holdHandlers(List.of(this.nodes)))
				.withMessageContaining("'nodes'")
				.withMessageContaining("releaseHandlers");
		}
	}

	private InformerFactory factory() {
		BackoffPolicy quick = new BackoffPolicy(Duration.ofMillis(5), 2, Duration.ofMillis(50), Duration.ofMillis(5),
				Duration.ofMinutes(2));
		InformerOptions defaults = new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(quick).build();
		return InformerFactory.create(() -> new ApiClient().setBasePath(this.kubernetes.url()),
				(settings) -> settings.defaults(defaults));
	}

}
