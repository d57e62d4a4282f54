/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Objects;

import dev.informer.InformerFactory;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.replicas.ReplicaEvent.SlotsAssigned;
import dev.informer.replicas.ReplicaListener;
import dev.informer.replicas.Shard;
import dev.informer.replicas.Sharding;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.MissingLeasePermissionException;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.boot.autoconfigure.endpoint.InformerRbacEndpoint;
import dev.informer.spring.boot.autoconfigure.endpoint.InformersEndpoint;
import dev.informer.spring.config.ShardStatus;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@code informer.resources.<name>.shard}.
 */
class ShardedInformerTests extends AbstractReplicaTests {

	private static final String EXPOSED = "--management.endpoints.web.exposure.include=*";

	@Override
	List<String> properties() {
		return List.of("informer.sharding.enabled=true", "informer.sharding.slots=4",
				"informer.resources.pods.shard.by=uid");
	}

	@ParameterizedTest
	@CsvSource({ "uid,UID", "namespace,NAMESPACE" })
	void property_isOption(String value, Shard.Key by) {
		ConfigurableApplicationContext context = run(Reader.class, "--informer.resources.pods.shard.by=" + value,
				"--informer.resources.nodes.required=false");
		InformerRegistry registry = context.getBean(InformerRegistry.class);
		assertThat(Shard.of(registry.informer("pods", V1Pod.class).options()))
			.hasValue(new Shard(context.getBean(Sharding.class), by));
		assertThat(Shard.of(registry.informer("nodes", V1Node.class).options())).isEmpty();
	}

	@Test
	void informerWithoutShardedHandler_joinsTheGroup() {
		Sharding sharding = run(Reader.class).getBean(Sharding.class);
		await().until(() -> sharding.owned().size() == 4);
	}

	@Test
	void descriptionsOfInformer_haveItsShare() {
		ConfigurableApplicationContext context = run(Reader.class, EXPOSED);
		await().until(() -> context.getBean(Sharding.class).assigned() != null);
		ShardStatus share = new ShardStatus("shop", Shard.Key.UID, 4, 4);
		assertThat(healthOf(context, "pods").getDetails()).containsEntry("shard", share);
		assertThat(healthOf(context, "nodes").getDetails()).doesNotContainKey("shard");
		InformersEndpoint endpoint = context.getBean(InformersEndpoint.class);
		assertThat(Objects.requireNonNull(endpoint.informer("pods")).shard()).isEqualTo(share);
		assertThat(Objects.requireNonNull(endpoint.informer("nodes")).shard()).isNull();
	}

	@Test
	void manifest_includesTheLeases() {
		assertThat(run(Reader.class, EXPOSED).getBean(InformerRbacEndpoint.class).manifest()).contains("[leases]");
	}

	@Test
	void slots_areAssignedBeforeInformersAreWaitedFor() {
		ConfigurableApplicationContext context = run(AssignedInformers.class);
		assertThat(context.getBean(InformerRegistry.class).hasSynced()).isTrue();
	}

	@Test
	void unknownSlots_areNamedByTimeout() {
		this.kubernetes.faults().always(Verb.LIST, "leases.coordination.k8s.io", Fault.status(500));
		Throwable failure = catchThrowable(() -> run(UnsyncedInformers.class, "--informer.startup.timeout=300ms"));
		assertThat(failure.getCause()).isInstanceOf(SyncTimeoutException.class)
			.hasMessageContaining("'pods' (pods/v1) is LISTING: waiting for the slots of group 'shop'");
		FailureAnalysis analysis = analyze(failure);
		assertThat(analysis.getDescription()).contains("waiting for the slots of group 'shop'");
		assertThat(analysis.getAction()).contains("see the log lines of Sharding 'shop'", "informerSharding");
	}

	@Test
	void unknownSlots_areReasonInHealth() {
		this.kubernetes.faults().always(Verb.LIST, "leases.coordination.k8s.io", Fault.status(500));
		ConfigurableApplicationContext context = run(UnsyncedInformers.class, EXPOSED,
				"--informer.startup.timeout=300ms", "--informer.startup.on-timeout=warn");
		assertThat(healthOf(context, "pods").getDetails())
			.containsEntry("shard", new ShardStatus("shop", Shard.Key.UID, null, 4))
			.containsEntry("reason", "Waiting for the slots of group 'shop', see the health informerSharding, "
					+ "the phase is LISTING");
	}

	@Test
	void missingPermission_isNotWaitedFor() {
		this.kubernetes.faults().always(Verb.LIST, "leases.coordination.k8s.io", Fault.status(403));
		assertThatExceptionOfType(ApplicationContextException.class)
			.isThrownBy(() -> run(UnsyncedInformers.class, "--informer.startup.timeout=60s"))
			.withCauseInstanceOf(MissingLeasePermissionException.class);
	}

