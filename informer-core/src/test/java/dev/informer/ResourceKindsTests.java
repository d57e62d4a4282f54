/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.net.ServerSocket;
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
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.PlainObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for informers of objects that have no model in the official client, and of the
 * metadata of those that have one.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ResourceKindsTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Consumer<InformerOptions.Builder> QUICKLY = (options) -> options.backoff(
			new BackoffPolicy(Duration.ofMillis(20), 1, Duration.ofMillis(50), Duration.ZERO, Duration.ofMinutes(2)));

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<InformerFailure> failures = new CopyOnWriteArrayList<>();

	private final InformerFactory informers = InformerFactory.create(
			() -> new ApiClient().setBasePath(this.kubernetes.url()), (settings) -> settings.addListener((event) -> {
				if (event instanceof InformerEvent.Failed failed) {
					ResourceKindsTests.this.failures.add(failed.failure());
				}
			}));

	@BeforeEach
	void defineResources() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1beta1", "tenants", "Tenant"));
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
		this.kubernetes.addResource(ResourceDefinition.clusterScoped("example.com", "v1", "regions", "Region"));
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void untypedResource_discoveredByName_isWatched() throws Exception {
		create("a", "small");
		SharedIndexInformer<DynamicKubernetesObject> informer = this.informers.informer("tenants.v1.example.com",
				(options) -> options.namespaces("default"));
		assertThat(informer.resourceType())
			.isEqualTo(ResourceType.dynamic("example.com", "v1", "tenants", "Tenant", true));
		EventLog<DynamicKubernetesObject> log = new EventLog<>();
		informer.addHandler(log);
		informer.addIndex("plan",
				(tenant) -> tenant.getRaw().getAsJsonObject("spec").getAsJsonPrimitive("plan").getAsString());
		startAndSync();
		assertThat(informer.lister().get("default", "a")).get().satisfies((tenant) -> {
			assertThat(tenant.getApiVersion()).isEqualTo("example.com/v1");
			assertThat(tenant.getKind()).isEqualTo("Tenant");
		});
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a"));
		this.kubernetes.mergePatch("tenants.example.com", "default", "a", Map.of("spec", Map.of("plan", "large")));
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a", "UPDATED default/a"));
		assertThat(informer.lister().byIndex("plan", "large")).hasSize(1);
		this.kubernetes.delete("tenants.example.com", "default", "a");
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a", "UPDATED default/a",
				"DELETED default/a"));
		assertThat(log.problems()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "example.com, v1api20200601, Vault, vaults.v1api20200601.example.com",
			"example.com, v1api20200601, Vault, vaults.example.com",
			"example.com, v1-rc1, Key-Vault, vaults.v1-rc1.example.com",
			"example.com, v1-rc1, Key-Vault, vaults.example.com",
			"example.com, stable, Vault, vaults.stable.example.com", "v2.example.com, v1, Vault, vaults.v2.example.com",
			"v2.example.com, v1, Vault, vaults.v1.v2.example.com",
			"stable.example.com, v1, Vault, vaults.stable.example.com" })
	void versionOrGroupOfAnyForm_isFoundByItsName(String group, String version, String kind, String name)
			throws Exception {
		this.kubernetes.addResource(ResourceDefinition.namespaced(group, version, "vaults", kind));
		this.kubernetes.create("{\"apiVersion\":\"" + group + "/" + version + "\",\"kind\":\"" + kind
				+ "\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}}");
		SharedIndexInformer<DynamicKubernetesObject> informer = this.informers.informer(name);
		assertThat(informer.resourceType()).isEqualTo(ResourceType.dynamic(group, version, "vaults", kind, true));
		startAndSync();
		assertThat(informer.lister().get("default", "a")).isPresent();
	}

	@Test
	void nameThatCanBeReadTwice_isReadAsKubectlDoes() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("v1.example.com", "v1", "tenants", "Tenant"));
		this.kubernetes.addResource(ResourceDefinition.namespaced("v1.example.com", "v1", "vaults", "Vault"));
		assertThat(this.informers.informer("tenants.v1.example.com").resourceType())
			.isEqualTo(ResourceType.dynamic("example.com", "v1", "tenants", "Tenant", true));
		assertThat(this.informers.informer("vaults.v1.example.com").resourceType())
			.isEqualTo(ResourceType.dynamic("v1.example.com", "v1", "vaults", "Vault", true));
		assertThatIllegalArgumentException().isThrownBy(() -> this.informers.informer("cars.v1.example.com"))
			.withMessageContaining("the API server has only [regions, tenants] in its group and version");
	}

	@Test
	void untypedResource_declaredCompletely_needsNoDiscovery() {
		int before = this.kubernetes.requests().size();
		this.informers.informer(ResourceType.dynamic("example.com", "v1", "tenants", "Tenant", true), (options) -> {
		});
		assertThat(this.kubernetes.requests()).hasSize(before);
	}

	@Test
	void resourceKnownByName_isDiscoveredAtStart() throws Exception {
		create("a", "small");
		SharedIndexInformer<DynamicKubernetesObject> informer = this.informers.informer(
				ResourceType.named(DynamicKubernetesObject.class, "tenants.example.com"),
				(options) -> options.namespaces("default"));
		assertThat(this.kubernetes.requests()).isEmpty();
		assertThat(informer).hasToString("informer 'tenants' of tenants.example.com");
		EventLog<DynamicKubernetesObject> log = new EventLog<>();
		informer.addHandler(log);
		startAndSync();
		create("b", "small");
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a", "ADDED default/b"));
		assertThat(informer.lister().list())
			.allSatisfy((tenant) -> assertThat(tenant.getApiVersion()).isEqualTo("example.com/v1"));
	}

	@Test
	void classOfResourceKnownByName_isDecoded() throws Exception {
		create("a", "small");
		SharedIndexInformer<Tenant> informer = this.informers
			.informer(ResourceType.named(Tenant.class, "tenants.v1beta1.example.com"), (options) -> {
			});
		startAndSync();
		assertThat(informer.lister().list()).singleElement()
			.satisfies((tenant) -> assertThat(tenant.spec).containsEntry("plan", "small"));
	}

	@Test
	void resourceKnownByName_isWatchedOnceServed() throws Exception {
		SharedIndexInformer<DynamicKubernetesObject> informer = this.informers
			.informer(ResourceType.named(DynamicKubernetesObject.class, "plans.example.org"), QUICKLY);
		informer.start();
		await().untilAsserted(() -> assertThat(informer.state().phase()).isEqualTo(InformerState.Phase.DORMANT));
		assertThat(this.failures.get(0).message()).contains("404",
				"Install the CustomResourceDefinition of plans.example.org",
				"the API server has no group 'example.org'");
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.org", "v1", "plans", "Plan"));
		assertThat(informer.awaitSynced(LONG)).isTrue();
	}

	@Test
	void versionNoLongerServed_isReplacedByServedOne() throws Exception {
		create("a", "small");
		SharedIndexInformer<DynamicKubernetesObject> informer = this.informers
			.informer(ResourceType.named(DynamicKubernetesObject.class, "tenants.example.com"), QUICKLY);
		startAndSync();
		int asked = this.kubernetes.requests().size();
		this.kubernetes.faults().next(1, Verb.LIST, "tenants.example.com", Fault.status(404));
		informer.relist();
		await().untilAsserted(() -> assertThat(this.failures).extracting(InformerFailure::kind)
			.contains(InformerFailure.Kind.NOT_FOUND));
		await().untilAsserted(
				() -> assertThat(this.kubernetes.requests()).filteredOn((request) -> request.path().equals("/apis"))
					.hasSize(2));
		await().untilAsserted(() -> assertThat(informer.state().phase()).isEqualTo(InformerState.Phase.WATCHING));
		assertThat(this.kubernetes.requests()).hasSizeGreaterThan(asked);
	}

	@Test
	void namespacesOfClusterScopedResourceKnownByName_failPermanently() {
		SharedIndexInformer<DynamicKubernetesObject> informer = this.informers.informer(
				ResourceType.named(DynamicKubernetesObject.class, "regions.example.com"),
				(options) -> options.namespaces("default"));
		informer.start();
		await().untilAsserted(() -> assertThat(informer.state().phase()).isEqualTo(InformerState.Phase.FAILED));
		assertThat(this.failures).singleElement()
			.satisfies((failure) -> assertThat(failure.message())
				.contains("namespaces of regions.example.com/v1: it is cluster-scoped"));
	}

	@Test
	void nameWithoutVersion_discoversPreferredVersion() {
		assertThat(this.informers.discover(DynamicKubernetesObject.class, "tenants.example.com").version())
			.isEqualTo("v1");
		assertThat(this.informers.discover(DynamicKubernetesObject.class, "pods"))
			.isEqualTo(ResourceType.dynamic("", "v1", "pods", "Pod", true));
		assertThat(this.informers.discover(DynamicKubernetesObject.class, "regions.example.com").namespaced())
			.isFalse();
	}

	@Test
	void customResourceWithClass_discoveredByName_isWatched() throws Exception {
		create("a", "small");
		ResourceType<Tenant> type = this.informers.discover(Tenant.class, "tenants.example.com");
		SharedIndexInformer<Tenant> informer = this.informers.informer(type, (options) -> {
		});
		startAndSync();
		assertThat(informer.lister().list()).singleElement()
			.satisfies((tenant) -> assertThat(tenant.spec).containsEntry("plan", "small"));
	}

	@Test
	void unservedResource_isRejectedWithServedResources() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.informers.informer("tenant.v1.example.com"))
			.withMessageContaining("'tenant.v1.example.com'")
			.withMessageContaining("[regions, tenants]");
		assertThatIllegalArgumentException().isThrownBy(() -> this.informers.informer("tenants.v7.example.com"))
			.withMessageContaining("no version 'v7' of the group 'example.com'");
		assertThatIllegalArgumentException().isThrownBy(() -> this.informers.informer("tenants.example.org"))
			.withMessageContaining("no group 'example.org'");
	}

	@Test
	void unreachableServer_isReportedAsReason() throws IOException {
		int port;
		try (ServerSocket socket = new ServerSocket(0)) {
			port = socket.getLocalPort();
		}
		try (InformerFactory unreachable = InformerFactory
			.create(new ApiClient().setBasePath("http://localhost:" + port))) {
			assertThatIllegalStateException().isThrownBy(() -> unreachable.informer("tenants.v1.example.com"))
				.withMessageContaining("'tenants.v1.example.com'")
				.withMessageContaining("API server unreachable, ConnectException");
		}
	}

	@Test
	void metadataOnly_isRequestedAndWatched() throws Exception {
		configMap("a");
		SharedIndexInformer<PartialObjectMetadata> informer = this.informers.metadataInformer(V1ConfigMap.class,
				(options) -> options.namespaces("default"));
		assertThat(informer.name()).isEqualTo("configmaps-metadata");
		EventLog<PartialObjectMetadata> log = new EventLog<>();
		informer.addHandler(log);
		startAndSync();
		configMap("b");
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a", "ADDED default/b"));
		this.kubernetes.delete("configmaps", "default", "a");
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a", "ADDED default/b",
				"DELETED default/a"));
		assertThat(log.problems()).isEmpty();
		assertThat(log.events()).allSatisfy((event) -> {
			assertThat(event.object().getApiVersion()).isEqualTo("meta.k8s.io/v1");
			assertThat(event.object().getKind()).isEqualTo("PartialObjectMetadata");
			assertThat(event.object().getMetadata().getLabels()).containsEntry("app", "web");
		});
		assertThat(this.failures).isEmpty();
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).isNotEmpty();
	}

	@Test
	void metadataInformer_coexistsWithInformerOfCompleteObjects() throws Exception {
		configMap("a");
		SharedIndexInformer<PartialObjectMetadata> metadata = this.informers.metadataInformer(V1ConfigMap.class,
				(options) -> {
				});
		SharedIndexInformer<V1ConfigMap> whole = this.informers.informer(V1ConfigMap.class);
		startAndSync();
		assertThat(whole.lister().get("default", "a")).get()
			.satisfies((map) -> assertThat(metadata.lister().get("default", "a")).get()
				.isEqualTo(new PartialObjectMetadata(map.getMetadata())));
		assertThat(metadata).hasToString("informer 'configmaps-metadata' of configmaps/v1 (metadata only)");
	}

	private void configMap(String name) {
		this.kubernetes.create(TestObjects.configMap("default", name, Map.of("app", "web")).data(Map.of("key", "1")));
	}

	private void create(String name, String plan) {
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
				Map.of("namespace", "default", "name", name), "spec", Map.of("plan", plan)));
	}

	private void startAndSync() throws InterruptedException {
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
	}

	/**
	 * A custom resource without an annotation.
	 */
	static class Tenant extends PlainObject {

		private @Nullable Map<String, String> spec;

	}

}
