/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Map;

import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent.Added;
import dev.informer.client.CustomResource;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EmbeddedConfigMaps;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.PlainObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.configMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for informers as a whole, over HTTP against the embedded API server.
 */
@ParameterizedClass
@EnumSource(Encoding.class)
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class InformerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedConfigMaps maps;

	private final EmbeddedKubernetes kubernetes;

	private final InformerFactory informers;

	InformerTests(Encoding encoding) {
		this.maps = new EmbeddedConfigMaps(encoding);
		this.kubernetes = this.maps.kubernetes();
		this.informers = this.maps.informers();
	}

	@AfterEach
	void close() {
		this.maps.close();
	}

	@Test
	void start_syncsAndDeliversChanges() throws Exception {
		this.maps.create("shop", "a", "1");
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		EventLog<V1ConfigMap> log = new EventLog<>();
		HandlerRegistration registration = informer.addHandler(log);
		assertThat(informer.state().phase()).isEqualTo(Phase.NOT_STARTED);
		this.maps.startAndSync();
		assertThat(informer.lister().get("shop", "a")).get()
			.satisfies((found) -> assertThat(found.getData()).containsEntry("key", "1"));
		assertThat(registration.awaitSynced(LONG)).isTrue();
		assertThat(log.events()).singleElement()
			.isInstanceOfSatisfying(Added.class, (event) -> assertThat(event.initialList()).isTrue());
		this.maps.create("shop", "b", "1");
		this.maps.change("shop", "a", "2");
		log.awaitStory("ADDED shop/a", "ADDED shop/b", "UPDATED shop/a");
		this.maps.delete("shop", "a");
		log.awaitStory("ADDED shop/a", "ADDED shop/b", "UPDATED shop/a", "DELETED shop/a");
		assertThat(log.events().get(1)).isEqualTo(new Added<>(log.events().get(1).object(), false));
		this.maps.awaitAgreement(informer, log);
		assertThat(informer.state().phase()).isEqualTo(Phase.WATCHING);
	}

	@Test
	void lists_arePaginatedAndWatchesRequestBookmarks() throws Exception {
		for (int i = 0; i < 7; i++) {
			this.maps.create("shop", "a" + i, "1");
		}
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer((options) -> options.pageSize(3));
		this.maps.startAndSync();
		assertThat(informer.lister().size()).isEqualTo(7);
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps").get(0).query())
			.containsEntry("resourceVersion", "0")
			.containsEntry("limit", "3");
		await().untilAsserted(() -> assertThat(this.kubernetes.requests(Verb.WATCH, "configmaps")).singleElement()
			.extracting(ReceivedRequest::query)
			.satisfies((query) -> assertThat(query).containsEntry("allowWatchBookmarks", "true")
				.containsKey("timeoutSeconds")
				.containsEntry("resourceVersion", informer.lastSyncResourceVersion())));
	}

	@Test
	void lister_beforeSync_throws() {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		assertThatExceptionOfType(NotSyncedException.class).isThrownBy(() -> informer.lister().list())
			.withMessageContaining("'configmaps'");
	}

	@Test
	void index_addedBeforeAndAfterStart_findsObjects() throws Exception {
		this.maps.create("shop", "a", "red");
		this.maps.create("bank", "b", "red");
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		informer.addIndex("color", (map) -> map.getData().get("key"));
		this.maps.startAndSync();
		informer.addIndex("name", (map) -> map.getMetadata().getName());
		this.maps.create("shop", "c", "blue");
		await().untilAsserted(() -> assertThat(informer.lister().indexValues("color")).containsOnly("red", "blue"));
		assertThat(informer.lister().byIndex("color", "red")).hasSize(2);
		assertThat(informer.lister().byIndex("name", "c")).hasSize(1);
		assertThat(informer.lister().list("shop")).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void streamingList_isUsedWhereSupported(boolean served) throws Exception {
		try (EmbeddedKubernetes server = EmbeddedKubernetes.start((options) -> options.streamingLists(served));
				InformerFactory streaming = InformerFactory.create(new ApiClient().setBasePath(server.url()))) {
			server.create(configMap("default", "a").data(Map.of("key", "1")));
			SharedIndexInformer<V1ConfigMap> informer = streaming.informer(V1ConfigMap.class,
					(options) -> options.streamingList(true));
			informer.start();
			assertThat(informer.awaitSynced(LONG)).isTrue();
			server.create(configMap("default", "b").data(Map.of("key", "1")));
			await().untilAsserted(() -> assertThat(informer.lister().list()).hasSize(2));
			assertThat(server.requests(Verb.LIST, "configmaps")).hasSize(served ? 0 : 1);
		}
	}

	@Test
	void invalidSelector_endsWaitWithMessageOfServer() {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer((options) -> options.labelSelector("a=b=c"));
		this.informers.start();
		assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> informer.awaitSynced(LONG))
			.withMessageContaining("'configmaps'")
			.withMessageContaining("label selector")
			.withMessageContaining("'a=b=c'")
			.withMessageContaining("found '='");
		assertThat(informer.state().phase()).isEqualTo(Phase.FAILED);
	}

	@Test
	void objectThatNoLongerMatchesSelector_isDeleted() throws Exception {
		this.kubernetes.create(configMap("shop", "a", Map.of("app", "web")).data(Map.of("key", "1")));
		this.maps.create("shop", "other", "1");
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer((options) -> options.labelSelector("app=web"));
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.maps.startAndSync();
		log.awaitStory("ADDED shop/a");
		this.kubernetes.mergePatch("configmaps", "shop", "a", Map.of("metadata", Map.of("labels", Map.of("app", "x"))));
		log.awaitStory("ADDED shop/a", "DELETED shop/a");
		assertThat(informer.lister().size()).isZero();
	}

	@Test
	void unservedResource_isDormantUntilServed() throws Exception {
		SharedIndexInformer<Tenant> informer = this.informers.informer(Tenant.class);
		informer.start();
		await().until(() -> informer.state().phase() == Phase.DORMANT);
		assertThat(informer.state().failure()).isNotNull()
			.satisfies((failure) -> assertThat(failure.message()).contains("tenants.example.com/v1"));
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
		assertThat(informer.awaitSynced(LONG)).isTrue();
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
				Map.of("namespace", "shop", "name", "t"), "plan", "gold"));
		await().untilAsserted(() -> assertThat(informer.lister().get("shop", "t")).get()
			.extracting((tenant) -> tenant.plan)
			.isEqualTo("gold"));
	}

	@Test
	void severalNamespaces_areOneInformer() throws Exception {
		this.maps.create("shop", "a", "1");
		this.maps.create("bank", "b", "1");
		this.maps.create("default", "unseen", "1");
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer((options) -> options.namespaces("shop", "bank"));
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.maps.startAndSync();
		assertThat(informer.lister().list()).hasSize(2);
		assertThat(informer.statesByNamespace()).containsOnlyKeys("shop", "bank");
		this.maps.create("bank", "c", "1");
		this.kubernetes.restart();
		await().untilAsserted(() -> assertThat(this.maps.recorder().relists()).isNotEmpty());
		this.maps.create("shop", "d", "1");
		await().untilAsserted(() -> assertThat(log.replay()).containsOnlyKeys("shop/a", "bank/b", "bank/c", "shop/d"));
		assertThat(log.story()).noneMatch((event) -> event.startsWith("DELETED"));
		assertThat(log.problems()).isEmpty();
	}

	@Test
	void namespaceThatDoesNotExist_isEmptyAndFollowedOnceItExists() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer((options) -> options.namespaces("later"));
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.maps.startAndSync();
		assertThat(informer.lister().list()).isEmpty();
		this.kubernetes.create(TestObjects.namespace("later"));
		this.maps.create("later", "a", "1");
		await().untilAsserted(() -> assertThat(log.replay()).containsOnlyKeys("later/a"));
	}

	@Test
	void namespacesOfClusterScopedResource_areRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.informers.informer(V1Node.class, (options) -> options.namespaces("shop")))
			.withMessageContaining("nodes/v1 is cluster-scoped");
	}

	@Test
	void informer_withSameOptionsIsShared_withOtherOptionsIsRejected() {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		assertThat(this.maps.informer()).isSameAs(informer);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.maps.informer((options) -> options.labelSelector("a=b")))
			.withMessageContaining("options.name");
		assertThat(this.maps.informer((options) -> options.name("other").labelSelector("a=b"))).isNotSameAs(informer);
	}

	/**
	 * A custom resource.
	 */
	@CustomResource(group = "example.com", version = "v1", plural = "tenants")
	static class Tenant extends PlainObject {

		private @Nullable String plan;

	}

}
