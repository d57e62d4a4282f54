/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.ResourceEvent;
import dev.informer.replicas.Leadership;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.LeaderElections;
import dev.informer.spring.LeadershipAcquiredEvent;
import dev.informer.spring.LeadershipLostEvent;
import dev.informer.spring.MissingLeasePermissionException;
import dev.informer.spring.boot.autoconfigure.endpoint.InformerRbacEndpoint;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.MeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for leader election in applications.
 */
class LeaderElectionTests extends AbstractReplicaTests {

	@Override
	List<String> properties() {
		return List.of("informer.leader.enabled=true", "informer.leader.retry-period=200ms");
	}

	@Test
	void secondReplica_keepsEventsUntilItTakesOver() throws Exception {
		this.kubernetes.create(TestObjects.pod("default", "one"));
		ConfigurableApplicationContext first = run(Handlers.class);
		Handlers leading = first.getBean(Handlers.class);
		await().until(() -> leading.led.contains("one"));
		ConfigurableApplicationContext second = run(Handlers.class);
		Handlers waiting = second.getBean(Handlers.class);
		await().until(() -> waiting.everywhere.contains("one"));
		assertThat(waiting.led).isEmpty();
		assertThat(second.getBean(InformerRegistry.class).awaitHandlersIdle(Duration.ofSeconds(60))).isTrue();
		Leadership leadership = first.getBean(Leadership.class);
		Leadership other = second.getBean(Leadership.class);
		assertThat(leadership.isLeader()).isTrue();
		assertThat(other.isLeader()).isFalse();
		assertThat(other.leader()).contains(leadership.identity());
		assertThat(leadership.identity()).isNotEqualTo(other.identity());
		await().until(() -> leading.events.contains(new LeadershipAcquiredEvent("default", leadership.identity())));
		assertThat(gauge(first, "leader")).isEqualTo(1);
		assertThat(gauge(second, "leader")).isZero();
		assertThat(gauge(first, "handler.paused", "handler", "led")).isZero();
		assertThat(gauge(second, "handler.paused", "handler", "led")).isEqualTo(1);
		assertThat(gauge(second, "handler.paused", "handler", "everywhere")).isZero();
		assertThat(gauge(first, "handler.standby", "handler", "led")).isZero();
		assertThat(gauge(second, "handler.standby", "handler", "led")).isEqualTo(1);
		assertThat(gauge(second, "handler.standby", "handler", "everywhere")).isZero();
		assertThat(first.getBean(MeterRegistry.class)
			.get("kubernetes.informer.leader.renewals")
			.tag("outcome", "success")
			.timer()
			.count()).isPositive();
		Health health = Objects
			.requireNonNull(second.getBean("informerLeaderHealthIndicator", HealthIndicator.class).health());
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails().get("default")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsEntry("isLeader", false)
			.containsEntry("leader", leadership.identity());
		first.close();
		long closed = System.nanoTime();
		await().until(other::isLeader);
		assertThat(Duration.ofNanos(System.nanoTime() - closed)).isLessThan(Duration.ofSeconds(1));
		assertThat(other.fencingToken()).hasValue(1);
		await().until(() -> waiting.led.contains("one"));
		assertThat(leading.events)
			.contains(new LeadershipLostEvent("default", leadership.identity(), "it was stopped"));
		assertThat(leading.threads).hasSize(2).containsOnly("informer-events");
		assertThat(second.getBean(MeterRegistry.class)
			.get("kubernetes.informer.leader.transitions")
			.tag("event", "acquired")
			.counter()
			.count()).isEqualTo(1);
	}

	@Test
	void severalElections_areHeldByDifferentLeases() {
		ConfigurableApplicationContext context = run(BillingHandler.class,
				"--informer.leader.elections.billing.lease-name=bills",
				"--informer.leader.elections.audit.lease-duration=20s");
		LeaderElections elections = context.getBean(LeaderElections.class);
		assertThat(elections.elections()).extracting(Leadership::election)
			.containsExactlyInAnyOrder("default", "billing", "audit");
		await().until(() -> elections.elections().stream().allMatch(Leadership::isLeader));
		assertThat(this.kubernetes.list("leases", "default"))
			.extracting((lease) -> lease.get("metadata").get("name").asString())
			.containsExactlyInAnyOrder("shop", "bills", "shop-audit");
		assertThat(context.getBean(Leadership.class).election()).isEqualTo("default");
	}

	@Test
	void takeover_listsAndWatchesNothing() {
		this.kubernetes.create(TestObjects.pod("default", "one"));
		ConfigurableApplicationContext first = run(Handlers.class);
		await().until(() -> first.getBean(Handlers.class).led.contains("one"));
		Handlers waiting = run(Handlers.class).getBean(Handlers.class);
		await().until(() -> waiting.everywhere.contains("one") && this.kubernetes.openWatches("pods") == 2
				&& this.kubernetes.openWatches("leases.coordination.k8s.io") == 2);
		this.kubernetes.clearRequests();
		first.close();
		await().until(() -> waiting.led.contains("one"));
		assertThat(this.kubernetes.requests()).isNotEmpty()
			.noneMatch((request) -> request.verb() == Verb.LIST || request.verb() == Verb.WATCH);
	}

