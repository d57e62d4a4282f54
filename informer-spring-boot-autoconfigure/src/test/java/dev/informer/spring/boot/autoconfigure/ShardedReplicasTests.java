/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import dev.informer.ResourceEvent;
import dev.informer.replicas.Sharding;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.MissingLeasePermissionException;
import dev.informer.spring.SlotsAcquiredEvent;
import dev.informer.spring.SlotsReleasedEvent;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.MeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for sharded handlers in applications with several replicas.
 */
class ShardedReplicasTests extends AbstractReplicaTests {

	private static final int SLOTS = 64;

	@Override
	List<String> properties() {
		return List.of("informer.sharding.enabled=true", "informer.sharding.lease-duration=3s",
				"informer.sharding.renew-deadline=2s", "informer.sharding.retry-period=100ms");
	}

	@Test
	void secondReplica_takesOverAPartOfTheObjects() {
		Set<String> names = createPods(40);
		ConfigurableApplicationContext first = run(Handlers.class);
		await().untilAsserted(() -> assertThat(handlers(first).names()).isEqualTo(names));
		ConfigurableApplicationContext second = run(Handlers.class);
		awaitDivided(first, second);
		Handlers joined = handlers(second);
		await().untilAsserted(() -> assertThat(joined.names()).isEqualTo(ownedBy(second, names)));
		assertThat(joined.names()).isNotEmpty().isNotEqualTo(names);
		assertThat(joined.everywhere).containsExactlyInAnyOrderElementsOf(names);
		Sharding sharding = sharding(second);
		assertThat(sharding.identity()).isNotEqualTo(sharding(first).identity());
		await().untilAsserted(() -> {
			assertThat(joined.acquired()).containsExactlyInAnyOrderElementsOf(sharding.owned());
			assertThat(handlers(first).released).isNotEmpty()
				.allSatisfy((event) -> assertThat(event.lost()).isFalse())
				.flatExtracting(SlotsReleasedEvent::slots)
				.containsExactlyInAnyOrderElementsOf(sharding.owned());
		});
		assertThat(first.getBean(MeterRegistry.class).get("kubernetes.informer.sharding.members").gauge().value())
			.isEqualTo(2);
	}

	@Test
	void newObject_isHandledByItsOwnerOnly() throws Exception {
		ConfigurableApplicationContext first = run(Handlers.class);
		ConfigurableApplicationContext second = run(Handlers.class);
		awaitDivided(first, second);
		Set<String> names = createPods(40);
		for (ConfigurableApplicationContext each : List.of(first, second)) {
			await().until(() -> handlers(each).everywhere.size() == names.size());
			assertThat(each.getBean(InformerRegistry.class).awaitHandlersIdle(Duration.ofSeconds(60))).isTrue();
			assertThat(handlers(each).sharded).containsExactlyInAnyOrderElementsOf(ownedBy(each, names));
		}
	}

	@Test
	void replicaThatLeaves_isReplacedAtOnceAndNothingIsListed() {
		Set<String> names = createPods(20);
		ConfigurableApplicationContext first = run(Handlers.class);
		ConfigurableApplicationContext second = run(Handlers.class);
		awaitDivided(first, second);
		await().until(() -> this.kubernetes.openWatches("pods") == 2);
		this.kubernetes.clearRequests();
		first.close();
		long closed = System.nanoTime();
		await().until(() -> sharding(second).owned().size() == SLOTS);
		assertThat(Duration.ofNanos(System.nanoTime() - closed)).isLessThan(Duration.ofSeconds(1));
		await().untilAsserted(() -> assertThat(handlers(second).names()).isEqualTo(names));
		assertThat(this.kubernetes.requests()).noneMatch((request) -> request.path().endsWith("/pods"));
	}

	@Test
	void runningInvocation_endsBeforeItsSlotMoves() {
		int objects = 40;
		ConfigurableApplicationContext first = run(Handlers.class,
				"--informer.handlers.sharded.concurrency=" + objects);
		Handlers handlers = handlers(first);
		await().until(() -> sharding(first).owned().size() == SLOTS);
		handlers.blocked = true;
		Set<String> names = createPods(objects);
		await().until(() -> handlers.sharded.size() == objects);
		ConfigurableApplicationContext second = run(Handlers.class);
		// the second one has its slots without a running invocation, and no others
		await().until(() -> !sharding(second).owned().isEmpty());
		Set<String> busy = new HashSet<>(names);
		busy.removeAll(ownedBy(first, names));
		assertThat(busy).isNotEmpty();
		assertThat(ownedBy(second, names)).isEmpty();
		assertThat(handlers(second).sharded).isEmpty();
		handlers.release.countDown();
		await().until(() -> handlers(second).names().containsAll(busy));
		assertThat(handlers.interrupted).isEmpty();
	}

	@Test
	void byNamespace_objectsOfNamespaceBelongTogether() {
		String[] arguments = { "--informer.sharding.by=namespace" };
		ConfigurableApplicationContext first = run(Handlers.class, arguments);
		ConfigurableApplicationContext second = run(Handlers.class, arguments);
		awaitDivided(first, second);
		for (int i = 0; i < 10; i++) {
			this.kubernetes.create(TestObjects.namespace("team" + i));
			for (String name : List.of("one", "two", "three")) {
				this.kubernetes.create(TestObjects.pod("team" + i, name + i));
			}
		}
		await().until(() -> handlers(first).sharded.size() + handlers(second).sharded.size() == 30);
		IntStream.range(0, 10).forEach((i) -> {
			List<String> team = List.of("one" + i, "two" + i, "three" + i);
			assertThat(List.of(first, second))
				.filteredOn((each) -> handlers(each).sharded.stream().anyMatch(team::contains))
				.singleElement()
				.satisfies((each) -> assertThat(handlers(each).sharded).containsAll(team));
		});
	}

