/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.List;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.replicas.InformerReplicasAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Advice about properties below {@code informer.leader} and {@code informer.sharding}:
 * followed literally, it solves the problem.
 */
@Timeout(120)
class ReplicaAdviceTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerReplicasAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url())
		.withBean("audit", Audit.class);

	@Test
	void disabledElection() {
		ApplicationContextRunner leaderOnly = this.runner
			.withPropertyValues("informer.handlers.audit.leader-only=true");
		String enabled = Advice.of(leaderOnly).assignment("informer.leader.enabled");
		Advice unnamed = Advice.of(leaderOnly.withPropertyValues(enabled));
		for (String key : List.of(unnamed.key("informer.leader.lease-name"), unnamed.key("spring.application.name"))) {
			start(leaderOnly.withPropertyValues(enabled, "informer.leader.lease-namespace=default", key + "=shop"));
		}
		start(this.runner);
	}

	@Test
	void unknownElection() {
		ApplicationContextRunner other = this.runner.withPropertyValues("informer.leader.enabled=true",
				"informer.leader.lease-namespace=default", "spring.application.name=shop",
				"informer.handlers.audit.leader=nightly", "informer.handlers.audit.leader-only=true");
		String key = Advice.of(other).key("informer.leader.elections.nightly.lease-name");
		start(other.withPropertyValues(key + "=shop-nightly"));
	}

	@Test
	void disabledSharding() {
		ApplicationContextRunner sharded = this.runner.withPropertyValues("informer.handlers.audit.sharded=true");
		String enabled = Advice.of(sharded).assignment("informer.sharding.enabled");
		Advice unnamed = Advice.of(sharded.withPropertyValues(enabled));
		for (String key : List.of(unnamed.key("informer.sharding.group"), unnamed.key("spring.application.name"))) {
			start(sharded.withPropertyValues(enabled, "informer.sharding.lease-namespace=default", key + "=shop"));
		}
		start(this.runner);
	}

	@Test
	void handlerWithDefaultId() {
		ApplicationContextRunner both = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
					KubernetesConnectionAutoConfiguration.class, InformerReplicasAutoConfiguration.class))
			.withBean("billing", Billing.class)
			.withPropertyValues("informer.connection.url=" + this.kubernetes.url(), "informer.leader.enabled=true",
					"informer.sharding.enabled=true", "informer.connection.namespace=default",
					"spring.application.name=shop");
		Advice advice = Advice.of(both);
		for (String option : List.of("leader-only", "sharded")) {
			String property = advice.assignment("informer.handlers[billing.charge]." + option);
			start(both.withPropertyValues(property));
		}
	}

	@Test
	void shardedAndLeaderOnly() {
		ApplicationContextRunner both = this.runner.withPropertyValues("informer.leader.enabled=true",
				"informer.sharding.enabled=true", "informer.connection.namespace=default",
				"spring.application.name=shop", "informer.handlers.audit.sharded=true",
				"informer.handlers.audit.leader-only=true");
		Advice advice = Advice.of(both);
		start(both.withPropertyValues(advice.assignment("informer.handlers.audit.leader-only")));
		start(both.withPropertyValues(advice.assignment("informer.handlers.audit.sharded")));
	}

	@Test
	void disabledShardingOfInformer() {
		ApplicationContextRunner sharded = this.runner.withPropertyValues("informer.resources.pods.shard.by=uid",
				"informer.connection.namespace=default", "spring.application.name=shop");
		start(sharded.withPropertyValues(Advice.of(sharded).assignment("informer.sharding.enabled")));
	}

	@Test
	void handlerThatNeedsAllObjectsOfShardedInformer() {
		ApplicationContextRunner all = this.runner.withPropertyValues("informer.leader.enabled=true",
				"informer.sharding.enabled=true", "informer.connection.namespace=default",
				"spring.application.name=shop");
		ApplicationContextRunner sharded = all.withPropertyValues("informer.resources.pods.shard.by=uid");
		String keepAll = "informer.resources.pods.handler.queue=keep-all";
		Advice advice = Advice.of(sharded.withPropertyValues(keepAll));
		start(sharded.withPropertyValues(keepAll, advice.assignment("informer.handlers.audit.queue")));
		String leaderOnly = "informer.resources.pods.handler.leader-only=true";
		advice = Advice.of(sharded.withPropertyValues(leaderOnly));
		start(sharded.withPropertyValues(leaderOnly, advice.assignment("informer.handlers.audit.leader-only")));
		assertThat(advice.key("informer.resources.pods.shard.by")).isNotEmpty();
		start(all.withPropertyValues(leaderOnly));
	}

	/**
	 * Start the application and expect that all its informers sync.
	 */
	private static void start(ApplicationContextRunner runner) {
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(InformerRegistry.class).informers()).isNotEmpty()
				.allSatisfy((informer) -> assertThat(informer.hasSynced()).as(informer.name()).isTrue());
		});
	}

	static class Audit {

		@InformerHandler(id = "audit")
		void handle(V1Pod pod) {
		}

	}

	static class Billing {

		@InformerHandler(leaderOnly = "true", sharded = true)
		void charge(V1Pod pod) {
		}

	}

}
