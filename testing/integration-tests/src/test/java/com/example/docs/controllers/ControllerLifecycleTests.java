/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.controllers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.SharedIndexInformer;
import dev.informer.replicas.Leadership;
import dev.informer.spring.InformerRegistry;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of a controller of the official client that runs on the cache of an informer,
 * with several replicas in separate contexts.
 */
@Timeout(120)
class ControllerLifecycleTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<ConfigurableApplicationContext> replicas = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.replicas.forEach(ConfigurableApplicationContext::close);
		this.kubernetes.close();
	}

	@Test
	void twoReplicas_onlyTheLeaderReconcilesUntilItStops() throws InterruptedException {
		ConfigurableApplicationContext leader = run();
		await().until(leader.getBean(Leadership.class)::isLeader);
		ConfigurableApplicationContext standby = run();
		create("before");
		awaitCopy("before");
		awaitDelivered(standby);
		assertThat(reconciled(standby)).isEmpty();
		List<String> reconciledByLeader = reconciled(leader);
		leader.close();
		await().until(() -> reconciled(standby).contains("before"));
		create("after");
		awaitCopy("after");
		assertThat(reconciledByLeader).doesNotContain("after");
		// no second list or watch beside that of the informer of each replica
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).hasSize(2);
		assertThat(this.kubernetes.requests(Verb.WATCH, "configmaps")).hasSize(2);
	}

	@Test
	void lostLeadership_holdsTheRequestsUntilItIsAcquiredAgain() throws InterruptedException {
		ConfigurableApplicationContext replica = run("--informer.leader.lease-duration=3s",
				"--informer.leader.renew-deadline=1s");
		Leadership leadership = replica.getBean(Leadership.class);
		create("first");
		awaitCopy("first");
		this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.status(503));
		await().until(() -> !leadership.isLeader());
		create("second");
		awaitDelivered(replica);
		assertThat(reconciled(replica)).doesNotContain("second");
		this.kubernetes.faults().clear();
		awaitCopy("second");
	}

	@Test
	void stoppedContext_reconcilesNothingUntilItIsStartedAgain() {
		ConfigurableApplicationContext replica = run();
		create("first");
		awaitCopy("first");
		replica.stop();
		create("second");
		assertThat(reconciled(replica)).doesNotContain("second");
		replica.start();
		awaitCopy("second");
	}

	private ConfigurableApplicationContext run(String... properties) {
		ConfigurableApplicationContext replica = new SpringApplicationBuilder(CopiesApplication.class)
			.web(WebApplicationType.NONE)
			// not the file of the sample application
			.properties("spring.config.name=copies", "spring.main.banner-mode=off",
					"informer.connection.url=" + this.kubernetes.url(), "informer.connection.namespace=default",
					"informer.leader.enabled=true", "informer.leader.lease-name=copies",
					"informer.leader.retry-period=200ms")
			.run(properties);
		this.replicas.add(replica);
		return replica;
	}

	private void create(String name) {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "default", "name", name), "data", Map.of("key", "value")));
	}

	private void awaitCopy(String name) {
		await().until(() -> this.kubernetes.get("configmaps", "default", name)
			.orElseThrow()
			.path("data")
			.path("copy")
			.asString()
			.equals("value"));
	}

	/**
	 * Wait until the controller has a request for each change.
	 */
	private void awaitDelivered(ConfigurableApplicationContext replica) throws InterruptedException {
		String version = this.kubernetes.list("configmaps", "default")
			.stream()
			.map((map) -> map.path("metadata").path("resourceVersion").asString())
			.max((one, other) -> Long.compare(Long.parseLong(one), Long.parseLong(other)))
			.orElseThrow();
		SharedIndexInformer<?> configMaps = replica.getBean("configmapsInformer", SharedIndexInformer.class);
		assertThat(configMaps.awaitAtLeast(version, LIMIT)).isTrue();
		assertThat(replica.getBean(InformerRegistry.class).awaitHandlersIdle(LIMIT)).isTrue();
	}

	private static List<String> reconciled(ConfigurableApplicationContext replica) {
		return replica.getBean(CopyingReconciler.class).reconciled();
	}

}
