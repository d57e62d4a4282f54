/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what an informer requests and accepts, against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class EncodingTests {

	private static final String BOTH = "application/vnd.kubernetes.protobuf,application/json";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<InformerFailure> failures = new CopyOnWriteArrayList<>();

	private final InformerFactory informers = InformerFactory.create(
			() -> new ApiClient().setBasePath(this.kubernetes.url()), (settings) -> settings.addListener((event) -> {
				if (event instanceof InformerEvent.Failed failed) {
					this.failures.add(failed.failure());
				}
			}));

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void builtInType_isReadAsProtobuf(boolean streamingList) throws Exception {
		create("a");
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
				(options) -> options.namespaces("default").streamingList(streamingList));
		assertThat(informer.encoding()).isEmpty();
		follow(informer);
		assertThat(informer.encoding()).hasValue("protobuf");
		assertThat(accepted("configmaps")).containsOnly(BOTH);
		assertThat(informer.lister().get("default", "b")).get().satisfies((map) -> {
			assertThat(map.getKind()).isEqualTo("ConfigMap");
			assertThat(map.getData()).isEqualTo(Map.of("key", "1"));
		});
		assertThat(this.failures).isEmpty();
	}

	@Test
	void encodingJson_requestsJsonOnly() throws Exception {
		create("a");
		SharedIndexInformer<V1ConfigMap> informer = configMaps((options) -> options.encoding(Encoding.JSON));
		follow(informer);
		assertThat(informer.encoding()).hasValue("json");
		assertThat(accepted("configmaps")).containsOnly("application/json");
	}

	@Test
	void customResource_isRequestedAsJson() throws Exception {
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
		SharedIndexInformer<DynamicKubernetesObject> informer = this.informers
			.informer(ResourceType.dynamic("example.com", "v1", "tenants", "Tenant", true), (options) -> {
			});
		sync();
		await().untilAsserted(() -> assertThat(accepted("tenants.example.com")).hasSize(2));
		assertThat(accepted("tenants.example.com")).containsOnly("application/json");
		assertThat(informer.encoding()).hasValue("json");
	}

	@Test
	void untypedBuiltInResource_isRequestedAsJson() throws Exception {
		create("a");
		SharedIndexInformer<DynamicKubernetesObject> informer = this.informers
			.informer(ResourceType.dynamic("", "v1", "configmaps", "ConfigMap", true), (options) -> {
			});
		follow(informer);
		assertThat(accepted("configmaps")).containsOnly("application/json");
	}

	@Test
	void metadataAlone_isReadAsProtobuf_alsoThatOfCustomResources() throws Exception {
		create("a");
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
				Map.of("name", "t", "namespace", "default", "labels", Map.of("plan", "small")), "spec", Map.of()));
		SharedIndexInformer<PartialObjectMetadata> maps = this.informers
			.informer(ResourceType.of(V1ConfigMap.class).metadataOnly(), (options) -> {
			});
		SharedIndexInformer<PartialObjectMetadata> tenants = this.informers.informer(
				ResourceType.named(PartialObjectMetadata.class, "tenants.example.com"),
				(options) -> options.name("tenants"));
		follow(maps);
		assertThat(maps.encoding()).hasValue("protobuf");
		assertThat(tenants.encoding()).hasValue("protobuf");
		assertThat(tenants.lister().list()).singleElement().satisfies((tenant) -> {
			assertThat(tenant.getKind()).isEqualTo(PartialObjectMetadata.KIND);
			assertThat(tenant.getApiVersion()).isEqualTo(PartialObjectMetadata.API_VERSION);
			assertThat(tenant.getMetadata().getLabels()).isEqualTo(Map.of("plan", "small"));
		});
		String list = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
		assertThat(accepted("configmaps"))
			.contains("application/vnd.kubernetes.protobuf" + list + ",application/json" + list);
		assertThat(this.failures).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 406, 415 })
	void serverThatRefusesProtobuf_isAskedForJsonFromThenOn(int code) throws Exception {
		create("a");
		this.kubernetes.faults().next(1, Verb.LIST, "configmaps", Fault.status(code));
		SharedIndexInformer<V1ConfigMap> informer = configMaps((options) -> {
		});
		follow(informer);
		assertThat(informer.encoding()).hasValue("json");
		assertThat(accepted("configmaps").subList(0, 2)).containsExactly(BOTH, "application/json");
		assertThat(accepted("configmaps").stream().skip(1)).containsOnly("application/json");
		assertThat(this.failures).isEmpty();
	}

	@Test
	void serverThatRefusesProtobufForWatches_isWatchedInJson() throws Exception {
		create("a");
		this.kubernetes.faults().next(1, Verb.WATCH, "configmaps", Fault.status(406));
		SharedIndexInformer<V1ConfigMap> informer = configMaps((options) -> {
		});
		follow(informer);
		assertThat(informer.encoding()).hasValue("json");
		assertThat(this.failures).isEmpty();
	}

	@Test
	void serverThatRefusesJsonToo_isFailure() {
		this.kubernetes.faults().always(Verb.LIST, "configmaps", Fault.status(406));
		configMaps((options) -> {
		});
		this.informers.start();
		await().untilAsserted(() -> assertThat(this.failures).isNotEmpty());
		assertThat(accepted("configmaps")).startsWith(BOTH, "application/json");
	}

	@Test
	void responseInJson_isDecodedAsJson() throws Exception {
		create("a");
		this.kubernetes.faults().next(2, Verb.LIST, "configmaps", Fault.replaced("\"key\":\"1\"", "\"key\":\"json\""));
		SharedIndexInformer<V1ConfigMap> informer = configMaps((options) -> {
		});
		sync();
		assertThat(informer.lister().get("default", "a").orElseThrow().getData()).containsEntry("key", "json");
	}

	@Test
	void failureInProtobuf_hasItsReasonAndMessage() {
		this.kubernetes.faults().next(1, Verb.LIST, "configmaps", Fault.status(403));
		configMaps((options) -> {
		});
		this.informers.start();
		await().untilAsserted(() -> assertThat(this.failures).isNotEmpty());
		assertThat(this.failures.get(0).message()).contains("403 Forbidden: configmaps is forbidden");
	}

	@Test
	void objectThatIsUnreadable_isReported_andTheOthersAreCached() throws Exception {
		create("a");
		SharedIndexInformer<V1ConfigMap> informer = configMaps((options) -> {
		});
		Map<String, Object> unreadable = Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("name", "broken", "namespace", "default"), "binaryData", Map.of("key", "no base64!"));
		this.kubernetes.create(unreadable);
		follow(informer);
		assertThat(informer.lister().get("default", "broken")).isEmpty();
		assertThat(this.failures).singleElement()
			.satisfies((failure) -> assertThat(failure.kind()).isEqualTo(InformerFailure.Kind.UNDECODABLE_OBJECT))
			.satisfies((failure) -> assertThat(failure.message()).contains("default/broken"));
	}

	private SharedIndexInformer<V1ConfigMap> configMaps(Consumer<InformerOptions.Builder> options) {
		return this.informers.informer(V1ConfigMap.class, (builder) -> {
			builder.namespaces("default");
			options.accept(builder);
		});
	}

	private void sync() throws InterruptedException {
		this.informers.start();
		assertThat(this.informers.awaitSynced(Duration.ofSeconds(60))).isTrue();
	}

	/**
	 * Start the informers, and follow a change.
	 */
	private <T extends KubernetesObject> void follow(SharedIndexInformer<T> informer) throws InterruptedException {
		sync();
		create("b");
		await().until(() -> informer.lister().get("default", "b").isPresent());
	}

	private void create(String name) {
		this.kubernetes.create(TestObjects.configMap("default", name).data(Map.of("key", "1")));
	}

	private List<String> accepted(String resource) {
		return this.kubernetes.requests()
			.stream()
			.filter((request) -> request.resource().equals(resource))
			.map((request) -> request.headers().get("accept"))
			.toList();
	}

}
