/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.client.CustomResource;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.Verb;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.PlainObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers of custom resources whose class declares another scope than their
 * definition.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class WrongScopeTests {

	private static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";

	private static final String REGIONS = "regions.example.com";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerRecorder recorder = new InformerRecorder();

	private final InformerFactory informers = InformerFactory
		.create(() -> new ApiClient().setBasePath(this.kubernetes.url()),
				(settings) -> settings.addListener(this.recorder)
					.defaults(new InformerOptions.Builder(InformerOptions.DEFAULT)
						.backoff(new BackoffPolicy(Duration.ofMillis(20), 1, Duration.ofMillis(50), Duration.ZERO,
								Duration.ofMinutes(2)))
						.build()));

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void clusterScopedResource_declaredNamespaced_failsUntilDefinitionIsReplaced(boolean streaming) throws Exception {
		define("Cluster");
		create(null, "north");
		EventLog<Region> log = new EventLog<>();
		SharedIndexInformer<Region> informer = start(ResourceType.of(Region.class), log,
				(options) -> options.streamingList(streaming));
		awaitFailure(informer,
				"Cannot list regions.example.com in all namespaces: the resource is "
						+ "cluster-scoped, but declared as namespaced. Set namespaced = false in "
						+ "the annotation @CustomResource of " + Region.class.getName() + ".");
		assertThat(informer.hasSynced()).isFalse();
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.OTHER);
		replaceDefinition("Namespaced");
		create("default", "south");
		awaitFollowed(informer);
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/south"));
		assertThat(log.problems()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void namespacedResource_declaredClusterScoped_failsUntilDefinitionIsReplaced(boolean streaming) throws Exception {
		define("Namespaced");
		create("default", "north");
		create("kube-system", "north");
		EventLog<ClusterRegion> log = new EventLog<>();
		SharedIndexInformer<ClusterRegion> informer = start(ResourceType.of(ClusterRegion.class), log,
				(options) -> options.streamingList(streaming));
		awaitFailure(informer,
				"Cannot list regions.example.com: the resource is namespaced, but "
						+ "declared as cluster-scoped. Set namespaced = true in the annotation " + "@CustomResource of "
						+ ClusterRegion.class.getName() + ".");
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.OTHER);
		replaceDefinition("Cluster");
		create(null, "south");
		awaitFollowed(informer);
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED south"));
	}

	@Test
	void namespaceOfClusterScopedResource_failsUntilDefinitionIsReplaced() throws Exception {
		define("Cluster");
		EventLog<Region> log = new EventLog<>();
		SharedIndexInformer<Region> informer = start(ResourceType.of(Region.class), log,
				(options) -> options.namespaces("default", "shop"));
		awaitFailure(informer,
				"the resource is cluster-scoped, but declared as namespaced. Set namespaced = false in the "
						+ "annotation @CustomResource of " + Region.class.getName()
						+ ", and remove the namespaces of the informer.");
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.OTHER);
		replaceDefinition("Namespaced");
		create("default", "south");
		awaitFollowed(informer);
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/south"));
	}

	@Test
	void namespaceOfResourceThatIsNotServed_isDormant() {
		SharedIndexInformer<Region> informer = start(ResourceType.of(Region.class), new EventLog<>(),
				(options) -> options.namespaces("default"));
		await().untilAsserted(() -> assertThat(informer.state().phase()).isEqualTo(Phase.DORMANT));
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.NOT_FOUND);
		assertThat(this.recorder.failures().get(0).message()).contains("Install the CustomResourceDefinition");
	}

	@Test
	void classWithoutAnnotation_isNamedByItsResource() {
		define("Cluster");
		create(null, "north");
		ResourceType<PartialObjectMetadata> metadata = ResourceType.of(Region.class).metadataOnly();
		SharedIndexInformer<PartialObjectMetadata> informer = start(metadata, new EventLog<>(), (options) -> {
		});
		awaitFailure(informer, "Declare regions.example.com with namespaced = false, unless it is discovered.");
	}

	@Test
	void firstObjectAfterEmptyList_isEvidence() throws Exception {
		define("Cluster");
		EventLog<Region> log = new EventLog<>();
		SharedIndexInformer<Region> informer = start(ResourceType.of(Region.class), log, (options) -> {
		});
		awaitFollowed(informer);
		assertThat(discoveries()).isEmpty();
		create(null, "north");
		awaitFailure(informer, "Set namespaced = false in the annotation @CustomResource of " + Region.class.getName());
		this.kubernetes.delete(REGIONS, null, "north");
		awaitFollowed(informer);
		assertThat(log.story()).isEmpty();
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.OTHER);
	}

	@Test
	void definitionReplacedWhileWatched_failsWithoutWrongEvent() throws Exception {
		define("Namespaced");
		create("default", "north");
		EventLog<Region> log = new EventLog<>();
		SharedIndexInformer<Region> informer = start(ResourceType.of(Region.class), log, (options) -> {
		});
		awaitFollowed(informer);
		await().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/north"));
		this.kubernetes.faults().always(Verb.WATCH, REGIONS, Fault.status(503));
		this.kubernetes.faults().always(Verb.LIST, REGIONS, Fault.status(503));
		this.kubernetes.faults().endWatches();
		replaceDefinition("Cluster");
		create(null, "north");
		this.kubernetes.faults().clear();
		awaitFailure(informer, "Set namespaced = false");
		assertThat(informer.lister().keys()).doesNotContain("north");
		assertThat(log.story()).startsWith("ADDED default/north").doesNotContain("ADDED north");
		assertThat(this.recorder.failureKinds()).doesNotContain(Kind.UNDECODABLE_OBJECT);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void oneOddObject_isUndecodable(boolean streaming) throws Exception {
		define("Namespaced");
		create("default", "north");
		create("kube-system", "south");
		Fault odd = Fault.replaced("\"namespace\":\"kube-system\"", "\"x\":\"\"");
		this.kubernetes.faults().always(Verb.LIST, REGIONS, odd);
		this.kubernetes.faults().next(1, Verb.WATCH, REGIONS, odd);
		EventLog<Region> log = new EventLog<>();
		SharedIndexInformer<Region> informer = start(ResourceType.of(Region.class), log,
				(options) -> options.streamingList(streaming));
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		assertThat(informer.lister().keys()).containsExactly("default/north");
		await().untilAsserted(() -> assertThat(this.recorder.failureKinds()).contains(Kind.UNDECODABLE_OBJECT)
			.doesNotContain(Kind.OTHER));
		assertThat(this.recorder.failures().get(0).message())
			.contains("metadata.namespace: expected one, because the resource is declared as namespaced");
		assertThat(discoveries()).hasSize(streaming ? 1 : 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "declared", "denied", "missing", "malformed" })
	void oddObjectsOnly_areUndecodableUnlessScopeIsTheOther(String discovery) throws Exception {
		define("Namespaced");
		create("default", "north");
		this.kubernetes.faults().always(Verb.LIST, REGIONS, Fault.replaced("\"namespace\":\"default\"", "\"x\":\"\""));
		Fault fault = switch (discovery) {
			case "denied" -> Fault.status(403);
			case "missing" -> Fault.status(404);
			case "malformed" -> Fault.body("{\"resources\":7}");
			default -> Fault.slow(1000, Duration.ofMillis(1));
		};
		this.kubernetes.faults().next(Integer.MAX_VALUE, WrongScopeTests::isDiscovery, fault);
		SharedIndexInformer<Region> informer = start(ResourceType.of(Region.class), new EventLog<>(),
				(options) -> options.streamingList(false));
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		assertThat(informer.lister().keys()).isEmpty();
		assertThat(this.recorder.failureKinds()).containsOnly(Kind.UNDECODABLE_OBJECT);
		assertThat(discoveries()).isNotEmpty();
	}

	@Test
	void discoveryThatFails_isRetriedWithList() throws Exception {
		define("Cluster");
		create(null, "north");
		this.kubernetes.faults().next(2, WrongScopeTests::isDiscovery, Fault.status(503));
		SharedIndexInformer<Region> informer = start(ResourceType.of(Region.class), new EventLog<>(),
				(options) -> options.streamingList(false));
		awaitFailure(informer, "Set namespaced = false");
		assertThat(this.recorder.failureKinds()).startsWith(Kind.OVERLOADED, Kind.OVERLOADED, Kind.OTHER);
	}

	@Test
	void discoveredResource_followsReplacedDefinition() throws Exception {
		define("Namespaced");
		create("default", "north");
		EventLog<PlainObject> log = new EventLog<>();
		SharedIndexInformer<PlainObject> informer = start(ResourceType.named(PlainObject.class, REGIONS), log,
				(options) -> {
				});
		awaitFollowed(informer);
		this.kubernetes.faults().always(Verb.WATCH, REGIONS, Fault.status(503));
		this.kubernetes.faults().always(Verb.LIST, REGIONS, Fault.status(503));
		this.kubernetes.faults().endWatches();
		replaceDefinition("Cluster");
		create(null, "south");
		this.kubernetes.faults().clear();
		await().untilAsserted(() -> assertThat(informer.lister().keys()).containsExactly("south"));
		awaitFollowed(informer);
		assertThat(log.story()).containsExactlyInAnyOrder("ADDED default/north", "ADDED south",
				"DELETED default/north");
	}

	private <T extends KubernetesObject> SharedIndexInformer<T> start(ResourceType<T> type, EventLog<T> log,
			Consumer<InformerOptions.Builder> options) {
		SharedIndexInformer<T> informer = this.informers.informer(type, options);
		informer.addHandler(log);
		informer.start();
		return informer;
	}

	private static void awaitFailure(SharedIndexInformer<?> informer, String message) {
		await().untilAsserted(() -> {
			InformerState state = informer.state();
			assertThat(state.failingSince()).isNotNull();
			assertThat(state.failure()).isNotNull()
				.satisfies((failure) -> assertThat(failure.message()).contains(message));
		});
	}

	private static void awaitFollowed(SharedIndexInformer<?> informer) throws InterruptedException {
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		await().untilAsserted(() -> {
			assertThat(informer.state().phase()).isEqualTo(Phase.WATCHING);
			assertThat(informer.state().failure()).isNull();
		});
	}

	private List<ReceivedRequest> discoveries() {
		return this.kubernetes.requests().stream().filter(WrongScopeTests::isDiscovery).toList();
	}

	private static boolean isDiscovery(ReceivedRequest request) {
		return request.path().equals("/apis/example.com/v1");
	}

	private void replaceDefinition(String scope) {
		this.kubernetes.delete(DEFINITIONS, null, REGIONS);
		define(scope);
	}

	private void define(String scope) {
		Map<String, Object> version = Map.of("name", "v1", "served", true, "storage", true, "schema",
				Map.of("openAPIV3Schema", Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true)));
		this.kubernetes.create(Map.of("apiVersion", "apiextensions.k8s.io/v1", "kind", "CustomResourceDefinition",
				"metadata", Map.of("name", REGIONS), "spec", Map.of("group", "example.com", "scope", scope, "names",
						Map.of("plural", "regions", "kind", "Region"), "versions", List.of(version))));
	}

	private void create(@Nullable String namespace, String name) {
		Map<String, Object> metadata = (namespace != null) ? Map.of("name", name, "namespace", namespace)
				: Map.of("name", name);
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Region", "metadata", metadata));
	}

	@CustomResource(group = "example.com", version = "v1", plural = "regions")
	static class Region extends PlainObject {

	}

	@CustomResource(group = "example.com", version = "v1", plural = "regions", kind = "Region", namespaced = false)
	static class ClusterRegion extends PlainObject {

	}

}
