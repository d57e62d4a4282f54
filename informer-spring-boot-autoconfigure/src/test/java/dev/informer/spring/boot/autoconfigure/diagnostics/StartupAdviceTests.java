/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.InformerFactory;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.NotSyncedException;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.replicas.InformerReplicasAutoConfiguration;
import dev.informer.test.AccessRule;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Advice about informers that do not sync in time: followed literally, it lets the
 * application start.
 */
@Timeout(120)
class StartupAdviceTests {

	private static final String TOKEN = "embedded-token";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes
		.start((options) -> options.user("app", TOKEN, AccessRule.everything()));

	private final ApplicationContextRunner unconnected = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerReplicasAutoConfiguration.class))
		.withPropertyValues("informer.startup.timeout=2s");

	private final ApplicationContextRunner anonymous = this.unconnected
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url());

	private final ApplicationContextRunner runner = this.anonymous
		.withPropertyValues("informer.connection.token=" + TOKEN);

	@TempDir
	private Path folder;

	@Test
	void missingRights_areGrantedByTheManifest() {
		ApplicationContextRunner pods = this.runner.withBean("consumer", PodConsumer.class);
		this.kubernetes.access().allow("app");
		Advice advice = Advice.of(pods);
		assertThat(advice.text("kubectl auth can-i (watch pods --all-namespaces)")).isNotEmpty();
		this.kubernetes.access().allow("app", rules(advice.manifest()));
		start(pods);
		this.kubernetes.access().allow("app");
		ApplicationContextRunner shop = pods.withPropertyValues("informer.resources.pods.namespaces=shop,billing");
		Advice roles = Advice.of(shop);
		assertThat(roles.text("kubectl auth can-i (watch pods -n billing, and in the other namespaces)")).isNotEmpty();
		this.kubernetes.access().allow("app", rules(roles.manifest()));
		start(shop);
	}

	@Test
	void rightsToWrite_areGrantedByTheFirstManifest() {
		this.kubernetes.create(TestObjects.configMap("default", "copied"));
		ApplicationContextRunner copies = this.runner.withBean("copies", Copies.class)
			.withPropertyValues("informer.leader.enabled=true", "informer.leader.lease-namespace=default",
					"spring.application.name=shop", "informer.writer.writes.events.operations=create");
		this.kubernetes.access().allow("app");
		Advice advice = Advice.of(copies);
		assertThat(new Yaml().loadAll(advice.manifest())).hasSize(2);
		this.kubernetes.access().allow("app", rules(advice.manifest()));
		copies.run((context) -> {
			await().until(() -> this.kubernetes.get("secrets", "default", "copied").isPresent());
			await().until(() -> context.getBean(Copies.class).failure != null);
			assertThat(context.getBean(Copies.class).failure).hasMessageContaining("Grant the verb delete");
		});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void startWithoutRights_logsTheManifest(CapturedOutput output) {
		this.kubernetes.access().allow("app");
		this.runner.withBean("copies", Copies.class)
			.withPropertyValues("informer.startup.on-timeout=warn")
			.run((context) -> assertThat(output.toString().replace("\r", ""))
				.containsSubsequence("; continuing startup. ", "grants all rights of the application", """
						  resources: [secrets]
						  verbs: [list, watch, create, patch]
						"""));
	}

	@Test
	void missingRightToWatch_isGranted() {
		this.kubernetes.access().allow("app", AccessRule.allow("list").on("pods"));
		this.runner.withBean("consumer", PodConsumer.class).run((context) -> {
			SharedIndexInformer<?> pods = context.getBean(InformerRegistry.class).informer("pods", V1Pod.class);
			await().until(() -> pods.state().failure() != null);
			Matcher missing = Pattern.compile("Grant the verb (\\w+) on (\\w+) by a ClusterRole\\.")
				.matcher(Objects.requireNonNull(pods.state().failure()).message());
			assertThat(missing.find()).isTrue();
			this.kubernetes.access()
				.allow("app", AccessRule.allow("list").on("pods"),
						AccessRule.allow(missing.group(1)).on(missing.group(2)));
			await().until(() -> pods.state().phase() == Phase.WATCHING);
		});
	}

	@Test
	void unsyncedRead_isWaitedFor() throws Exception {
		try (InformerFactory informers = InformerFactory
			.create(Config.fromToken(this.kubernetes.url(), TOKEN, false))) {
			SharedIndexInformer<V1Pod> pods = informers.informer(V1Pod.class);
			assertThatExceptionOfType(NotSyncedException.class).isThrownBy(() -> pods.lister().list())
				.withMessageContaining("Wait with awaitSynced()");
			informers.start();
			assertThat(pods.awaitSynced(Duration.ofSeconds(60))).isTrue();
			assertThat(pods.lister().list()).isEmpty();
		}
	}

	/**
	 * Return the rules of roles.
	 */
	private static AccessRule[] rules(String manifest) {
		List<AccessRule> rules = new ArrayList<>();
		for (Object document : new Yaml().loadAll(manifest)) {
			Map<?, ?> role = (Map<?, ?>) document;
			Object namespace = ((Map<?, ?>) Objects.requireNonNull(role.get("metadata"))).get("namespace");
			for (Object rule : (List<?>) Objects.requireNonNull(role.get("rules"))) {
				String group = texts(rule, "apiGroups").get(0);
				AccessRule granted = AccessRule.allow(texts(rule, "verbs").toArray(String[]::new))
					.on(texts(rule, "resources").stream()
						.map((resource) -> group.isEmpty() ? resource : resource + "." + group)
						.toArray(String[]::new));
				rules.add((namespace != null) ? granted.in(namespace.toString()) : granted);
			}
		}
		return rules.toArray(AccessRule[]::new);
	}

	private static List<String> texts(Object rule, String key) {
		List<?> texts = (List<?>) Objects.requireNonNull(((Map<?, ?>) rule).get(key));
		return texts.stream().map(String::valueOf).toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "leader", "sharding" })
	void missingRightsOnLeases_areGrantedByTheManifest(String feature) {
		ApplicationContextRunner replica = this.runner.withBean("consumer", PodConsumer.class)
			.withPropertyValues("informer." + feature + ".enabled=true",
					"informer." + feature + ".lease-namespace=default", "spring.application.name=shop");
		this.kubernetes.access().allow("app", AccessRule.allow("list", "watch").on("pods"));
		List<AccessRule> rules = new ArrayList<>(List.of(rules(Advice.of(replica).manifest())));
		rules.add(AccessRule.allow("list", "watch").on("pods"));
		this.kubernetes.access().allow("app", rules.toArray(AccessRule[]::new));
		start(replica);
	}

	@Test
	void rejectedCredentials_areConfigured() throws Exception {
		ApplicationContextRunner consumer = this.anonymous.withBean("consumer", PodConsumer.class);
		Advice advice = Advice.of(consumer);
		start(consumer.withPropertyValues(advice.key("informer.connection.token") + "=" + TOKEN));
		Path file = Files.writeString(this.folder.resolve("token"), TOKEN);
		start(consumer.withPropertyValues(advice.key("informer.connection.token-file") + "=" + file));
		assertThat(advice.action()).contains("the kubeconfig");
		Path kubeconfig = Files.writeString(this.folder.resolve("config"), this.kubernetes.kubeconfig("app"));
		start(this.unconnected.withBean("consumer", PodConsumer.class)
			.withPropertyValues("informer.connection.kubeconfig=" + kubeconfig));
	}

	@Test
	void missingCustomResource_isInstalledOrOptional() {
		ApplicationContextRunner tenants = this.runner.withBean("consumer", UntypedConsumer.class)
			.withPropertyValues("informer.resources.tenants.resource=tenants.v1.example.com");
		Advice advice = Advice.of(tenants);
		start(tenants.withPropertyValues(advice.assignment("informer.resources.tenants.required")));
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "renters", "Renter"));
		start(tenants
			.withPropertyValues(advice.key("informer.resources.tenants.resource") + "=renters.v1.example.com"));
		String[] installed = advice.text("Install the resource ([a-z.]+ in version [a-z0-9]+) at")
			.split(" in version ");
		String plural = installed[0].substring(0, installed[0].indexOf('.'));
		this.kubernetes.addResource(ResourceDefinition.namespaced(installed[0].substring(plural.length() + 1),
				installed[1], plural, "Tenant"));
		start(tenants);
	}

	@Test
	void builtInResourceThatIsMissing_isFoundAtTheCorrectUrl() {
		ApplicationContextRunner consumer = this.runner.withBean("consumer", PodConsumer.class);
		Advice advice = Advice
			.of(consumer.withPropertyValues("informer.connection.url=" + this.kubernetes.url() + "/no/such/path"));
		start(consumer.withPropertyValues(advice.key("informer.connection.url") + "=" + this.kubernetes.url()));
	}

	@Test
	void rejectedSelector_isChanged() {
		ApplicationContextRunner consumer = this.runner.withBean("consumer", PodConsumer.class);
		Advice advice = Advice.of(consumer.withPropertyValues("informer.resources.pods.label-selector=a=b=c"));
		start(consumer.withPropertyValues(advice.key("informer.resources.pods.label-selector") + "=a=b"));
	}

	@Test
	void unreachableServer_isStarted() {
		ApplicationContextRunner consumer = this.runner.withBean("consumer", PodConsumer.class);
		this.kubernetes.faults().refuseConnections();
		Advice advice = Advice.of(consumer);
		assertThat(advice.action()).contains("Check that the API server is running");
		this.kubernetes.faults().acceptConnections();
		start(consumer);
	}

	@Test
	void overloadedServer_isNotWaitedFor() {
		ApplicationContextRunner consumer = this.runner.withBean("consumer", PodConsumer.class);
		this.kubernetes.faults().always(Verb.LIST, "pods", Fault.status(503));
		Advice advice = Advice.of(consumer);
		start(consumer.withPropertyValues(advice.assignment("informer.resources.pods.required")));
		start(consumer
			.withPropertyValues(advice.assignment("informer.resources.<name>.required").replace("<name>", "pods")));
		start(consumer.withPropertyValues(advice.assignment("informer.startup.on-timeout")));
	}

	@Test
	void slowServer_isGivenMoreTime() {
		ApplicationContextRunner consumer = this.runner.withBean("consumer", PodConsumer.class)
			.withPropertyValues("informer.startup.timeout=200ms");
		this.kubernetes.faults().always(Verb.LIST, "pods", Fault.slow(10, Duration.ofMillis(200)));
		Advice advice = Advice.of(consumer);
		start(consumer.withPropertyValues(advice.text("increase (informer\\.startup\\.timeout)") + "=60s"));
	}

	@Test
	void pluginThatHangs_isGivenMoreTimeOrNotWaitedFor() throws Exception {
		Path plugin = Files.writeString(this.folder.resolve("plugin"),
				"#!/bin/sh\nsleep 4\necho '{\"kind\": \"ExecCredential\", \"apiVersion\": "
						+ "\"client.authentication.k8s.io/v1\", \"status\": {\"token\": \"" + TOKEN + "\"}}'\n");
		Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
		Path kubeconfig = Files.writeString(this.folder.resolve("config"),
				this.kubernetes.kubeconfig("app")
					.replaceFirst("token: .*", "exec: {apiVersion: client.authentication.k8s.io/v1, "
							+ "interactiveMode: Never, command: ./plugin}"));
		ApplicationContextRunner slow = this.unconnected.withBean("consumer", PodConsumer.class)
			.withPropertyValues("informer.connection.kubeconfig=" + kubeconfig);
		Advice advice = Advice.of(slow);
		start(slow.withPropertyValues(advice.assignment("informer.startup.on-timeout")));
		start(slow.withPropertyValues(advice.key("informer.startup.timeout") + "=60s"));
	}

	@Test
	void handlerThatIsTooSlow_isNotWaitedFor() {
		this.kubernetes.create(TestObjects.pod("default", "web-1"));
		CountDownLatch handled = new CountDownLatch(1);
		ApplicationContextRunner slow = this.runner.withBean("slow", SlowHandler.class, () -> new SlowHandler(handled))
			.withPropertyValues("informer.startup.await-handlers=true", "informer.startup.timeout=10s",
					"spring.lifecycle.timeout-per-shutdown-phase=1s");
		Advice advice = Advice.of(slow);
		assertThat(advice.description()).contains("- 'slowHandler' (0 events pending, 1 running)");
		start(slow.withPropertyValues(advice.assignment("informer.startup.await-handlers")));
		handled.countDown();
		start(slow.withPropertyValues(advice.key("informer.startup.timeout") + "=60s"));
	}

	@Test
	void readOfCacheThatHasNotSynced_isAllowed() {
		ApplicationContextRunner reader = this.runner.withBean("reader", OptionalReader.class)
			.withPropertyValues("informer.resources.configmaps.required=false");
		this.kubernetes.faults().always(Verb.LIST, "configmaps", Fault.status(503));
		Advice advice = Advice.of(reader);
		start(reader.withPropertyValues(advice.assignment("informer.resources.configmaps.allow-unsynced-reads")));
		this.kubernetes.faults().clear();
		assertThat(advice.text("remove (informer\\.resources\\.configmaps\\.required=false)")).isNotEmpty();
		start(this.runner.withBean("reader", OptionalReader.class));
	}

	private static void start(ApplicationContextRunner runner) {
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
		});
	}

	static class PodConsumer {

		PodConsumer(Lister<V1Pod> pods) {
		}

	}

	static class SlowHandler {

		private final CountDownLatch handled;

		SlowHandler(CountDownLatch handled) {
			this.handled = handled;
		}

		@InformerHandler(id = "slowHandler")
		void handle(V1Pod pod) throws InterruptedException {
			this.handled.await();
		}

	}

	static class UntypedConsumer {

		UntypedConsumer(Lister<DynamicKubernetesObject> objects) {
		}

	}

	/**
	 * Bean that reads the cache in a phase after that of the informers.
	 */
	static class OptionalReader implements SmartLifecycle {

		private final Lister<V1ConfigMap> configMaps;

		OptionalReader(Lister<V1ConfigMap> configMaps) {
			this.configMaps = configMaps;
		}

		@Override
		public void start() {
			this.configMaps.list();
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

	static class Copies {

		private final ObjectWriter writer;

		volatile @Nullable ObjectWriteException failure;

		Copies(ObjectWriter writer) {
			this.writer = writer;
		}

		@InformerReconciler(owns = V1Secret.class)
		void reconcile(V1ConfigMap configMap) throws ObjectWriteException {
			V1ObjectMeta metadata = new V1ObjectMeta().name(configMap.getMetadata().getName());
			V1Secret copy = this.writer.apply(new V1Secret().metadata(metadata), configMap);
			try {
				this.writer.delete(copy);
			}
			catch (ObjectWriteException ex) {
				this.failure = ex;
			}
		}

	}

}