	@Test
	void election_isIndependentOfOthers() {
		this.kubernetes.create(lease("bills", "stranger"));
		this.kubernetes.create(TestObjects.configMap("default", "settings"));
		this.kubernetes.create(TestObjects.pod("default", "one"));
		ConfigurableApplicationContext context = run(List.of(Handlers.class, BillingHandler.class),
				"--informer.leader.elections.billing.lease-name=bills");
		LeaderElections elections = context.getBean(LeaderElections.class);
		Leadership billing = elections.find("billing").orElseThrow();
		await().until(() -> context.getBean(Handlers.class).led.contains("one"));
		assertThat(billing.isLeader()).isFalse();
		assertThat(billing.leader()).contains("stranger");
		BillingHandler handler = context.getBean(BillingHandler.class);
		assertThat(handler.billed).isEmpty();
		this.kubernetes.mergePatch("leases", "default", "bills", Map.of("spec", Map.of("holderIdentity", "")));
		await().until(() -> handler.billed.contains("settings"));
		assertThat(elections.find("unknown")).isEmpty();
	}

	@Test
	void stoppedRegistry_releasesAndTakesPartAgainWhenStarted() {
		this.kubernetes.create(TestObjects.pod("default", "one"));
		ConfigurableApplicationContext context = run(Handlers.class);
		Handlers handlers = context.getBean(Handlers.class);
		await().until(() -> handlers.led.contains("one"));
		InformerRegistry registry = context.getBean(InformerRegistry.class);
		registry.stop();
		assertThat(context.getBean(Leadership.class).isLeader()).isFalse();
		assertThat(this.kubernetes.get("leases", "default", "shop")
			.orElseThrow()
			.get("spec")
			.get("holderIdentity")
			.asString()).isEmpty();
		this.kubernetes.create(TestObjects.pod("default", "two"));
		registry.start();
		await().until(() -> handlers.led.contains("two"));
		assertThat(handlers.led).containsOnlyOnce("one");
		assertThat(context.getBean(Leadership.class).fencingToken()).hasValue(1);
	}

