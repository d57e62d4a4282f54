/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.client.TimeSource;
import dev.informer.test.AccessRule;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.EventsV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventRecorder} on an embedded and on a real API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RecordedEventsTests {

	private static final String NAMESPACE = "recorded-events";

	private static final int CALLS = 1_000;

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	/** Times of the writes. */
	private final List<Long> writes = new CopyOnWriteArrayList<>();

	@Test
	void repeatedEvents_areOneSeries_onEmbeddedServer() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			recordSeries(new ApiClient().setBasePath(kubernetes.url()));
		}
	}

	@Test
	@RealKubernetes(own = true)
	void repeatedEvents_areOneSeries_onRealServer(RealServer server) throws Exception {
		recordSeries(RealConfigMaps.client(server));
	}

	private void recordSeries(ApiClient client) throws Exception {
		this.log.setLevel(Level.INFO);
		V1ConfigMap object = createObject(client);
		long begin = System.nanoTime();
		try (InformerFactory informers = InformerFactory.create(client); EventRecorder recorder = recorder(informers)) {
			AtomicInteger calls = new AtomicInteger();
			await().until(() -> {
				recorder.warning(object, "QuotaExceeded", "Copy", "attempt " + calls + " failed \u20ac \0");
				return calls.incrementAndGet() == CALLS;
			});
			recorder.close(Duration.ofSeconds(30));
			assertThat(recorder.pending()).isZero();
			assertThat(recorder.dropped()).isZero();
		}
		Duration duration = Duration.ofNanos(System.nanoTime() - begin);
		List<EventsV1Event> events = events(client, NAMESPACE);
		assertThat(events).hasSize(1);
		EventsV1Event event = events.get(0);
		assertThat(event.getSeries().getCount()).isEqualTo(CALLS);
		assertThat(event.getSeries().getLastObservedTime()).isAfter(event.getEventTime());
		assertThat(event.getNote()).isEqualTo("attempt 0 failed \u20ac \0");
		assertThat(event.getRegarding().getUid()).isEqualTo(object.getMetadata().getUid());
		assertThat(this.writes).hasSizeBetween(3, (int) duration.toSeconds() + 2);
		for (int i = 1; i < this.writes.size(); i++) {
			assertThat(Duration.ofNanos(this.writes.get(i) - this.writes.get(i - 1)))
				.isGreaterThanOrEqualTo(Duration.ofMillis(999));
		}
		assertThat(this.log.text()).doesNotContain("could not", "attempt 0");
	}

	@Test
	@RealKubernetes(own = true)
	void eventsAtTheLimits_areAccepted(RealServer server) throws Exception {
		ApiClient client = RealConfigMaps.client(server);
		V1ConfigMap object = createObject(client);
		V1ClusterRole role = new RbacAuthorizationV1Api(client)
			.createClusterRole(new V1ClusterRole().metadata(new V1ObjectMeta().name("example.com:Recorded")))
			.execute();
		try (InformerFactory informers = InformerFactory.create(client)) {
			String domain = "d".repeat(63) + "." + "e".repeat(63);
			EventRecorder recorder = new DefaultEventRecorder(ObjectWriter.of(informers, "shop"),
					domain + "/" + "N".repeat(63), "node-7", TimeSource.SYSTEM);
			recorder.normal(object, "\u20ac".repeat(200), "\ud83d\ude00".repeat(200), "\u20ac".repeat(2_000));
			recorder.normal(role, "Used", "Use", "");
			recorder.close(Duration.ofSeconds(30));
			assertThat(recorder.dropped()).isZero();
		}
		assertThat(events(client, NAMESPACE)).hasSize(1);
		assertThat(events(client, "default"))
			.filteredOn((event) -> "example.com:Recorded".equals(event.getRegarding().getName()))
			.hasSize(1);
	}

	@Test
	void deletedNamespace_isQuiet_onEmbeddedServer() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			ApiClient client = new ApiClient().setBasePath(kubernetes.url());
			V1ConfigMap object = createObject(client);
			kubernetes.delete("namespaces", null, NAMESPACE);
			assertQuietDrop(client, object);
		}
	}

	@Test
	@RealKubernetes(own = true)
	void deletedNamespace_isQuiet_onRealServer(RealServer server) throws Exception {
		ApiClient client = RealConfigMaps.client(server);
		V1ConfigMap object = createObject(client);
		// nobody removes it: kube-controller-manager is not running
		new CoreV1Api(client).deleteNamespace(NAMESPACE).execute();
		assertQuietDrop(client, object);
		object.getMetadata().setNamespace("missing");
		assertQuietDrop(client, object);
	}

	private void assertQuietDrop(ApiClient client, V1ConfigMap object) {
		this.log.setLevel(Level.INFO);
		try (InformerFactory informers = InformerFactory.create(client); EventRecorder recorder = recorder(informers)) {
			recorder.normal(object, "Copied", "Copy", "");
			await().until(() -> recorder.dropped() == 1);
		}
		assertThat(this.log.text()).doesNotContain("could not");
	}

	@Test
	void missingRight_isOneLine_onEmbeddedServer() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start(
				(options) -> options.user("admin", "admin-token", AccessRule.everything()).user("tester", "token"))) {
			ApiClient admin = client(kubernetes.kubeconfig("admin"));
			V1ConfigMap object = createObject(admin);
			recordWithoutRight(admin, client(kubernetes.kubeconfig("tester")), object, () -> kubernetes.access()
				.allow("tester", AccessRule.allow("create", "patch").on("events.events.k8s.io").in(NAMESPACE)));
		}
	}

	@Test
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void missingRight_isOneLine_onRealServer(RealServer server) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		V1ConfigMap object = createObject(admin);
		recordWithoutRight(admin, client(server.requireControlPlane().kubeconfig("tester")), object, () -> {
			RbacAuthorizationV1Api rbac = new RbacAuthorizationV1Api(admin);
			// what the command of the log line creates
			rbac.createNamespacedRole(NAMESPACE,
					new V1Role().metadata(new V1ObjectMeta().name("events"))
						.addRulesItem(new V1PolicyRule().addApiGroupsItem("events.k8s.io")
							.addResourcesItem("events")
							.verbs(List.of("create", "patch"))))
				.execute();
			rbac.createNamespacedRoleBinding(NAMESPACE,
					new V1RoleBinding().metadata(new V1ObjectMeta().name("events"))
						.roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("Role").name("events"))
						.addSubjectsItem(new RbacV1Subject().kind("User").name("tester")))
				.execute();
		});
	}

	private void recordWithoutRight(ApiClient admin, ApiClient tester, V1ConfigMap object, Grant grant)
			throws Exception {
		this.log.setLevel(Level.WARN);
		try (InformerFactory informers = InformerFactory.create(tester); EventRecorder recorder = recorder(informers)) {
			for (String reason : List.of("Copied", "Updated", "Deleted")) {
				recorder.normal(object, reason, "Copy", "note of the customer");
				recorder.normal(object, reason, "Copy", "note of the customer");
			}
			await().until(() -> this.writes.size() >= 3);
			grant.grant();
			await().until(() -> recorder.pending() == 0);
			assertThat(recorder.dropped()).isZero();
		}
		assertThat(events(admin, NAMESPACE)).hasSize(3)
			.allSatisfy((event) -> assertThat(event.getSeries().getCount()).isEqualTo(2));
		assertThat(this.log.text())
			.containsOnlyOnce("Event recorder 'shop' could not create an Event in namespace '" + NAMESPACE
					+ "' (403 Forbidden); retrying. Grant the verbs create and patch: kubectl create role NAME "
					+ "--namespace=" + NAMESPACE + " --verb=create,patch --resource=events.events.k8s.io")
			.containsOnlyOnce("could not")
			.doesNotContain("customer");
	}

	private EventRecorder recorder(InformerFactory informers) {
		return EventRecorder.of(ObjectWriter.of(informers, "shop", (write) -> {
			this.writes.add(System.nanoTime());
			write.proceed();
		}), "shop");
	}

	private static V1ConfigMap createObject(ApiClient client) throws ApiException {
		CoreV1Api core = new CoreV1Api(client);
		core.createNamespace(TestObjects.namespace(NAMESPACE)).execute();
		return core
			.createNamespacedConfigMap(NAMESPACE,
					TestObjects.configMap(NAMESPACE, "copied").data(Map.of("key", "value")))
			.execute();
	}

	private static List<EventsV1Event> events(ApiClient client, String namespace) throws ApiException {
		return new EventsV1Api(client).listNamespacedEvent(namespace).execute().getItems();
	}

	private static ApiClient client(String kubeconfig) throws Exception {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig))).build();
	}

	/**
	 * Change of the rights of a user.
	 */
	@FunctionalInterface
	private interface Grant {

		void grant() throws ApiException;

	}

}
