/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.PatchUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for informers against the real kube-apiserver.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealServerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final InformerRecorder recorder = new InformerRecorder();

	@Test
	@RealKubernetes
	void objects_createdPatchedAndDeleted_areDelivered(RealServer server, TestInfo test) throws Exception {
		followsConfigMaps(server, test);
	}

	@Test
	@RealKubernetes(RequiredServer.K3S_CONTAINER)
	void container_isWatched(RealServer server, TestInfo test) throws Exception {
		followsConfigMaps(server, test);
	}

	@Test
	@RealKubernetes
	void invalidSelector_failsWithMessageOfServer(RealServer server) throws Exception {
		try (InformerFactory informers = factory(RealConfigMaps.client(server))) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.fieldSelector("data.key=1"));
			informers.start();
			assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> informer.awaitSynced(LONG))
				.withMessageContaining("field selector 'data.key=1'")
				.withMessageContaining("is not a known field selector");
		}
	}

	@Test
	@RealKubernetes
	void namespaceThatDoesNotExist_isEmptyAndFollowedOnceItExists(RealServer server) throws Exception {
		try (InformerFactory informers = factory(RealConfigMaps.client(server))) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces("core-later"));
			EventLog<V1ConfigMap> log = new EventLog<>();
			informer.addHandler(log);
			informers.start();
			assertThat(informer.awaitSynced(LONG)).isTrue();
			assertThat(informer.lister().list()).isEmpty();
			new RealConfigMaps(server, "core-later").create("a");
			awaitExternal().untilAsserted(() -> assertThat(log.replay()).containsKey("core-later/a"));
			assertThat(this.recorder.failures()).isEmpty();
		}
	}

	@Test
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void permissionsRevokedAndGranted_loseNothing(RealServer server, TestInfo test) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		String namespace = namespace(admin, test);
		ApiClient tester = client(server.requireControlPlane().kubeconfig("tester"));
		try (InformerFactory informers = factory(tester)) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces(namespace));
			EventLog<V1ConfigMap> log = new EventLog<>();
			informer.addHandler(log);
			informers.start();
			awaitExternal().until(() -> informer.state().failure() != null);
			assertThat(this.recorder.failures()).first().satisfies((failure) -> {
				assertThat(failure.kind()).isEqualTo(Kind.FORBIDDEN);
				assertThat(failure.message()).contains("Cannot list configmaps in namespace " + namespace,
						"list and watch on configmaps by a Role in " + namespace);
			});
			grant(admin, namespace);
			assertThat(informer.awaitSynced(LONG)).isTrue();
			new RbacAuthorizationV1Api(admin).deleteNamespacedRoleBinding("reads", namespace).execute();
			create(admin, namespace, "while-forbidden");
			int before = (int) this.recorder.failures()
				.stream()
				.filter((failure) -> failure.kind() == Kind.FORBIDDEN)
				.count();
			server.requireControlPlane().killApiServer();
			server.requireControlPlane().startApiServer();
			awaitExternal().untilAsserted(
					() -> assertThat(this.recorder.failures()).filteredOn((failure) -> failure.kind() == Kind.FORBIDDEN)
						.hasSizeGreaterThan(before));
			bind(admin, namespace);
			awaitExternal().untilAsserted(() -> assertThat(log.replay()).isEqualTo(state(admin, namespace)));
			assertThat(log.problems()).isEmpty();
			assertThat(log.story()).doesNotHaveDuplicates();
		}
	}

	@Test
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void restartedServer_missedChangesArriveThroughRelist(RealServer server, TestInfo test) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		String namespace = namespace(admin, test);
		create(admin, namespace, "a");
		create(admin, namespace, "b");
		try (InformerFactory informers = factory(admin)) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.labelSelector("test=" + namespace));
			EventLog<V1ConfigMap> log = new EventLog<>();
			informer.addHandler(log, (options) -> options.queue(QueuePolicy.KEEP_ALL));
			informers.start();
			assertThat(informer.awaitSynced(LONG)).isTrue();
			for (int i = 0; i < 5; i++) {
				// the server advances while the watched objects do not change: such a
				// version is gone after a restart
				new CoreV1Api(admin)
					.createNamespacedSecret(namespace, new V1Secret().metadata(new V1ObjectMeta().name("noise" + i)))
					.execute();
			}
			server.requireControlPlane().killApiServer();
			awaitExternal().until(() -> informer.state().phase() == Phase.BACKING_OFF);
			server.requireControlPlane().startApiServer();
			create(admin, namespace, "c");
			new CoreV1Api(admin).deleteNamespacedConfigMap("a", namespace).execute();
			awaitExternal().untilAsserted(() -> assertThat(log.replay()).isEqualTo(state(admin, namespace)));
			awaitExternal().until(() -> informer.state().failure() == null);
			assertThat(this.recorder.relists()).as("410 after a restart").contains(RelistReason.EXPIRED);
			assertThat(log.problems()).isEmpty();
			assertThat(log.story()).containsExactlyInAnyOrder("ADDED " + namespace + "/a", "ADDED " + namespace + "/b",
					"ADDED " + namespace + "/c", "DELETED " + namespace + "/a");
		}
	}

	@Test
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void frozenServer_isDetectedByPingsAndWatchedAgain(RealServer server, TestInfo test) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		String namespace = namespace(admin, test);
		try (InformerFactory informers = factory(admin)) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces(namespace));
			EventLog<V1ConfigMap> log = new EventLog<>();
			informer.addHandler(log);
			informers.start();
			assertThat(informer.awaitSynced(LONG)).isTrue();
			awaitExternal().until(() -> informer.state().phase() == Phase.WATCHING);
			server.requireControlPlane().suspendApiServer();
			try {
				awaitExternal().until(() -> this.recorder.ends().contains(WatchEnd.BROKEN));
			}
			finally {
				server.requireControlPlane().resumeApiServer();
			}
			create(admin, namespace, "after");
			awaitExternal()
				.untilAsserted(() -> assertThat(log.story()).containsOnlyOnce("ADDED " + namespace + "/after"));
			assertThat(log.problems()).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@RealKubernetes
	void streamingList_returnsSameAsList(boolean streaming, RealServer server) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		try (InformerFactory informers = factory(admin)) {
			SharedIndexInformer<V1ClusterRole> roles = informers.informer(V1ClusterRole.class,
					(options) -> options.streamingList(streaming).pageSize(10));
			informers.start();
			assertThat(informers.awaitSynced(LONG)).isTrue();
			assertThat(roles.lister().list()).hasSizeGreaterThan(30)
				.containsExactlyInAnyOrderElementsOf(new RbacAuthorizationV1Api(admin).listClusterRole()
					.execute()
					.getItems()
					.stream()
					.map(RealServerTests::asInWatch)
					.toList());
			assertThat(this.recorder.lists()).containsExactly(streaming ? ListMode.STREAM : ListMode.PAGES);
		}
	}

	/**
	 * An item of a list as the informer has it: with kind and version, without managed
	 * fields.
	 */
	private static V1ClusterRole asInWatch(V1ClusterRole item) {
		item.getMetadata().setManagedFields(new V1ObjectMeta().getManagedFields());
		return item.apiVersion("rbac.authorization.k8s.io/v1").kind("ClusterRole");
	}

	private void followsConfigMaps(RealServer server, TestInfo test) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		String namespace = namespace(admin, test);
		create(admin, namespace, "before");
		try (InformerFactory informers = factory(admin)) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces(namespace).pageSize(2));
			EventLog<V1ConfigMap> log = new EventLog<>();
			informer.addHandler(log);
			informers.start();
			assertThat(informers.awaitSynced(LONG)).isTrue();
			CoreV1Api core = new CoreV1Api(admin);
			for (int i = 0; i < 10; i++) {
				create(admin, namespace, "m" + i);
				PatchUtils.patch(V1ConfigMap.class,
						() -> core
							.patchNamespacedConfigMap("before", namespace, new V1Patch("{\"data\":{\"n\":\"x\"}}"))
							.buildCall(null),
						V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, admin);
				if (i % 2 == 0) {
					core.deleteNamespacedConfigMap("m" + i, namespace).execute();
				}
			}
			awaitExternal().untilAsserted(() -> assertThat(log.replay()).isEqualTo(state(admin, namespace)));
			assertThat(informer.lister().get(namespace, "before")).get()
				.satisfies((map) -> assertThat(map.getData()).containsEntry("n", "x"));
			assertThat(log.problems()).isEmpty();
		}
	}

	private InformerFactory factory(ApiClient client) {
		BackoffPolicy fast = new BackoffPolicy(Duration.ofMillis(20), 2, Duration.ofMillis(500), Duration.ofMillis(20),
				Duration.ofMinutes(2));
		return InformerFactory.create(() -> client, (settings) -> settings.addListener(this.recorder)
			.defaults(new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(fast).build()));
	}

	private static ApiClient client(String kubeconfig) throws Exception {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig))).build();
	}

	/**
	 * Makes a namespace that belongs to one test.
	 */
	private static String namespace(ApiClient client, TestInfo test) throws ApiException {
		String method = test.getTestMethod().orElseThrow().getName();
		String name = "core-" + Integer.toHexString(method.hashCode());
		new CoreV1Api(client).createNamespace(TestObjects.namespace(name)).execute();
		return name;
	}

	private static void create(ApiClient client, String namespace, String name) throws ApiException {
		V1ConfigMap map = TestObjects.configMap(namespace, name, Map.of("test", namespace));
		new CoreV1Api(client).createNamespacedConfigMap(namespace, map).execute();
	}

	/**
	 * What the server says: resource versions by key.
	 */
	private static Map<String, String> state(ApiClient client, String namespace) throws ApiException {
		return new CoreV1Api(client).listNamespacedConfigMap(namespace)
			.execute()
			.getItems()
			.stream()
			.collect(Collectors.toMap((map) -> namespace + "/" + map.getMetadata().getName(),
					(map) -> map.getMetadata().getResourceVersion()));
	}

	private static void grant(ApiClient admin, String namespace) throws ApiException {
		V1PolicyRule rule = new V1PolicyRule().addApiGroupsItem("")
			.addResourcesItem("configmaps")
			.verbs(List.of("list", "watch"));
		new RbacAuthorizationV1Api(admin)
			.createNamespacedRole(namespace, new V1Role().metadata(new V1ObjectMeta().name("reads")).addRulesItem(rule))
			.execute();
		bind(admin, namespace);
	}

	private static void bind(ApiClient admin, String namespace) throws ApiException {
		V1RoleBinding binding = new V1RoleBinding().metadata(new V1ObjectMeta().name("reads"))
			.roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("Role").name("reads"))
			.addSubjectsItem(new RbacV1Subject().kind("User").name("tester"));
		new RbacAuthorizationV1Api(admin).createNamespacedRoleBinding(namespace, binding).execute();
	}

}
