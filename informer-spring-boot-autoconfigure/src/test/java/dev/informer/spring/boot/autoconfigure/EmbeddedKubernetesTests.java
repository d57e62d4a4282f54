/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerFailedException;
import dev.informer.Lister;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.client.CustomResource;
import dev.informer.client.connection.NoKubernetesClusterException;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.health.InformerHealthContributorAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.metrics.InformerMetricsAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole way from an API server to handler methods.
 */
class EmbeddedKubernetesTests {

	private Set<Thread> threadsBefore = Set.of();

	private EmbeddedKubernetes kubernetes;

	private ApplicationContextRunner contextRunner;

	@BeforeEach
	void start() {
		this.threadsBefore = Thread.getAllStackTraces().keySet();
		this.kubernetes = EmbeddedKubernetes.start();
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		this.contextRunner = runner().withPropertyValues("informer.connection.url=" + this.kubernetes.url());
	}

	@AfterEach
	void stop() {
		this.kubernetes.close();
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.filteredOn((thread) -> !this.threadsBefore.contains(thread))
			.extracting(Thread::getName)
			.filteredOn((name) -> name.startsWith("informer"))
			.isEmpty());
	}

	private static ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class,
							InformerMetricsAutoConfiguration.class, InformerHealthContributorAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new);
	}

	@Test
	void podChanges_reachHandlersListerMetricsAndHealth() {
		this.kubernetes.create(pod("shop", "one"));
		this.contextRunner.withBean("recorder", Recorder.class).run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			assertThat(recorder.pods.get("shop", "one")).isPresent();
			this.kubernetes.create(pod("shop", "two"));
			this.kubernetes.mergePatch("pods", "shop", "two", "{\"metadata\": {\"labels\": {\"tier\": \"web\"}}}");
			this.kubernetes.delete("pods", "shop", "one");
			await().untilAsserted(() -> assertThat(recorder.events).containsSubsequence("ADDED one", "DELETED one")
				.containsSubsequence("ADDED two", "UPDATED two"));
			assertThat(recorder.pods.list()).hasSize(1);
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("kubernetes.informer.store.size")
				.tags("informer", "pods", "resource", "pods", "group", "core", "version", "v1")
				.gauge()
				.value()).isEqualTo(1);
			await().untilAsserted(() -> assertThat(meters.get("kubernetes.informer.handler.calls")
				.tags("handler", "recorder.handle", "event", "deleted", "outcome", "success")
				.timer()
				.count()).isEqualTo(1));
			assertThat(meters.get("kubernetes.informer.lists").tag("outcome", "success").timer().count()).isEqualTo(1);
			assertThat(meters.get("kubernetes.informer.handler.pending").gauge().value()).isZero();
			Health health = health(context, "pods");
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("resource", "pods/v1").containsEntry("synced", true);
			assertThat(context.getBean("informerSyncHealthIndicator", HealthIndicator.class).health(false))
				.isEqualTo(Health.up().build());
		});
	}

	@Test
	void restart_deliversOnlyDifferences() {
		this.kubernetes.create(pod("shop", "one"));
		this.kubernetes.create(pod("shop", "two"));
		this.contextRunner.withBean("recorder", Recorder.class).run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.events).hasSize(2));
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			registry.stop();
			assertThat(health(context, "pods").getStatus()).isEqualTo(Status.UNKNOWN);
			this.kubernetes.delete("pods", "shop", "one");
			this.kubernetes.create(pod("shop", "three"));
			registry.start();
			await().untilAsserted(() -> assertThat(recorder.events).containsExactlyInAnyOrder("ADDED one", "ADDED two",
					"DELETED one", "ADDED three"));
		});
	}

	@Test
	void namedInformers_applyTheirOwnSelectors() {
		this.kubernetes.create(pod("shop", "one"));
		this.kubernetes.mergePatch("pods", "shop", "one", "{\"metadata\": {\"labels\": {\"tier\": \"web\"}}}");
		this.kubernetes.create(pod("shop", "two"));
		this.contextRunner.withBean("recorder", Recorder.class)
			.withPropertyValues("informer.resources.webpods.resource=pods",
					"informer.resources.webpods.label-selector=tier=web",
					"informer.resources.configmaps.namespaces=@current,shop", "informer.connection.namespace=mine")
			.run((context) -> {
				assertThat(context.getBean("podsLister", Lister.class).size()).isEqualTo(2);
				assertThat(context.getBean("webpodsLister", Lister.class).size()).isEqualTo(1);
				assertThat(context.getBean(InformerRegistry.class)
					.informer("configmaps", V1ConfigMap.class)
					.statesByNamespace()).containsOnlyKeys("mine", "shop");
				assertThat(health(context, "configmaps").getDetails()).containsKey("namespaces");
			});
	}

	@Test
	void invalidSelector_failsStartupWithServerMessage() {
		this.contextRunner.withPropertyValues("informer.resources.pods.label-selector=((")
			.run((context) -> assertThat(context).getFailure()
				.cause()
				.isInstanceOfSatisfying(InformerFailedException.class,
						(ex) -> assertThat(ex.informer()).isEqualTo("pods"))
				.hasMessageContaining("400"));
	}

	@Test
	void forbidden_failsStartupWithVerbAndResource() {
		this.kubernetes.faults().always(Verb.LIST, "pods", Fault.status(403));
		this.contextRunner
			.withPropertyValues("informer.resources.pods.required=true", "informer.startup.timeout=2s",
					"informer.defaults.backoff.delay=100ms")
			.run((context) -> assertThat(context).getFailure()
				.cause()
				.isInstanceOf(SyncTimeoutException.class)
				.hasMessageContaining("403")
				.hasMessageContaining("list")
				.hasMessageContaining("pods"));
	}

	@Test
	void forbiddenButNotRequired_isDownInHealthUntilGranted() {
		this.kubernetes.create(pod("shop", "one"));
		this.kubernetes.faults().always(Verb.LIST, "pods", Fault.status(403));
		this.contextRunner.withBean("recorder", Recorder.class)
			.withPropertyValues("informer.resources.pods.required=false", "informer.health.failing-threshold=1ms",
					"informer.defaults.backoff.delay=50ms", "informer.defaults.backoff.max-delay=100ms")
			.run((context) -> {
				// before the answer, the list that is being read is the reason
				await().untilAsserted(() -> assertThat(health(context, "pods").getDetails().get("reason")).asString()
					.contains("403"));
				assertThat(health(context, "pods").getStatus()).isEqualTo(Status.DOWN);
				this.kubernetes.faults().clear();
				await().untilAsserted(() -> assertThat(context.getBean(Recorder.class).events).contains("ADDED one"));
				await().untilAsserted(() -> assertThat(health(context, "pods").getStatus()).isEqualTo(Status.UP));
				assertThat(context.getBean(MeterRegistry.class)
					.get("kubernetes.informer.errors")
					.tag("kind", "forbidden")
					.counter()
					.count()).isPositive();
			});
	}

	@Test
	void unservedCustomResource_isDormantAndUnknownIfNotRequired() {
		this.contextRunner
			.withPropertyValues("informer.resources.tenants.type=" + Tenant.class.getName(),
					"informer.resources.tenants.required=false")
			.run((context) -> await()
				.untilAsserted(() -> assertThat(health(context, "tenants").getStatus()).isEqualTo(Status.UNKNOWN)));
	}

	@Test
	void kubeconfig_isUsed(@TempDir Path folder) throws Exception {
		Path file = Files.writeString(folder.resolve("config"), this.kubernetes.kubeconfig());
		runner().withBean("recorder", Recorder.class)
			.withPropertyValues("informer.connection.kubeconfig=" + file, "informer.resources.pods.namespaces=@current")
			.run((context) -> {
				assertThat(context.getBean(ApiClient.class).getBasePath()).isEqualTo(this.kubernetes.url());
				assertThat(context.getBean(InformerRegistry.class).informer("pods", V1Pod.class).options().namespaces())
					.containsExactly("default");
			});
	}

	@Test
	void connectionDetailsBean_isUsed() {
		KubernetesConnectionDetails details = this.kubernetes::url;
		runner().withBean(KubernetesConnectionDetails.class, () -> details)
			.withBean("recorder", Recorder.class)
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo(this.kubernetes.url()));
	}

	@Test
	void token_isSent(@TempDir Path folder) throws Exception {
		Path token = Files.writeString(folder.resolve("token"), "secret");
		try (EmbeddedKubernetes guarded = EmbeddedKubernetes.start((options) -> options.token("secret"))) {
			ApplicationContextRunner runner = runner().withBean("recorder", Recorder.class)
				.withPropertyValues("informer.connection.url=" + guarded.url(), "informer.defaults.backoff.delay=50ms");
			runner.withPropertyValues("informer.connection.token=secret")
				.run((context) -> assertThat(context).hasNotFailed());
			runner.withPropertyValues("informer.connection.token-file=" + token)
				.run((context) -> assertThat(context).hasNotFailed());
			// long enough for the first answer on a busy machine
			runner.withPropertyValues("informer.startup.timeout=2s")
				.run((context) -> assertThat(context).getFailure().cause().hasMessageContaining("401"));
		}
	}

	@Test
	void noCluster_failsStartupOnlyIfInformersExist() {
		ApplicationContextRunner runner = runner().withBean("client", ApiClient.class, () -> {
			throw new NoKubernetesClusterException(List.of("nowhere"));
		}, (definition) -> definition.setLazyInit(true));
		runner.run((context) -> assertThat(context).hasNotFailed());
		runner.withPropertyValues("informer.resources.pods.required=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoKubernetesClusterException.class));
	}

	@Test
	void autoStartupOff_contactsNothing() {
		this.contextRunner.withBean("recorder", Recorder.class)
			.withPropertyValues("informer.auto-startup=false")
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("kubernetesApiClient")).isFalse();
				assertThat(this.kubernetes.requests()).isEmpty();
				assertThat(context.getBean("informerSyncHealthIndicator", HealthIndicator.class).health(false))
					.isEqualTo(Health.outOfService().build());
			});
	}

	private static Health health(ApplicationContext context, String informer) {
		CompositeHealthContributor contributor = context.getBean("informersHealthContributor",
				CompositeHealthContributor.class);
		return Optional.ofNullable((HealthIndicator) contributor.getContributor(informer))
			.map((indicator) -> indicator.health(true))
			.orElseThrow();
	}

	static class Recorder {

		final Lister<V1Pod> pods;

		final List<String> events = new CopyOnWriteArrayList<>();

		Recorder(Lister<V1Pod> pods, Lister<V1Deployment> deployments) {
			this.pods = pods;
		}

		@InformerHandler(queue = QueuePolicy.KEEP_ALL)
		void handle(ResourceEvent<V1Pod> event) {
			this.events.add(event.type() + " " + event.object().getMetadata().getName());
		}

	}

	@CustomResource(group = "example.com", version = "v1", plural = "tenants")
	static class Tenant implements KubernetesObject {

		@Nullable V1ObjectMeta metadata;

		@Override
		public @Nullable V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Tenant";
		}

	}

}
