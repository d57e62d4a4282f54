/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.ResourceEvent;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaListener;
import dev.informer.replicas.Sharding;
import dev.informer.shard.ShardMember;
import dev.informer.shard.ShardingOptions;
import dev.informer.shard.SlotKey;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.SlotsAcquiredEvent;
import dev.informer.spring.SlotsReleasedEvent;
import dev.informer.spring.boot.autoconfigure.endpoint.InformerRbacEndpoint;
import dev.informer.spring.config.InformerEventPublisher;
import dev.informer.spring.config.Replicas;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.MeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for sharded handlers in an application with one replica.
 */
class ShardingTests extends AbstractReplicaTests {

	@Override
	List<String> properties() {
		return List.of("informer.sharding.enabled=true", "informer.sharding.retry-period=200ms");
	}

	@Test
	void onlyReplica_ownsAllSlots() {
		this.kubernetes.create(TestObjects.pod("default", "one"));
		ConfigurableApplicationContext context = run(Handlers.class);
		Handlers handlers = context.getBean(Handlers.class);
		Sharding sharding = context.getBean(Sharding.class);
		await().until(() -> handlers.sharded.contains("one") && sharding.owned().size() == 64);
		assertThat(sharding.group()).isEqualTo("shop");
		await().untilAsserted(() -> {
			assertThat(handlers.listened).containsOnly("acquired").isNotEmpty();
			assertThat(handlers.events).allSatisfy((event) -> assertThat(event).isInstanceOf(SlotsAcquiredEvent.class))
				.flatExtracting((event) -> ((SlotsAcquiredEvent) event).slots())
				.containsExactlyInAnyOrderElementsOf(sharding.owned());
		});
		assertThat(handlers.threads).containsOnly("informer-events");
	}

	@Test
	void health_hasMembersAndSlots() {
		ConfigurableApplicationContext context = run(Handlers.class, "--informer.sharding.slots=4");
		Sharding sharding = context.getBean(Sharding.class);
		await().until(() -> sharding.owned().size() == 4);
		Health health = health(context.getBean("informerShardingHealthIndicator", HealthIndicator.class));
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("shop")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.isEqualTo(Map.of("identity", sharding.identity(), "members", List.of(sharding.identity()), "slots", 4,
					"ownedSlots", List.of(0, 1, 2, 3)));
	}

	@Test
	void meters_countSlotsAndMembers() {
		ConfigurableApplicationContext context = run(Handlers.class, "--informer.sharding.slots=16");
		MeterRegistry meters = context.getBean(MeterRegistry.class);
		String prefix = "kubernetes.informer.sharding.";
		await().untilAsserted(() -> {
			assertThat(meters.get(prefix + "slots").tag("group", "shop").gauge().value()).isEqualTo(16);
			assertThat(meters.get(prefix + "group.slots").tag("group", "shop").gauge().value()).isEqualTo(16);
			assertThat(meters.get(prefix + "members").tag("group", "shop").gauge().value()).isEqualTo(1);
			assertThat(meters.get(prefix + "renewals").tag("outcome", "success").timer().count()).isPositive();
			assertThat(meters.get(prefix + "transitions").tag("event", "acquired").counter().count()).isEqualTo(16);
		});
		context.getBean(InformerRegistry.class).stop();
		assertThat(meters.get(prefix + "slots").gauge().value()).isZero();
		assertThat(meters.get(prefix + "group.slots").gauge().value()).isEqualTo(16);
		await().untilAsserted(
				() -> assertThat(meters.get(prefix + "transitions").tag("event", "released").counter().count()
						+ meters.get(prefix + "transitions").tag("event", "lost").counter().count())
					.isEqualTo(16));
	}

