/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.TimeSource;
import dev.informer.test.AccessRule;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for informers with a namespace selector, over HTTP against the embedded API
 * server, with permissions in the namespaces that match only.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class NamespaceSelectorTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String SELECTOR = "team=platform";

	private static final AccessRule NAMESPACES = AccessRule.allow("list", "watch").on("namespaces");

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes
		.start((options) -> options.user("app", "secret", NAMESPACES));

	private final InformerRecorder recorder = new InformerRecorder();

	private final InformerFactory informers = this.recorder.factory(
			new ApiClient().setBasePath(this.kubernetes.url()).addDefaultHeader("Authorization", "Bearer secret"),
			TimeSource.SYSTEM);

	private final EventLog<V1ConfigMap> log = new EventLog<V1ConfigMap>().withReturns();

	@BeforeEach
	void createNamespaces() {
		for (String namespace : List.of("shop", "bank")) {
			this.kubernetes.create(TestObjects.namespace(namespace));
			this.kubernetes.create(TestObjects.configMap(namespace, "a").data(Map.of("key", "1")));
		}
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void selectorWithoutMatch_syncsWithoutNamespaces() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = start();
		assertThat(informer.statesByNamespace()).isEmpty();
		assertThat(informer.lister().list()).isEmpty();
		await().untilAsserted(() -> assertThat(informer.state().phase()).isEqualTo(Phase.WATCHING));
		assertThat(informer.lastActivity()).isPresent();
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).isEmpty();
		assertThat(this.recorder.failures()).isEmpty();
	}

	@Test
	void namespaces_joinAndLeaveWithTheirLabels() throws Exception {
		allow("shop", "bank");
		label("shop", "platform");
		SharedIndexInformer<V1ConfigMap> informer = start();
		awaitReplay("shop/a");
		label("bank", "platform");
		awaitReplay("shop/a", "bank/a");
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).extracting(ReceivedRequest::path)
			.containsExactly("/api/v1/namespaces/shop/configmaps", "/api/v1/namespaces/bank/configmaps");
		await().untilAsserted(() -> assertThat(this.kubernetes.openWatches("configmaps")).isEqualTo(2));
		label("shop", null);
		awaitReplay("bank/a");
		await().untilAsserted(() -> assertThat(this.kubernetes.openWatches("configmaps")).isOne());
		await().untilAsserted(
				() -> assertThat(NoThreadLeft.informerThreads()).doesNotContain("informer-configmaps-reflector-shop")
					.contains("informer-configmaps-reflector-bank"));
		assertThat(informer.statesByNamespace()).containsOnlyKeys("bank");
		assertThat(this.log.problems()).isEmpty();
		assertThat(this.recorder.failures()).isEmpty();
	}

	@Test
	void deletedNamespace_leaves() throws Exception {
		allow("shop", "bank");
		label("shop", "platform");
		label("bank", "platform");
		SharedIndexInformer<V1ConfigMap> informer = start();
		awaitReplay("shop/a", "bank/a");
		this.kubernetes.delete("namespaces", null, "shop");
		awaitReplay("bank/a");
		await().untilAsserted(() -> assertThat(informer.statesByNamespace()).containsOnlyKeys("bank"));
	}

	@Test
	void namespacesThatLeaveDuringAnOutage_areFoundByTheNextList() throws Exception {
		allow("shop", "bank");
		label("shop", "platform");
		SharedIndexInformer<V1ConfigMap> informer = start();
		awaitReplay("shop/a");
		this.kubernetes.faults().refuseConnections();
		this.kubernetes.faults().cutWatches();
		label("shop", null);
		label("bank", "platform");
		this.kubernetes.compact();
		this.kubernetes.faults().acceptConnections();
		awaitReplay("bank/a");
		await().untilAsserted(() -> assertThat(informer.state().failingSince()).isNull());
		assertThat(informer.statesByNamespace()).containsOnlyKeys("bank");
	}

	@Test
	void roleCreatedAfterTheLabel_isFound_andOtherNamespacesAreNotAffected() throws Exception {
		allow("shop");
		label("shop", "platform");
		label("bank", "platform");
		SharedIndexInformer<V1ConfigMap> informer = start();
		awaitReplay("shop/a");
		await().untilAsserted(() -> assertThat(informer.statesByNamespace()).hasEntrySatisfying("bank",
				(state) -> assertThat(state.failure()).isNotNull()
					.satisfies((failure) -> assertThat(failure.message())
						.contains("list and watch on configmaps by a Role in bank"))));
		this.kubernetes.create(TestObjects.configMap("shop", "b"));
		awaitReplay("shop/a", "shop/b");
		allow("shop", "bank");
		awaitReplay("shop/a", "shop/b", "bank/a");
	}

	@Test
	void missingPermissionOnNamespaces_isTheStateOfTheInformer() throws Exception {
		this.kubernetes.access().deny("app");
		SharedIndexInformer<V1ConfigMap> informer = informer();
		this.informers.start();
		await().untilAsserted(() -> assertThat(informer.state().failure()).isNotNull().satisfies((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.FORBIDDEN);
			assertThat(failure.message()).contains("Cannot list namespaces",
					"Grant the verbs list and watch on namespaces by a ClusterRole.");
		}));
		assertThat(informer.hasSynced()).isFalse();
		this.kubernetes.access().allow("app", NAMESPACES);
		assertThat(informer.awaitSynced(LONG)).isTrue();
	}

	@Test
	void malformedSelector_endsWaitWithMessageOfServer() {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
				(options) -> options.namespaceSelector("team=a=b"));
		this.informers.start();
		assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> informer.awaitSynced(LONG))
			.withMessageContaining("'configmaps'")
			.withMessageContaining("'team=a=b'")
			.withMessageContaining("found '='");
		assertThat(informer.state().phase()).isEqualTo(Phase.FAILED);
	}

	@Test
	void selectorTogetherWithNamespaces_orOfClusterScopedResource_isRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces("shop").namespaceSelector(SELECTOR)))
			.withMessageContaining("namespace-selector")
			.withMessageContaining("[shop]");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.informers.informer(V1Node.class, (options) -> options.namespaceSelector(SELECTOR)))
			.withMessageContaining("cluster-scoped");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.informers.informer(V1ConfigMap.class, (options) -> options.namespaceSelector(" ")))
			.withMessageContaining("must not be empty");
		assertThat(this.informers.informers()).isEmpty();
	}

	@Test
	void informersWithOneSelector_shareItsNamespaces() throws Exception {
		SharedIndexInformer<V1ConfigMap> maps = informer();
		SharedIndexInformer<V1Secret> secrets = this.informers.informer(V1Secret.class,
				(options) -> options.namespaceSelector(SELECTOR));
		SharedIndexInformer<V1Secret> others = this.informers.informer(V1Secret.class,
				(options) -> options.name("others").namespaceSelector("team=shop"));
		SharedIndexInformer<PartialObjectMetadata> namespaces = maps.namespaceInformer().orElseThrow();
		assertThat(secrets.namespaceInformer()).containsSame(namespaces);
		assertThat(others.namespaceInformer()).get().isNotSameAs(namespaces);
		assertThat(this.informers.informers()).hasSize(5);
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
		assertThat(this.kubernetes.requests(Verb.LIST, "namespaces")).hasSize(2);
		maps.close();
		others.close();
		assertThat(this.informers.informers()).containsExactlyInAnyOrder(namespaces, secrets);
		secrets.close();
		assertThat(this.informers.informers()).isEmpty();
		assertThat(informer().namespaceInformer()).get().isNotSameAs(namespaces);
	}

	@Test
	void restart_deliversTheDifferences() throws Exception {
		allow("shop", "bank");
		label("shop", "platform");
		SharedIndexInformer<V1ConfigMap> informer = start();
		awaitReplay("shop/a");
		this.informers.stop(LONG);
		assertThat(informer.state().phase()).isEqualTo(Phase.STOPPED);
		label("shop", null);
		label("bank", "platform");
		this.kubernetes.clearRequests();
		this.informers.start();
		awaitReplay("bank/a");
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).extracting(ReceivedRequest::path)
			.containsExactly("/api/v1/namespaces/bank/configmaps");
		assertThat(this.log.story()).containsExactly("ADDED shop/a", "DELETED shop/a", "ADDED bank/a");
	}

	@Test
	void readOfNamespaceWithoutList_isRefused() throws Exception {
		allow("shop");
		label("shop", "platform");
		SharedIndexInformer<V1ConfigMap> informer = start();
		Lister<V1ConfigMap> lister = informer.lister();
		assertThat(lister.get("shop", "unknown")).isEmpty();
		assertThatExceptionOfType(NamespaceNotWatchedException.class).isThrownBy(() -> lister.list("bank"))
			.withMessageContaining("watches only the namespaces that match " + SELECTOR);
		label("bank", "platform");
		await().untilAsserted(() -> assertThat(informer.statesByNamespace()).hasEntrySatisfying("bank",
				(state) -> assertThat(state.failure()).isNotNull()));
		assertThatExceptionOfType(NotSyncedException.class).isThrownBy(() -> lister.get("bank", "a"))
			.withMessageContaining("Cannot read the namespace 'bank' from the cache of informer 'configmaps'");
		allow("shop", "bank");
		awaitReplay("shop/a", "bank/a");
		assertThat(lister.list("bank")).hasSize(1);
		label("bank", null);
		awaitReplay("shop/a");
		assertThatExceptionOfType(NamespaceNotWatchedException.class).isThrownBy(() -> lister.get("bank", "a"));
	}

	@Test
	void unsyncedReads_haveAnAnswerForEveryNamespace() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
				(options) -> options.namespaceSelector(SELECTOR).allowUnsyncedReads(true));
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
		assertThat(informer.lister().list("bank")).isEmpty();
	}

	private SharedIndexInformer<V1ConfigMap> informer() {
		return this.informers.informer(V1ConfigMap.class, (options) -> options.namespaceSelector(SELECTOR));
	}

	private SharedIndexInformer<V1ConfigMap> start() throws InterruptedException {
		SharedIndexInformer<V1ConfigMap> informer = informer();
		informer.addHandler(this.log);
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
		return informer;
	}

	private void awaitReplay(String... keys) {
		await().untilAsserted(() -> assertThat(this.log.replay()).containsOnlyKeys(keys));
	}

	private void allow(String... namespaces) {
		this.kubernetes.access()
			.allow("app", NAMESPACES, AccessRule.allow("list", "watch").on("configmaps").in(namespaces));
	}

	private void label(String namespace, @Nullable String team) {
		this.kubernetes.mergePatch("namespaces", null, namespace,
				Map.of("metadata", Map.of("labels", Collections.singletonMap("team", team))));
	}

}