	@Test
	void stoppedRegistry_joinsAgainWhenStarted() {
		ConfigurableApplicationContext context = run(AssignedInformers.class);
		Sharding sharding = context.getBean(Sharding.class);
		await().until(() -> sharding.owned().size() == 4);
		context.getBean(InformerRegistry.class).stop();
		assertThat(sharding.owned()).isEmpty();
		context.getBean(InformerRegistry.class).start();
		await().until(() -> sharding.owned().size() == 4);
	}

	@Test
	void disabledSharding_failsStartup() {
		FailureAnalysis analysis = failure("--informer.sharding.enabled=false");
		assertThat(analysis.getDescription()).isEqualTo("Property 'informer.resources.pods.shard.by' cannot be used: "
				+ "the informer caches a share of the objects, but sharding is disabled");
		assertThat(analysis.getAction()).contains("Set informer.sharding.enabled=true");
	}

	@Test
	void namespaceSelector_failsStartup() {
		assertThat(failure("--informer.resources.pods.namespace-selector=team=platform").getDescription())
			.startsWith("Property 'informer.resources.pods.namespace-selector' cannot be used: ")
			.contains("'team=platform'");
	}

	@Test
	void namespaceOfClusterScopedResource_failsStartup() {
		assertThat(failure("--informer.resources.nodes.shard.by=namespace").getDescription())
			.startsWith("Property 'informer.resources.nodes.shard.by' cannot be used: ")
			.contains("cannot be namespace: nodes/v1 is cluster-scoped");
	}

	@Test
	void unknownKey_failsStartup() {
		assertThat(failure("--informer.resources.pods.shard.key=uid").getDescription())
			.startsWith("Unknown properties of informers:")
			.contains("informer.resources.pods.shard.key");
	}

	@Test
	void unknownValue_failsStartup() {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> run(Reader.class, "--informer.resources.pods.shard.by=name"))
			.withStackTraceContaining("Failed to bind properties under 'informer.resources.pods.shard.by'");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"informer.handlers.audit.leader-only=true | it is leader-only | informer.handlers.audit.leader-only=false",
			"informer.handlers.audit.leader=default | it is leader-only | informer.handlers.audit.leader-only=false",
			"informer.resources.pods.handler.queue=keep-all | queue is keep-all | informer.handlers.audit.queue=coalesce" })
	void handlerThatNeedsAllObjects_failsStartup(String property, String reason, String remedy) {
		assertThatExceptionOfType(InvalidHandlerMethodException.class)
			.isThrownBy(() -> run(Audit.class, "--informer.leader.enabled=true", "--" + property))
			.withMessageContaining("Audit")
			.withMessageContaining(reason)
			.withMessageContaining("but its informer 'pods' caches only the objects of the slots of this replica")
			.satisfies((ex) -> assertThat(ex.action()).contains(remedy, "remove informer.resources.pods.shard.by"));
	}

	@Test
	void shardedHandler_isAllowed() {
		ConfigurableApplicationContext context = run(Audit.class, "--informer.handlers.audit.sharded=true");
		assertThat(context.getBean(InformerRegistry.class).findHandler("audit")).isPresent();
	}

	private FailureAnalysis failure(String argument) {
		return analyze(catchThrowable(() -> run(Reader.class, argument)));
	}

	private static Health healthOf(ConfigurableApplicationContext context, String informer) {
		CompositeHealthContributor informers = context.getBean("informersHealthContributor",
				CompositeHealthContributor.class);
		HealthIndicator indicator = (HealthIndicator) Objects.requireNonNull(informers.getContributor(informer));
		return Objects.requireNonNull(indicator.health(true));
	}

	/**
	 * Bean that reads the caches of two informers.
	 *
	 * @param pods the lister of a sharded informer
	 * @param nodes the lister of another informer
	 */
	record Reader(Lister<V1Pod> pods, Lister<V1Node> nodes) {

	}

	static class Audit {

		@InformerHandler(id = "audit")
		void audit(ResourceEvent<V1Pod> event) {
		}

	}

	static class UnsyncedInformers {

		@Bean
		InformerFactory informerFactory() {
			return new TestInformerFactory(false, (informer) -> {
			});
		}

	}

	static class AssignedInformers {

		@Bean
		InformerFactory informerFactory() {
			return new TestInformerFactory(false, (informer) -> {
			});
		}

		@Bean
		ReplicaListener synchronizer(SharedIndexInformer<V1Pod> pods) {
			return (event) -> {
				if (event instanceof SlotsAssigned) {
					((TestInformer<?>) pods).withState(
							new InformerState(Phase.WATCHING, TimeSource.SYSTEM.moment(), null, null, null), true);
				}
			};
		}

	}

}
