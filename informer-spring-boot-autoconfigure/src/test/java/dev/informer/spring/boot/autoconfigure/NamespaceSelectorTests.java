/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerFailedException;
import dev.informer.InformerState.Phase;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRecoveredEvent;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InformerStaleEvent;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.endpoint.InformerEndpointAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.endpoint.InformerRbacEndpoint;
import dev.informer.spring.boot.autoconfigure.endpoint.InformersEndpoint;
import dev.informer.spring.boot.autoconfigure.health.InformerHealthContributorAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.metrics.InformerMetricsAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code informer.resources.<name>.namespace-selector}.
 */
class NamespaceSelectorTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerMetricsAutoConfiguration.class,
				InformerHealthContributorAutoConfiguration.class, InformerEndpointAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(Recorder.class)
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url(),
				"informer.resources.pods.namespace-selector=team=platform", "informer.startup.timeout=10s",
				"management.endpoints.web.exposure.include=*");

	@BeforeEach
	void createNamespace() {
		this.kubernetes.create(TestObjects.namespace("shop"));
		this.kubernetes.create(pod("shop", "one"));
	}

	@Test
	void selectorWithoutMatch_starts_andNamespacesJoinAndLeave() {
		this.contextRunner.run((context) -> {
			Health health = health(context, "pods");
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("namespaceSelector", "team=platform")
				.containsEntry("namespaceCount", 0)
				.containsEntry("namespaces", Map.of())
				.containsEntry("synced", true);
			assertThat(namespaces(context)).isZero();
			Recorder recorder = context.getBean(Recorder.class);
			label("\"platform\"");
			await().untilAsserted(() -> assertThat(recorder.events).containsExactly("ADDED one"));
			await().untilAsserted(() -> assertThat(health(context, "pods").getDetails())
				.containsEntry("namespaces", Map.of("shop", Phase.WATCHING))
				.containsEntry("namespaceCount", 1));
			assertThat(namespaces(context)).isOne();
			assertThat(context.getBean(InformersEndpoint.class).informer("pods")).satisfies((described) -> {
				assertThat(described.namespaceSelector()).isEqualTo("team=platform");
				assertThat(described.namespaces()).containsOnlyKeys("shop");
			});
			label("null");
			await().untilAsserted(() -> assertThat(recorder.events).containsExactly("ADDED one", "DELETED one"));
		});
	}

	@Test
	void informerOfNamespaces_isVisible_andNotRequiredByItself() {
		this.contextRunner.run((context) -> {
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			assertThat(registry.informer("pods", V1Pod.class).namespaceInformer()).get().satisfies((informer) -> {
				assertThat(registry.informers()).contains(informer);
				assertThat(registry.isRequired(informer)).isFalse();
				assertThat(health(context, informer.name()).getStatus()).isEqualTo(Status.UP);
			});
		});
	}

	@Test
	void manifest_hasClusterRoleOnNamespaces_andRoleInThoseThatMatch() {
		label("\"platform\"");
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(Recorder.class)).isNotNull();
			assertThat(context.getBean(InformerRbacEndpoint.class).manifest().split("---\n")).hasSize(2)
				.anyMatch((role) -> role.contains("kind: ClusterRole") && role.contains("[namespaces]")
						&& !role.contains("pods"))
				.anyMatch((role) -> role.contains("  namespace: shop\n") && role.contains("[pods]"));
		});
	}

	@Test
	void missingPermissionOnNamespaces_failsStartup_andNamesIt() {
		this.kubernetes.faults().always(Verb.LIST, "namespaces", Fault.status(403));
		this.contextRunner.withPropertyValues("informer.startup.timeout=2s")
			.run((context) -> assertThat(context).getFailure()
				.cause()
				.isInstanceOfSatisfying(SyncTimeoutException.class,
						(ex) -> assertThat(ex.informers()).singleElement()
							.satisfies((informer) -> assertThat(informer.options().namespaceSelector())
								.isEqualTo("team=platform")))
				.hasMessageContaining("Cannot list namespaces")
				.hasMessageContaining("403"));
	}

	@Test
	void missingPermissionOnNamespaces_ofOptionalInformer_doesNotFailStartup() {
		this.kubernetes.faults().always(Verb.LIST, "namespaces", Fault.status(403));
		this.contextRunner
			.withPropertyValues("informer.resources.pods.required=false", "informer.health.failing-threshold=1ms")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				await().untilAsserted(() -> assertThat(health(context, "pods").getStatus()).isEqualTo(Status.DOWN));
			});
	}

	@Test
	void failingSelection_isAnOutageOfTheInformersThatUseIt() {
		label("\"platform\"");
		this.contextRunner.withPropertyValues("informer.health.failing-threshold=300ms").run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.events).containsExactly("ADDED one"));
			await().untilAsserted(() -> assertThat(recorder.outages).isEmpty());
			this.kubernetes.faults().always(Verb.LIST, "namespaces", Fault.status(403));
			context.getBean(InformerRegistry.class)
				.informer("pods", V1Pod.class)
				.namespaceInformer()
				.orElseThrow()
				.relist();
			await().untilAsserted(() -> assertThat(recorder.outages).containsOnlyKeys("pods", "selected-namespaces")
				.allSatisfy((informer, reason) -> assertThat(reason).contains("namespaces", "403")));
			assertThat(health(context, "pods")).satisfies((health) -> {
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails()).containsEntry("reason", recorder.outages.get("pods"))
					.containsEntry("namespaces", Map.of("shop", Phase.WATCHING));
			});
			this.kubernetes.faults().clear();
			await().untilAsserted(() -> assertThat(recorder.outages).isEmpty());
			assertThat(health(context, "pods").getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void failingNamespaceThatLeaves_endsTheOutage() {
		this.kubernetes.faults().always(Verb.LIST, "pods", Fault.status(403));
		label("\"platform\"");
		this.contextRunner.withPropertyValues("informer.health.failing-threshold=300ms").run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			await().untilAsserted(() -> assertThat(recorder.outages).containsOnlyKeys("pods"));
			assertThat(health(context, "pods").getDetails().get("reason")).asString().contains("pods", "403");
			label("null");
			await().untilAsserted(() -> assertThat(recorder.outages).isEmpty());
			assertThat(health(context, "pods").getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void namespacesBeyondTheLimit_areAnOutage_untilOthersLeave() {
		this.kubernetes.create(TestObjects.namespace("bank"));
		label("bank", "\"platform\"");
		label("\"platform\"");
		this.contextRunner
			.withPropertyValues("informer.resources.pods.max-selected-namespaces=1",
					"informer.health.failing-threshold=3s")
			.run((context) -> {
				Recorder recorder = context.getBean(Recorder.class);
				await().untilAsserted(() -> assertThat(recorder.outages).containsOnlyKeys("pods")
					.allSatisfy((informer, reason) -> assertThat(reason).contains("1 of the 2 namespaces",
							"max-selected-namespaces is 1")));
				assertThat(health(context, "pods")).satisfies((health) -> {
					assertThat(health.getStatus()).isEqualTo(Status.DOWN);
					assertThat(health.getDetails()).containsEntry("reason", recorder.outages.get("pods"))
						.containsEntry("namespaceCount", 1)
						.containsEntry("omittedNamespaceCount", 1)
						.containsEntry("namespaces", Map.of("bank", Phase.WATCHING));
				});
				assertThat(context.getBean(InformersEndpoint.class).informer("pods")).satisfies(
						(described) -> assertThat(described.state().reason()).isEqualTo(recorder.outages.get("pods")));
				assertThat(context.getBean(InformerRbacEndpoint.class).manifest()).contains("  namespace: bank\n",
						"  namespace: shop\n");
				this.kubernetes.delete("namespaces", null, "bank");
				await().untilAsserted(() -> assertThat(recorder.events).containsExactly("ADDED one"));
				await().untilAsserted(() -> assertThat(recorder.outages).isEmpty());
				assertThat(health(context, "pods")).satisfies((health) -> {
					assertThat(health.getStatus()).isEqualTo(Status.UP);
					assertThat(health.getDetails()).doesNotContainKey("omittedNamespaceCount");
				});
			});
	}

	@Test
	void limitOfNamespaces_hasADefault_thatAppliesToAllInformers() {
		this.contextRunner.run((context) -> assertThat(limit(context)).isEqualTo(100));
		this.contextRunner.withPropertyValues("informer.defaults.max-selected-namespaces=7")
			.run((context) -> assertThat(limit(context)).isEqualTo(7));
		this.contextRunner.withPropertyValues("informer.resources.pods.max-selected-namespaces=0")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(InvalidInformerPropertyException.class.getName())
				.hasStackTraceContaining("informer.resources.pods.max-selected-namespaces"));
	}

	private static int limit(ApplicationContext context) {
		return context.getBean(InformerRegistry.class).informer("pods", V1Pod.class).options().maxSelectedNamespaces();
	}

	@Test
	void malformedSelector_failsStartupWithMessageOfServer() {
		this.contextRunner.withPropertyValues("informer.resources.pods.namespace-selector=((")
			.run((context) -> assertThat(context).getFailure()
				.cause()
				.isInstanceOfSatisfying(InformerFailedException.class,
						(ex) -> assertThat(ex.informer()).isEqualTo("pods"))
				.hasMessageContaining("400"));
	}

	@Test
	void selectorAndNamespaces_excludeEachOther() {
		this.contextRunner.withPropertyValues("informer.resources.pods.namespaces=shop")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("'team=platform'")
				.hasStackTraceContaining("[shop]")
				.hasStackTraceContaining(InvalidInformerPropertyException.class.getName())
				.hasStackTraceContaining("informer.resources.pods.namespace-selector"));
	}

	private void label(String value) {
		label("shop", value);
	}

	private void label(String namespace, String value) {
		this.kubernetes.mergePatch("namespaces", null, namespace,
				"{\"metadata\": {\"labels\": {\"team\": " + value + "}}}");
	}

	private static double namespaces(ApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.get("kubernetes.informer.namespaces")
			.tag("informer", "pods")
			.gauge()
			.value();
	}

	private static Health health(ApplicationContext context, String informer) {
		CompositeHealthContributor contributor = context.getBean("informersHealthContributor",
				CompositeHealthContributor.class);
		return Optional.ofNullable((HealthIndicator) contributor.getContributor(informer))
			.map((indicator) -> indicator.health(true))
			.orElseThrow();
	}

	static class Recorder {

		final List<String> events = new CopyOnWriteArrayList<>();

		/** Reasons of the outages that have not ended, by informer. */
		final Map<String, String> outages = new ConcurrentHashMap<>();

		@EventListener
		void stale(InformerStaleEvent event) {
			this.outages.put(event.informer(), event.reason());
		}

		@EventListener
		void recovered(InformerRecoveredEvent event) {
			this.outages.remove(event.informer());
		}

		@InformerHandler(queue = QueuePolicy.KEEP_ALL)
		void handle(ResourceEvent<V1Pod> event) {
			this.events.add(event.type() + " " + event.object().getMetadata().getName());
		}

	}

}