	@Test
	void stoppedRegistry_leavesAndJoinsAgainWhenStarted() {
		this.kubernetes.create(TestObjects.pod("default", "one"));
		ConfigurableApplicationContext context = run(Handlers.class);
		Handlers handlers = context.getBean(Handlers.class);
		await().until(() -> handlers.sharded.contains("one"));
		InformerRegistry registry = context.getBean(InformerRegistry.class);
		registry.stop();
		assertThat(context.getBean(Sharding.class).owned()).isEmpty();
		this.kubernetes.create(TestObjects.pod("default", "two"));
		registry.start();
		await().until(() -> handlers.sharded.contains("two"));
		assertThat(handlers.sharded).containsOnlyOnce("one");
		assertThat(context.getBean(Sharding.class).owned()).hasSize(64);
	}

	@Test
	void properties_areOptions() {
		ShardingOptions options = ((ShardMember) run(Handlers.class, "--informer.sharding.group=workers",
				"--informer.sharding.lease-namespace=kube-system", "--informer.sharding.identity=me",
				"--informer.sharding.slots=128", "--informer.sharding.by=namespace",
				"--informer.sharding.lease-duration=30s", "--informer.sharding.renew-deadline=20s")
			.getBean(Sharding.class)).options();
		assertThat(options.group()).isEqualTo("workers");
		assertThat(options.namespace()).isEqualTo("kube-system");
		assertThat(options.identity()).isEqualTo("me");
		assertThat(options.slots()).isEqualTo(128);
		assertThat(options.by()).isEqualTo(SlotKey.NAMESPACE);
		assertThat(options.leaseDuration()).hasSeconds(30);
		assertThat(options.renewDeadline()).hasSeconds(20);
		assertThat(options.retryPeriod()).hasMillis(200);
	}

	@Test
	void childContext_isPartOfItsParent() {
		this.kubernetes.create(TestObjects.pod("default", "one"));
		ConfigurableApplicationContext parent = run(Application.class);
		Sharding sharding = parent.getBean(Sharding.class);
		try (ConfigurableApplicationContext child = new SpringApplicationBuilder(Application.class, Handlers.class)
			.parent(parent)
			.web(WebApplicationType.NONE)
			.properties("informer.connection.url=" + this.kubernetes.url())
			.run("--spring.main.banner-mode=off", "--informer.sharding.enabled=true")) {
			await().until(() -> child.getBean(Handlers.class).sharded.contains("one"));
			assertThat(child.getBean(Sharding.class)).isSameAs(sharding);
		}
		assertThat(sharding.owned()).hasSize(64);
	}

	@Test
	void healthIndicator_existsWithShardingUnlessItIsDisabled() {
		assertThat(run(Handlers.class).containsBean("informerShardingHealthIndicator")).isTrue();
		assertThat(run(Handlers.class, "--management.health.informersharding.enabled=false")
			.containsBean("informerShardingHealthIndicator")).isFalse();
		ConfigurableApplicationContext disabled = run(Handlers.class, "--informer.sharding.enabled=false",
				"--informer.handlers.sharded.sharded=false");
		assertThat(disabled.containsBean("informerShardingHealthIndicator")).isFalse();
		assertThat(disabled.getBeansOfType(Sharding.class)).isEmpty();
		assertThat(disabled.getBeansOfType(Replicas.class)).isEmpty();
		assertThat(disabled.getBeanDefinitionNames())
			.noneMatch((name) -> name.matches("(?i)informer.*(replica|lea|shard).*"));
	}

	@Test
	void manifest_includesTheLeases() {
		String[] arguments = { "--management.endpoints.web.exposure.include=*", "--informer.leader.enabled=true" };
		String leases = """
				  namespace: default
				rules:
				- apiGroups: [coordination.k8s.io]
				  resources: [leases]
				  verbs: [get, list, watch, create, update, delete]
				""";
		assertThat(run(Handlers.class, arguments).getBean(InformerRbacEndpoint.class).manifest()).endsWith(leases);
	}

