/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.replicas.Sharding;
import dev.informer.spring.InformerHandler;
import dev.informer.test.Fault;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for sharded informers in applications with several replicas, whose handlers are
 * sharded without an attribute.
 */
class ShardedCacheTests extends AbstractReplicaTests {

	@Override
	List<String> properties() {
		return List.of("informer.sharding.enabled=true", "informer.sharding.lease-duration=3s",
				"informer.sharding.renew-deadline=2s", "informer.sharding.retry-period=100ms",
				"informer.resources.pods.shard.by=uid");
	}

	@Test
	void secondReplica_takesAPartOfTheCacheOver() {
		Set<String> names = createPods("pod", 60);
		ConfigurableApplicationContext first = run(Handlers.class);
		assertThat(cached(first)).isEqualTo(names);
		await().until(() -> handlers(first).known.equals(names));
		this.kubernetes.clearRequests();
		ConfigurableApplicationContext second = run(Handlers.class);
		awaitDivided(names, first, second);
		assertThat(handlers(first).moved).isEqualTo(cached(second));
		assertThat(lists()).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.query()).containsKey("shardSelector"));
		Set<String> more = createPods("more", 30);
		awaitDivided(Stream.concat(names.stream(), more.stream()).collect(Collectors.toSet()), first, second);
	}

	@Test
	void replicaThatLeaves_isReplacedByAListOfItsSlots() {
		Set<String> names = createPods("pod", 60);
		ConfigurableApplicationContext first = run(Handlers.class);
		ConfigurableApplicationContext second = run(Handlers.class);
		awaitDivided(names, first, second);
		await().until(() -> this.kubernetes.openWatches("pods") == 2);
		this.kubernetes.clearRequests();
		first.close();
		awaitDivided(names, second);
		assertThat(lists()).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.query()).containsKey("shardSelector"));
		assertThat(handlers(second).moved).isEmpty();
	}

	@Test
	void membershipThatCannotBeRenewed_keepsTheCacheAndPausesTheHandlers() {
		Set<String> names = createPods("pod", 20);
		ConfigurableApplicationContext context = run(Handlers.class);
		await().until(() -> handlers(context).known.equals(names));
		this.kubernetes.clearRequests();
		this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.status(500));
		await().until(() -> context.getBean(Sharding.class).owned().isEmpty());
		Set<String> more = createPods("more", 10);
		Set<String> all = Stream.concat(names.stream(), more.stream()).collect(Collectors.toSet());
		await().until(() -> cached(context).equals(all));
		assertThat(handlers(context).known).isEqualTo(names);
		this.kubernetes.faults().clear();
		await().until(() -> handlers(context).known.equals(all));
		assertThat(lists()).isEmpty();
		assertThat(handlers(context).moved).isEmpty();
	}

	private Set<String> createPods(String prefix, int number) {
		return IntStream.range(0, number).mapToObj((i) -> {
			this.kubernetes.create(TestObjects.pod("default", prefix + i));
			return prefix + i;
		}).collect(Collectors.toSet());
	}

	private List<ReceivedRequest> lists() {
		return this.kubernetes.requests()
			.stream()
			.filter((request) -> request.path().endsWith("/pods") && !request.query().containsKey("watch"))
			.toList();
	}

	private static void awaitDivided(Set<String> names, ConfigurableApplicationContext... contexts) {
		await().untilAsserted(() -> {
			assertThat(Stream.of(contexts).flatMap((each) -> cached(each).stream()))
				.containsExactlyInAnyOrderElementsOf(names);
			assertThat(contexts).allSatisfy((each) -> {
				assertThat(cached(each)).isNotEmpty();
				assertThat(handlers(each).known).isEqualTo(cached(each));
			});
		});
	}

	private static Set<String> cached(ConfigurableApplicationContext context) {
		return handlers(context).pods.list().stream().map(ShardedCacheTests::name).collect(Collectors.toSet());
	}

	private static Handlers handlers(ConfigurableApplicationContext context) {
		return context.getBean(Handlers.class);
	}

	private static String name(V1Pod pod) {
		return Objects.requireNonNull(pod.getMetadata().getName());
	}

	static class Handlers {

		private final Set<String> known = ConcurrentHashMap.newKeySet();

		private final Set<String> moved = ConcurrentHashMap.newKeySet();

		private final Lister<V1Pod> pods;

		Handlers(Lister<V1Pod> pods) {
			this.pods = pods;
		}

		@InformerHandler
		void handle(ResourceEvent<V1Pod> event) {
			String name = name(event.object());
			if (!(event instanceof Deleted<V1Pod> deleted)) {
				this.known.add(name);
				return;
			}
			this.known.remove(name);
			if (deleted.reason() == Deleted.Reason.UNWATCHED) {
				this.moved.add(name);
			}
		}

	}

}
