/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

import dev.informer.test.EmbeddedKubernetes;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class TwoReplicasTests {

	private static final Set<String> DEPLOYMENTS = Set.of("shop/web", "shop/cart", "shop/api", "billing/invoices");

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ConfigurableApplicationContext first = start();

	private final ConfigurableApplicationContext second = start();

	private ConfigurableApplicationContext start() {
		return TwoReplicas.start(this.kubernetes, 0, "--informer.sharding.retry-period=200ms",
				"--informer.leader.retry-period=200ms");
	}

	@AfterEach
	void close() {
		this.first.close();
		this.second.close();
		this.kubernetes.close();
	}

	@Test
	void deployments_areDividedAndTakenOver() {
		this.kubernetes.create(new Shop("shop").object());
		this.kubernetes.create(new Shop("billing").object());
		for (String deployment : DEPLOYMENTS) {
			String[] names = deployment.split("/");
			this.kubernetes.create(new Shop(names[0]).deployment(names[1], 1));
		}
		await().untilAsserted(() -> {
			Replica one = replica(this.first);
			Replica two = replica(this.second);
			assertThat(one.leader()).isIn(one.identity(), two.identity()).isEqualTo(two.leader());
			assertThat(one.owned()).hasSizeBetween(20, 44).doesNotContainAnyElementsOf(two.owned());
			assertThat(union(one.owned(), two.owned())).hasSize(64);
			assertThat(union(one.deployments(), two.deployments())).isEqualTo(DEPLOYMENTS);
		});
		this.first.close();
		await().untilAsserted(() -> {
			Replica left = replica(this.second);
			assertThat(left.leader()).isEqualTo(left.identity());
			assertThat(left.owned()).hasSize(64);
			assertThat(left.deployments()).isEqualTo(DEPLOYMENTS);
		});
	}

	private static <T> Set<T> union(Set<T> one, Set<T> two) {
		Set<T> union = new HashSet<>(one);
		union.addAll(two);
		return union;
	}

	private static Replica replica(ConfigurableApplicationContext context) {
		return Objects.requireNonNull(context.getBean(ReplicaController.class).replica().getBody());
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}
