/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.StringReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerFailure.Kind;
import dev.informer.client.TimeSource;
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
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.PatchUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Test for a namespace selector against the real kube-apiserver, with RBAC in the
 * namespaces that match only: labels are set and removed while objects change. The long
 * form is {@code -Dselector.namespaces=200 -Dselector.flips=1000}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(1800)
@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
class RealNamespaceSelectorTests {

	private static final int NAMESPACES = Integer.getInteger("selector.namespaces", 20);

	private static final int FLIPS = Integer.getInteger("selector.flips", 100);

	private static final int CHECKPOINTS = 20;

	private static final int OBJECTS = 5;

	private static final int MILLIS_BETWEEN_CHANGES = 5;

	private static final String SELECTOR = "selected=yes";

	private static final String THREADS = "informer-configmaps-reflector-";

	private final InformerRecorder recorder = new InformerRecorder();

	private final EventLog<V1ConfigMap> log = new EventLog<V1ConfigMap>().withReturns();

	private final Random random = new Random(42);

	private final Set<String> selected = new TreeSet<>();

	@Test
	void labelsFlippedDuringChanges_leaveTheUnionOfTheNamespaces(RealServer server) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		ApiClient tester = ClientBuilder
			.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.requireControlPlane().kubeconfig("tester"))))
			.build();
		createNamespaces(admin);
		try (InformerFactory informers = this.recorder.factory(tester, TimeSource.SYSTEM)) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaceSelector(SELECTOR).maxSelectedNamespaces(NAMESPACES));
			informer.addHandler(this.log, (options) -> options.queue(QueuePolicy.KEEP_ALL));
			informers.start();
			assertThat(informers.awaitSynced(Duration.ofSeconds(60))).isTrue();
			try (Changes changes = new Changes(admin)) {
				for (int flip = 1; flip <= FLIPS; flip++) {
					flip(name(this.random.nextInt(NAMESPACES)), admin, tester, informer);
					if (flip % Math.max(1, FLIPS / CHECKPOINTS) == 0) {
						assertThat(changes.isRunning()).isTrue();
						synchronized (changes) {
							check(admin, informer);
						}
					}
				}
			}
		}
	}

	private static String name(int number) {
		return "selected-" + number;
	}

	private void createNamespaces(ApiClient admin) throws ApiException {
		RbacAuthorizationV1Api rbac = new RbacAuthorizationV1Api(admin);
		role(rbac, "namespaces");
		role(rbac, "configmaps");
		rbac.createClusterRoleBinding(new V1ClusterRoleBinding().metadata(new V1ObjectMeta().name("reads-namespaces"))
			.roleRef(roleRef("namespaces"))
			.addSubjectsItem(tester())).execute();
		CoreV1Api core = new CoreV1Api(admin);
		for (int i = 0; i < NAMESPACES; i++) {
			core.createNamespace(TestObjects.namespace(name(i))).execute();
			for (int object = 0; object < OBJECTS; object++) {
				core.createNamespacedConfigMap(name(i), TestObjects.configMap(name(i), "map" + object)).execute();
			}
		}
	}

	private static void role(RbacAuthorizationV1Api rbac, String resource) throws ApiException {
		V1PolicyRule rule = new V1PolicyRule().addApiGroupsItem("")
			.addResourcesItem(resource)
			.verbs(List.of("list", "watch"));
		rbac.createClusterRole(
				new V1ClusterRole().metadata(new V1ObjectMeta().name("reads-" + resource)).addRulesItem(rule))
			.execute();
	}

	private static V1RoleRef roleRef(String resource) {
		return new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("ClusterRole").name("reads-" + resource);
	}

	private static RbacV1Subject tester() {
		return new RbacV1Subject().kind("User").name("tester");
	}

	/**
	 * Set or remove the label of a namespace. Permissions are granted before, and revoked
	 * once the namespace has left.
	 */
	private void flip(String namespace, ApiClient admin, ApiClient tester, SharedIndexInformer<V1ConfigMap> informer)
			throws ApiException {
		RbacAuthorizationV1Api rbac = new RbacAuthorizationV1Api(admin);
		if (this.selected.add(namespace)) {
			rbac.createNamespacedRoleBinding(namespace,
					new V1RoleBinding().metadata(new V1ObjectMeta().name("reads"))
						.roleRef(roleRef("configmaps"))
						.addSubjectsItem(tester()))
				.execute();
			// the authorizer of the server learns of the binding by a watch
			awaitExternal().until(() -> isAllowed(tester, namespace));
			label(admin, namespace, "\"yes\"");
		}
		else {
			this.selected.remove(namespace);
			label(admin, namespace, "null");
			awaitExternal().until(() -> !informer.statesByNamespace().containsKey(namespace));
			rbac.deleteNamespacedRoleBinding("reads", namespace).execute();
		}
	}

	private static boolean isAllowed(ApiClient tester, String namespace) {
		try {
			new CoreV1Api(tester).listNamespacedConfigMap(namespace).limit(1).execute();
			return true;
		}
		catch (ApiException ex) {
			return false;
		}
	}

	private static void label(ApiClient admin, String namespace, String value) throws ApiException {
		V1Patch patch = new V1Patch("{\"metadata\":{\"labels\":{\"selected\":" + value + "}}}");
		PatchUtils.patch(V1Namespace.class, () -> new CoreV1Api(admin).patchNamespace(namespace, patch).buildCall(null),
				V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, admin);
	}

	private void check(ApiClient admin, SharedIndexInformer<V1ConfigMap> informer) {
		awaitExternal().untilAsserted(() -> {
			Map<String, String> versions = versions(admin);
			Map<String, String> cached = new HashMap<>();
			informer.lister().list().forEach((map) -> cached.put(key(map), map.getMetadata().getResourceVersion()));
			assertThat(cached).isEqualTo(versions);
			assertThat(this.log.replay()).isEqualTo(versions);
		});
		awaitExternal().untilAsserted(() -> {
			assertThat(informer.statesByNamespace()).containsOnlyKeys(this.selected);
			assertThat(NoThreadLeft.informerThreads()).filteredOn((name) -> name.startsWith(THREADS))
				.containsExactlyInAnyOrderElementsOf(this.selected.stream().map((name) -> THREADS + name).toList());
		});
		assertThat(this.log.problems()).isEmpty();
		assertThat(this.recorder.failureKinds()).doesNotContain(Kind.FORBIDDEN);
	}

	private Map<String, String> versions(ApiClient admin) throws ApiException {
		Map<String, String> versions = new HashMap<>();
		for (String namespace : this.selected) {
			new CoreV1Api(admin).listNamespacedConfigMap(namespace)
				.execute()
				.getItems()
				.forEach((map) -> versions.put(key(map), map.getMetadata().getResourceVersion()));
		}
		return versions;
	}

	private static String key(V1ConfigMap map) {
		return map.getMetadata().getNamespace() + "/" + map.getMetadata().getName();
	}

	/**
	 * Changes, deletes and creates objects in all namespaces, 200 times a second. A
	 * thread that has the monitor of this object pauses them.
	 */
	private static final class Changes implements AutoCloseable {

		private final Random random = new Random(7);

		private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

		private final CoreV1Api core;

		private final Future<?> future;

		Changes(ApiClient admin) {
			this.core = new CoreV1Api(admin);
			this.future = this.executor.scheduleAtFixedRate(this::change, 0, MILLIS_BETWEEN_CHANGES,
					TimeUnit.MILLISECONDS);
		}

		boolean isRunning() {
			return !this.future.isDone();
		}

		private synchronized void change() {
			String namespace = name(this.random.nextInt(NAMESPACES));
			String name = "map" + this.random.nextInt(OBJECTS);
			V1ConfigMap map = TestObjects.configMap(namespace, name)
				.data(Map.of("value", Integer.toString(this.random.nextInt())));
			try {
				if (this.random.nextInt(4) == 0) {
					this.core.deleteNamespacedConfigMap(name, namespace).execute();
				}
				else {
					this.core.replaceNamespacedConfigMap(name, namespace, map).execute();
				}
			}
			catch (ApiException ex) {
				create(namespace, map);
			}
		}

		private void create(String namespace, V1ConfigMap map) {
			try {
				this.core.createNamespacedConfigMap(namespace, map).execute();
			}
			catch (ApiException ex) {
				throw new IllegalStateException(ex.getResponseBody(), ex);
			}
		}

		@Override
		public void close() throws InterruptedException {
			this.executor.shutdown();
			assertThat(this.executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		}

	}

}