	@Test
	void lostSlots_arePublishedWithTheReason() {
		ConfigurableApplicationContext context = run(Handlers.class);
		Sharding sharding = context.getBean(Sharding.class);
		InformerEventPublisher publisher = context.getBean(InformerEventPublisher.class);
		publisher.onEvent(new ReplicaEvent.SlotsLost(sharding, Set.of(5), "the renew deadline has passed"));
		publisher.onEvent(new ReplicaEvent.SlotsReleased(sharding, Set.of(6)));
		String identity = sharding.identity();
		await().untilAsserted(() -> assertThat(context.getBean(Handlers.class).events).contains(
				new SlotsReleasedEvent("shop", identity, Set.of(5), true, "the renew deadline has passed"),
				new SlotsReleasedEvent("shop", identity, Set.of(6), false, "they move to other replicas")));
	}

	@Test
	void shardedWithoutSharding_failsStartup() {
		assertThatExceptionOfType(InvalidHandlerMethodException.class)
			.isThrownBy(() -> run(Handlers.class, "--informer.sharding.enabled=false"))
			.withMessageContaining("it is sharded, but sharding is disabled")
			.satisfies((ex) -> assertThat(ex.action()).contains("Set informer.sharding.enabled=true"));
	}

	@Test
	void shardedAndLeaderOnly_failsStartup() {
		for (String property : List.of("leader-only=true", "leader=billing")) {
			assertThatExceptionOfType(InvalidHandlerMethodException.class)
				.isThrownBy(() -> run(Handlers.class, "--informer.leader.enabled=true",
						"--informer.handlers.sharded." + property))
				.withMessageContaining("it is both leader-only and sharded")
				.satisfies((ex) -> assertThat(ex.action()).contains("informer.handlers.sharded.sharded=false"));
		}
	}

	@Test
	void keepAll_failsStartup() {
		assertThatExceptionOfType(InvalidHandlerMethodException.class)
			.isThrownBy(() -> run(Handlers.class, "--informer.handlers.sharded.queue=keep-all"))
			.withMessageContaining("must be coalesce for a sharded handler");
	}

	@Test
	void invalidProperties_failStartup() {
		assertInvalid(Handlers.class, "informer.sharding.renew-deadline", "--informer.sharding.renew-deadline=240ms");
		assertInvalid(Handlers.class, "informer.sharding.lease-duration", "--informer.sharding.lease-duration=10s");
		assertInvalid(Handlers.class, "informer.sharding.retry-period", "--informer.sharding.retry-period=0");
		assertInvalid(Handlers.class, "informer.sharding.slots", "--informer.sharding.slots=100");
		assertInvalid(Handlers.class, "informer.sharding.identity", "--informer.sharding.identity=");
		assertInvalid(Handlers.class, "informer.sharding.group", "--informer.sharding.group=my.group");
		assertInvalid(Handlers.class, "informer.sharding.group", "--spring.application.name=");
		assertInvalid(Handlers.class, "informer.sharding.group", "--spring.application.name=" + "a".repeat(64));
	}

	static class Handlers implements ReplicaListener {

		private final List<String> sharded = new CopyOnWriteArrayList<>();

		private final List<String> listened = new CopyOnWriteArrayList<>();

		private final List<Object> events = new CopyOnWriteArrayList<>();

		private final List<String> threads = new CopyOnWriteArrayList<>();

		@InformerHandler(id = "sharded", sharded = true)
		void sharded(ResourceEvent<V1Pod> event) {
			this.sharded.add(event.object().getMetadata().getName());
		}

		@EventListener
		void on(SlotsAcquiredEvent event) {
			this.threads.add(Thread.currentThread().getName());
			this.events.add(event);
		}

		@EventListener
		void on(SlotsReleasedEvent event) {
			this.threads.add(Thread.currentThread().getName());
			this.events.add(event);
		}

		@Override
		public void onEvent(ReplicaEvent event) {
			if (event instanceof ReplicaEvent.SlotsAcquired) {
				this.listened.add("acquired");
			}
		}

	}

}
