/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.alarms;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.informer.replicas.Leadership;
import dev.informer.spring.InformerRegistry;
import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the recipe of an alarm that is sent once, with several replicas in separate
 * contexts.
 */
@Timeout(120)
class DeploymentAlarmsTests {

	private static final String DEPLOYMENTS = "deployments.apps";

	private static final String UNAVAILABLE = "web is unavailable";

	private static final String RECOVERED = "web has recovered or was deleted";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final SharedAlarms alarms = new SharedAlarms();

	private final List<ConfigurableApplicationContext> replicas = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.replicas.forEach(ConfigurableApplicationContext::close);
		this.kubernetes.close();
	}

	@Test
	void changeOfTheLeader_repeatsNoMessage() {
		ConfigurableApplicationContext first = run();
		await().until(first.getBean(Leadership.class)::isLeader);
		ConfigurableApplicationContext second = run();
		awaitCompared(() -> create("False"));
		assertThat(this.alarms.messages()).containsExactly(UNAVAILABLE);
		awaitCompared(first::close);
		assertThat(second.getBean(Leadership.class).isLeader()).isTrue();
		assertThat(this.alarms.messages()).containsExactly(UNAVAILABLE);
		awaitCompared(() -> patch("True"));
		assertThat(this.alarms.messages()).containsExactly(UNAVAILABLE, RECOVERED);
		run();
		awaitCompared(second::close);
		assertThat(this.alarms.messages()).containsExactly(UNAVAILABLE, RECOVERED);
	}

	@Test
	void recordOfFormerLeader_isRejected() {
		ConfigurableApplicationContext former = run();
		await().until(former.getBean(Leadership.class)::isLeader);
		int token = former.getBean(Leadership.class).fencingToken().orElseThrow();
		awaitCompared(() -> create("False"));
		former.close();
		awaitCompared(this::run);
		awaitCompared(() -> patch("True"));
		assertThat(this.alarms.record(uid(), true, token)).isFalse();
		assertThat(this.alarms.isRaised(uid())).isFalse();
	}

	@Test
	void changesBetweenTwoRuns_areReported() {
		create("False");
		ConfigurableApplicationContext replica = run();
		await().until(() -> this.alarms.messages().contains(UNAVAILABLE));
		replica.close();
		patch("True");
		awaitCompared(this::run);
		assertThat(this.alarms.messages()).containsExactly(UNAVAILABLE, RECOVERED);
	}

	@Test
	void availableDeployment_causesNoMessage() {
		run();
		awaitCompared(() -> create("Unknown"));
		awaitCompared(() -> patch("True"));
		assertThat(this.alarms.messages()).isEmpty();
	}

	@Test
	void deletedDeployment_endsItsAlarm() {
		run();
		awaitCompared(() -> create("False"));
		awaitCompared(() -> this.kubernetes.delete(DEPLOYMENTS, "default", "web"));
		assertThat(this.alarms.messages()).containsExactly(UNAVAILABLE, RECOVERED);
	}

	@Test
	void messageThatIsNotRecorded_isSentAgain() {
		run();
		this.alarms.failNextRecord();
		create("False");
		await().until(() -> this.alarms.messages().size() == 2);
		assertThat(this.alarms.messages()).containsOnly(UNAVAILABLE);
		await().until(() -> this.alarms.isRaised(uid()));
	}

	@Test
	void messagesDuringAnOutageOfTheChannel_areSentAfterIt() {
		run("--informer.resources.deployments.handler.retry.delay=1ms",
				"--informer.resources.deployments.handler.retry.jitter=0",
				"--informer.resources.deployments.handler.retry.max-delay=10ms");
		// an outage of a minute is seven attempts with the delays of the page
		this.alarms.failNextSends(20);
		create("False");
		await().until(() -> this.alarms.messages().equals(List.of(UNAVAILABLE)));
		await().until(() -> this.alarms.isRaised(uid()));
		this.alarms.failNextSends(20);
		this.kubernetes.delete(DEPLOYMENTS, "default", "web");
		await().until(() -> this.alarms.messages().equals(List.of(UNAVAILABLE, RECOVERED)));
	}

	private ConfigurableApplicationContext run(String... properties) {
		Stream<String> arguments = Stream.of("--informer.connection.url=" + this.kubernetes.url(),
				"--informer.connection.namespace=default", "--informer.leader.enabled=true",
				"--informer.leader.lease-name=deployment-alarms", "--informer.leader.retry-period=200ms");
		ConfigurableApplicationContext replica = new SpringApplicationBuilder(AlarmsApplication.class)
			.web(WebApplicationType.NONE)
			.initializers((context) -> context.getBeanFactory().registerSingleton("alarms", this.alarms))
			// not the file of the sample application
			.properties("spring.config.name=alarms", "spring.main.banner-mode=off")
			.run(Stream.concat(arguments, Stream.of(properties)).toArray(String[]::new));
		this.replicas.add(replica);
		return replica;
	}

	/**
	 * Make a change that the leader compares with the last message, and wait until its
	 * handler has returned.
	 */
	private void awaitCompared(Runnable change) {
		int before = this.alarms.comparisons();
		change.run();
		await().until(() -> this.alarms.comparisons() > before);
		for (ConfigurableApplicationContext replica : this.replicas) {
			if (replica.isActive()) {
				await().until(() -> replica.getBean(InformerRegistry.class).awaitHandlersIdle(Duration.ofSeconds(20)));
			}
		}
	}

	private void create(String available) {
		this.kubernetes.create(Map.of("apiVersion", "apps/v1", "kind", "Deployment", "metadata", Map.of("name", "web"),
				"status", status(available)));
	}

	private void patch(String available) {
		this.kubernetes.mergePatch(DEPLOYMENTS, "default", "web", Map.of("status", status(available)));
	}

	private static Map<String, ?> status(String available) {
		return Map.of("conditions", List.of(Map.of("type", "Available", "status", available)));
	}

	private String uid() {
		return this.kubernetes.get(DEPLOYMENTS, "default", "web").orElseThrow().path("metadata").path("uid").asString();
	}

}
