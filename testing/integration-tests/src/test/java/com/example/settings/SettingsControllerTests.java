/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.settings;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.replicas.Leadership;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.ResolvableType;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a controller on any API server with a garbage collector.
 * {@code -Dsettings.updates=1000} is the long form.
 */
abstract class SettingsControllerTests {

	private static final int UPDATES = Integer.getInteger("settings.updates", 100);

	private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final AtomicInteger namespaces = new AtomicInteger();

	private final String namespace = "settings-" + namespaces.incrementAndGet();

	private final List<ConfigurableApplicationContext> replicas = new ArrayList<>();

	private ApiClient client;

	private InformerFactory factory;

	/** Writes as users of the cluster do. */
	private ObjectWriter users;

	@TempDir
	private Path folder;

	abstract String kubeconfig();

	@BeforeEach
	void connect() throws ApiException, IOException {
		this.client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig()))).build();
		this.factory = InformerFactory.create(this.client);
		this.users = ObjectWriter.of(this.factory, "users");
		this.users.create(TestObjects.namespace(this.namespace));
	}

	@AfterEach
	void close() {
		this.replicas.forEach(ConfigurableApplicationContext::close);
		this.factory.close();
	}

	@ParameterizedTest
	@ValueSource(classes = { AppliedSettings.class, ReplacedSettings.class })
	void quickUpdates_causeNoConflict_andRestartChangesNothing(Class<?> controller) throws Exception {
		ConfigurableApplicationContext replica = start(controller);
		Map<String, String> sizes = new HashMap<>();
		for (int update = 0; update < UPDATES; update++) {
			String name = NAMES.get(update % NAMES.size());
			sizes.put(name, String.valueOf(update));
			apply(name, sizes.get(name));
		}
		sizes.forEach(this::awaitSettings);
		awaitIdle(replica);
		assertThat(calls(replica).failures()).isEmpty();
		assertThat(calls(replica).writes()).hasSizeBetween(NAMES.size(), UPDATES);
		Map<String, String> versions = versions();
		replica.close();

		ConfigurableApplicationContext restarted = start(controller);
		awaitIdle(restarted);
		assertThat(calls(restarted).calls()).isEqualTo(NAMES.size());
		// the answer of an apply is not known after a restart
		assertThat(calls(restarted).writes())
			.containsExactlyInAnyOrderElementsOf((controller == AppliedSettings.class) ? NAMES : List.of());
		assertThat(versions()).isEqualTo(versions);
	}

	@ParameterizedTest
	@ValueSource(classes = { AppliedSettings.class, ReplacedSettings.class })
	void changedAndDeletedSettings_areRestored(Class<?> controller) throws Exception {
		ConfigurableApplicationContext replica = start(controller);
		apply("a", "1");
		awaitSettings("a", "1");
		V1ConfigMap created = settings("a");
		this.users.patch(created, (copy) -> copy.setData(Map.of("size", "99")));
		awaitSettings("a", "1");
		this.users.delete(created);
		awaitExternal().until(() -> !uid(settings("a")).equals(uid(created)));
		awaitSettings("a", "1");
		awaitIdle(replica);
		assertThat(calls(replica).failures()).isEmpty();
		assertThat(calls(replica).writes()).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(classes = { AppliedSettings.class, ReplacedSettings.class })
	void recreatedDeployment_getsSettingsOfItsOwn(Class<?> controller) throws Exception {
		ConfigurableApplicationContext replica = start(controller);
		V1Deployment first = apply("a", "1");
		awaitSettings("a", "1");
		this.users.delete(first);
		V1Deployment second = apply("a", "2");
		assertThat(uid(second)).isNotEqualTo(uid(first));
		awaitExternal().untilAsserted(() -> {
			assertThat(owner(settings("a"))).isEqualTo(uid(second));
			assertThat(settings("a").getData()).isEqualTo(Map.of("size", "2"));
		});
		awaitIdle(replica);
	}

	@ParameterizedTest
	@ValueSource(classes = { AppliedSettings.class, ReplacedSettings.class })
	void deploymentThatIsDeletedDuringItsCall_leavesNoSettings(Class<?> controller) throws Exception {
		ConfigurableApplicationContext replica = start(controller);
		Lister<V1Deployment> cached = lister(replica);
		try (Calls.Stop stop = calls(replica).stop("a")) {
			V1Deployment deployment = apply("a", "1");
			stop.awaitReached();
			this.users.delete(deployment);
			awaitExternal().until(() -> cached.get(this.namespace, "a").isEmpty());
		}
		awaitExternal().until(() -> calls(replica).writes().contains("a"));
		awaitIdle(replica);
		awaitExternal().until(() -> configMaps().isEmpty());
		awaitIdle(replica);
		assertThat(calls(replica).failures()).isEmpty();
		assertThat(calls(replica).writes()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(classes = { AppliedSettings.class, ReplacedSettings.class })
	void twoReplicas_writeLikeOne(Class<?> controller) throws Exception {
		start(controller, "--informer.leader.enabled=true");
		start(controller, "--informer.leader.enabled=true");
		Map<String, String> sizes = new HashMap<>();
		for (int update = 0; update < UPDATES / 2; update++) {
			String name = NAMES.get(update % NAMES.size());
			sizes.put(name, String.valueOf(update));
			apply(name, sizes.get(name));
		}
		sizes.forEach(this::awaitSettings);
		ConfigurableApplicationContext leader = leader();
		ConfigurableApplicationContext other = this.replicas.get((leader == this.replicas.get(0)) ? 1 : 0);
		awaitIdle(leader);
		assertThat(calls(leader).failures()).isEmpty();
		assertThat(calls(other).calls()).isZero();
		leader.close();

		this.users.delete(settings("a"));
		apply("b", "new");
		sizes.put("b", "new");
		sizes.forEach(this::awaitSettings);
		awaitIdle(other);
		assertThat(calls(other).failures()).isEmpty();
	}

	private ConfigurableApplicationContext start(Class<?> controller, String... arguments) throws IOException {
		Path file = Files.writeString(this.folder.resolve("kubeconfig"), kubeconfig());
		List<String> all = new ArrayList<>(List.of(arguments));
		all.addAll(List.of("--spring.config.name=none", "--spring.application.name=settings",
				"--spring.main.web-application-type=none", "--informer.connection.kubeconfig=" + file,
				"--informer.connection.namespace=" + this.namespace,
				"--informer.resources.deployments.namespaces=@current",
				"--informer.resources.configmaps.namespaces=@current", "--informer.reconcilers.settings.min-interval=0",
				"--informer.leader.retry-period=200ms"));
		ConfigurableApplicationContext replica = new SpringApplicationBuilder(Replica.class, controller)
			.run(all.toArray(String[]::new));
		this.replicas.add(replica);
		return replica;
	}

	private ConfigurableApplicationContext leader() {
		return this.replicas.stream()
			.filter((replica) -> replica.getBean(Leadership.class).isLeader())
			.findFirst()
			.orElseThrow();
	}

	private static void awaitIdle(ConfigurableApplicationContext replica) throws InterruptedException {
		assertThat(replica.getBean(Reconcilers.class).awaitIdle(LIMIT)).isTrue();
	}

	private static Calls calls(ConfigurableApplicationContext replica) {
		return replica.getBean(Calls.class);
	}

	private static Lister<V1Deployment> lister(ConfigurableApplicationContext replica) {
		return replica
			.<Lister<V1Deployment>>getBeanProvider(
					ResolvableType.forClassWithGenerics(Lister.class, V1Deployment.class))
			.getObject();
	}

	private V1Deployment apply(String name, String size) throws ApiException {
		Map<String, String> labels = Map.of("app", name);
		return this.users.apply(new V1Deployment()
			.metadata(new V1ObjectMeta().namespace(this.namespace).name(name).annotations(Map.of("size", size)))
			.spec(new V1DeploymentSpec().replicas(0)
				.selector(new V1LabelSelector().matchLabels(labels))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels))
					.spec(new V1PodSpec().addContainersItem(new V1Container().name("web").image("web:1"))))));
	}

	private V1ConfigMap settings(String name) throws ApiException {
		return new CoreV1Api(this.client).readNamespacedConfigMap(name, this.namespace).execute();
	}

	private void awaitSettings(String name, String size) {
		awaitExternal().untilAsserted(() -> assertThat(settings(name).getData()).isEqualTo(Map.of("size", size)));
	}

	/**
	 * Return the ConfigMaps of the controller. A real cluster has others.
	 */
	private List<V1ConfigMap> configMaps() throws ApiException {
		return new CoreV1Api(this.client).listNamespacedConfigMap(this.namespace)
			.execute()
			.getItems()
			.stream()
			.filter((settings) -> NAMES.contains(settings.getMetadata().getName()))
			.toList();
	}

	private Map<String, String> versions() throws ApiException {
		Map<String, String> versions = new HashMap<>();
		configMaps().forEach((settings) -> versions.put(settings.getMetadata().getName(),
				settings.getMetadata().getResourceVersion()));
		return versions;
	}

	private static String owner(V1ConfigMap settings) {
		List<V1OwnerReference> owners = settings.getMetadata().getOwnerReferences();
		assertThat(owners).hasSize(1);
		return owners.get(0).getUid();
	}

	private static String uid(KubernetesObject object) {
		return object.getMetadata().getUid();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Calls.class)
	static class Replica {

	}

}