	@Test
	void leaseThatCannotBeWritten_isDownAfterTheThreshold() {
		ConfigurableApplicationContext context = run(Handlers.class, "--informer.health.failing-threshold=100ms");
		await().until(() -> context.getBean(Leadership.class).isLeader());
		HealthIndicator indicator = context.getBean("informerLeaderHealthIndicator", HealthIndicator.class);
		this.kubernetes.faults().always(Verb.UPDATE, "leases.coordination.k8s.io", Fault.status(500));
		await().until(() -> health(indicator).getStatus() == Status.DOWN);
		assertThat(health(indicator).getDetails().get("default")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsKey("failingSince")
			.hasEntrySatisfying("reason", (reason) -> assertThat(reason).asString()
				.startsWith("Election 'default' could not renew the Lease default/shop: 500"));
		assertThat(context.getBean(MeterRegistry.class)
			.get("kubernetes.informer.leader.renewals")
			.tag("outcome", "error")
			.timer()
			.count()).isPositive();
		this.kubernetes.faults().clear();
		await().until(() -> health(indicator).getStatus() == Status.UP);
	}

	@Test
	void healthIndicator_existsWithLeaderElectionUnlessItIsDisabled() {
		assertThat(run(BillingHandler.class, "--informer.leader.elections.billing.lease-name=bills")
			.containsBean("informerLeaderHealthIndicator")).isTrue();
		assertThat(run(Handlers.class, "--management.health.informerleader.enabled=false")
			.containsBean("informerLeaderHealthIndicator")).isFalse();
		assertThat(run(Handlers.class, "--informer.leader.enabled=false", "--informer.handlers.led.leader-only=false")
			.containsBean("informerLeaderHealthIndicator")).isFalse();
	}

	@Test
	void manifest_includesTheLeases() {
		ConfigurableApplicationContext context = run(BillingHandler.class,
				"--management.endpoints.web.exposure.include=*",
				"--informer.leader.elections.billing.lease-name=bills");
		assertThat(context.getBean(InformerRbacEndpoint.class).manifest()).contains("""
				  namespace: default
				rules:
				- apiGroups: [coordination.k8s.io]
				  resources: [leases]
				  resourceNames: [bills, shop]
				  verbs: [get, list, watch, update]
				- apiGroups: [coordination.k8s.io]
				  resources: [leases]
				  verbs: [create]
				""");
	}

	@Test
	void property_overridesAnnotation() {
		this.kubernetes.create(TestObjects.pod("default", "one"));
		this.kubernetes.create(lease("shop", "stranger"));
		ConfigurableApplicationContext context = run(Handlers.class, "--informer.handlers.led.leader-only=false",
				"--informer.handlers.everywhere.leader-only=true");
		Handlers handlers = context.getBean(Handlers.class);
		await().until(() -> handlers.led.contains("one"));
		assertThat(handlers.everywhere).isEmpty();
		assertThat(context.getBean(Leadership.class).leader()).contains("stranger");
	}

	@Test
	void leaderOnlyWithoutElection_failsStartup() {
		assertThatExceptionOfType(InvalidHandlerMethodException.class)
			.isThrownBy(() -> run(Handlers.class, "--informer.leader.enabled=false"))
			.withMessageContaining("it is leader-only, but leader election is disabled")
			.satisfies((ex) -> assertThat(ex.action()).contains("Set informer.leader.enabled=true"));
	}

	@Test
	void unknownElection_failsStartup() {
		assertThatExceptionOfType(InvalidHandlerMethodException.class).isThrownBy(() -> run(BillingHandler.class))
			.withMessageContaining("the leader of the election 'billing', but the elections are [default]")
			.satisfies((ex) -> assertThat(ex.action()).contains("informer.leader.elections.billing.lease-name"));
	}

	@Test
	void keepAll_failsStartup() {
		assertThatExceptionOfType(InvalidHandlerMethodException.class)
			.isThrownBy(() -> run(Handlers.class, "--informer.handlers.led.queue=keep-all"))
			.withMessageContaining("must be coalesce for a leader-only handler");
	}

	@Test
	void contradictingDurations_failStartup() {
		assertInvalid(Handlers.class, "informer.leader.renew-deadline", "--informer.leader.renew-deadline=240ms");
		assertInvalid(Handlers.class, "informer.leader.lease-duration", "--informer.leader.lease-duration=10s");
		assertInvalid(Handlers.class, "informer.leader.elections.billing.renew-deadline",
				"--informer.leader.elections.billing.retry-period=9s");
		assertInvalid(Handlers.class, "informer.leader.elections.default",
				"--informer.leader.elections.default.retry-period=1s");
		assertInvalid(Handlers.class, "informer.leader.lease-name", "--informer.leader.lease-name=My_Lease");
		assertInvalid(Handlers.class, "informer.leader.lease-name", "--spring.application.name=");
	}

	@Test
	void missingPermission_failsStartupWithTheRole() {
		this.kubernetes.faults().always(Verb.GET, "leases.coordination.k8s.io", Fault.status(403));
		assertThatExceptionOfType(ApplicationContextException.class).isThrownBy(() -> run(Handlers.class))
			.satisfies((ex) -> assertThat(ex.getCause()).isInstanceOf(MissingLeasePermissionException.class)
				.hasMessageStartingWith("Election 'default' could not read the Lease default/shop: 403"))
			.satisfies((ex) -> assertThat(analyze(ex).getAction()).isEqualTo("""
					Grant the verbs get, list, watch, create and update on leases.coordination.k8s.io in the \
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
					  resourceNames: [shop]
					  verbs: [get, list, watch, update]
					- apiGroups: [coordination.k8s.io]
					  resources: [leases]
					  verbs: [create]
					"""));
	}

	private static Map<String, ?> lease(String name, String holder) {
		return Map.of("apiVersion", "coordination.k8s.io/v1", "kind", "Lease", "metadata",
				Map.of("name", name, "namespace", "default"), "spec",
				Map.of("holderIdentity", holder, "leaseDurationSeconds", 3600));
	}

	static class Handlers {

		private final List<String> led = new CopyOnWriteArrayList<>();

		private final List<String> everywhere = new CopyOnWriteArrayList<>();

		private final List<Object> events = new CopyOnWriteArrayList<>();

		private final List<String> threads = new CopyOnWriteArrayList<>();

		@InformerHandler(id = "led", leaderOnly = "true")
		void led(ResourceEvent<V1Pod> event) {
			this.led.add(event.object().getMetadata().getName());
		}

		@InformerHandler(id = "everywhere")
		void everywhere(ResourceEvent<V1Pod> event) {
			this.everywhere.add(event.object().getMetadata().getName());
		}

		@EventListener
		void on(LeadershipAcquiredEvent event) {
			this.threads.add(Thread.currentThread().getName());
			this.events.add(event);
		}

		@EventListener
		void on(LeadershipLostEvent event) {
			this.threads.add(Thread.currentThread().getName());
			this.events.add(event);
		}

	}

	static class BillingHandler {

		private final List<String> billed = new CopyOnWriteArrayList<>();

		@InformerHandler(id = "bill", leader = "billing")
		void bill(ResourceEvent<V1ConfigMap> event) {
			this.billed.add(event.object().getMetadata().getName());
		}

	}

}