	@Test
	void membershipThatCannotBeRenewed_losesItsSlotsAndIsDown() {
		ConfigurableApplicationContext context = run(Handlers.class, "--informer.health.failing-threshold=100ms");
		await().until(() -> sharding(context).owned().size() == SLOTS);
		HealthIndicator indicator = context.getBean("informerShardingHealthIndicator", HealthIndicator.class);
		this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.status(500));
		await().until(() -> health(indicator).getStatus() == Status.DOWN);
		assertThat(health(indicator).getDetails().get("shop")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsKeys("failingSince", "reason");
		await().until(() -> sharding(context).owned().isEmpty());
		await().untilAsserted(() -> assertThat(handlers(context).released).isNotEmpty()
			.allSatisfy((event) -> assertThat(event.lost()).isTrue()));
		assertThat(context.getBean(MeterRegistry.class)
			.get("kubernetes.informer.sharding.renewals")
			.tag("outcome", "error")
			.timer()
			.count()).isPositive();
		this.kubernetes.faults().clear();
		await().until(() -> health(indicator).getStatus() == Status.UP && sharding(context).owned().size() == SLOTS);
	}

	@ParameterizedTest
	@EnumSource(names = { "LIST", "CREATE" })
	void missingPermission_failsStartupWithTheRole(Verb verb) {
		this.kubernetes.faults().always(verb, "leases.coordination.k8s.io", Fault.status(403));
		assertThatExceptionOfType(ApplicationContextException.class).isThrownBy(() -> run(Handlers.class))
			.satisfies((ex) -> assertThat(ex.getCause()).isInstanceOf(MissingLeasePermissionException.class))
			.satisfies((ex) -> assertThat(analyze(ex).getAction()).isEqualTo("""
					Grant the verbs get, list, watch, create, update and delete on leases.coordination.k8s.io in the \
					namespace default. The following manifest grants all rights of the application, to read and \
					to write, once it is bound to the service account:

					apiVersion: rbac.authorization.k8s.io/v1
					kind: ClusterRole
					metadata:
					  name: shop-informers
					rules:
					- apiGroups: ['']
					  resources: [pods]
					  verbs: [list, watch]
					---
					apiVersion: rbac.authorization.k8s.io/v1
					kind: Role
					metadata:
					  name: shop-informers
					  namespace: default
					rules:
					- apiGroups: [coordination.k8s.io]
					  resources: [leases]
					  verbs: [get, list, watch, create, update, delete]
					"""));
	}

	private Set<String> createPods(int number) {
		Set<String> names = new HashSet<>();
		for (int i = 0; i < number; i++) {
			names.add("pod-" + i);
			this.kubernetes.create(TestObjects.pod("default", "pod-" + i));
		}
		return names;
	}

	/**
	 * Wait until each slot is owned by one replica, and each replica owns some.
	 */
	private static void awaitDivided(ConfigurableApplicationContext... replicas) {
		await().untilAsserted(() -> {
			List<Integer> owned = new ArrayList<>();
			for (ConfigurableApplicationContext replica : replicas) {
				assertThat(sharding(replica).owned()).isNotEmpty();
				owned.addAll(sharding(replica).owned());
			}
			assertThat(owned).doesNotHaveDuplicates().hasSize(SLOTS);
			assertThat(Arrays.asList(replicas)).allSatisfy((each) -> assertThat(
					each.getBean(MeterRegistry.class).get("kubernetes.informer.sharding.members").gauge().value())
				.isEqualTo(replicas.length));
		});
	}

	private static Set<String> ownedBy(ConfigurableApplicationContext replica, Set<String> names) {
		Sharding sharding = sharding(replica);
		Set<String> owned = new HashSet<>(names);
		owned.removeIf((name) -> !sharding.owns(sharding.slotOf("default", name)));
		return owned;
	}

	private static Sharding sharding(ConfigurableApplicationContext replica) {
		return replica.getBean(Sharding.class);
	}

	private static Handlers handlers(ConfigurableApplicationContext replica) {
		return replica.getBean(Handlers.class);
	}

	static class Handlers {

		private final List<String> sharded = new CopyOnWriteArrayList<>();

		private final List<String> everywhere = new CopyOnWriteArrayList<>();

		private final List<String> interrupted = new CopyOnWriteArrayList<>();

		private final List<SlotsAcquiredEvent> acquired = new CopyOnWriteArrayList<>();

		private final List<SlotsReleasedEvent> released = new CopyOnWriteArrayList<>();

		private final CountDownLatch release = new CountDownLatch(1);

		private volatile boolean blocked;

		@InformerHandler(id = "sharded", sharded = true)
		void sharded(ResourceEvent<V1Pod> event) {
			String name = event.object().getMetadata().getName();
			this.sharded.add(name);
			try {
				if (this.blocked) {
					this.release.await();
				}
			}
			catch (InterruptedException ex) {
				this.interrupted.add(name);
				Thread.currentThread().interrupt();
			}
		}

		@InformerHandler(id = "everywhere")
		void everywhere(ResourceEvent<V1Pod> event) {
			this.everywhere.add(event.object().getMetadata().getName());
		}

		@EventListener
		void on(SlotsAcquiredEvent event) {
			this.acquired.add(event);
		}

		@EventListener
		void on(SlotsReleasedEvent event) {
			this.released.add(event);
		}

		Set<String> names() {
			return Set.copyOf(this.sharded);
		}

		List<Integer> acquired() {
			return this.acquired.stream().flatMap((event) -> event.slots().stream()).toList();
		}

	}

}
