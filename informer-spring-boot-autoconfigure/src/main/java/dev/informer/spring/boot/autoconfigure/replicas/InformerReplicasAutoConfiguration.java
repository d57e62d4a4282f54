/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.replicas;

import java.util.List;
import java.util.concurrent.ThreadFactory;

import dev.informer.client.connection.ClusterConnection;
import dev.informer.leader.LeaderElector;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.ReplicaListener;
import dev.informer.replicas.Sharding;
import dev.informer.shard.ShardMember;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.config.InformerProperties;
import dev.informer.spring.config.Replicas;
import io.kubernetes.client.openapi.ApiClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Auto-configuration of leader elections and of the division of objects between replicas.
 * A child context uses the replicas of its parent: they are processes, not contexts.
 */
@AutoConfiguration(before = InformerAutoConfiguration.class)
@Conditional(InformerReplicasAutoConfiguration.OnReplicas.class)
@EnableConfigurationProperties(InformerProperties.class)
public final class InformerReplicasAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Replicas informerReplicas(InformerProperties properties, ObjectProvider<ApiClient> apiClient,
			ObjectProvider<ClusterConnection> connection, Environment environment) {
		ReplicaPropertyMapper mapper = new ReplicaPropertyMapper(properties,
				environment.getProperty("spring.application.name"), () -> connection.getObject().namespace());
		ThreadFactory threads = Threading.VIRTUAL.isActive(environment)
				? new VirtualThreadTaskExecutor().getVirtualThreadFactory()
				: InformerReplicasAutoConfiguration::newDaemonThread;
		List<LeaderElector> electors = mapper.elections()
			.stream()
			.map((options) -> new LeaderElector(options, apiClient::getObject, threads))
			.toList();
		return new Replicas(electors,
				mapper.sharding()
					.map((options) -> new ShardMember(options, apiClient::getObject, threads))
					.orElse(null));
	}

	private static Thread newDaemonThread(Runnable task) {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		return thread;
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty("informer.leader.enabled")
	Leadership informerLeadership(Replicas replicas) {
		return replicas.electors().get(0);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty("informer.sharding.enabled")
	Sharding informerSharding(Replicas replicas) {
		return replicas.member().orElseThrow();
	}

	@Bean
	@Lazy(false)
	SmartInitializingSingleton informerReplicaListeners(Replicas replicas, ObjectProvider<ReplicaListener> listeners) {
		return () -> listeners.orderedStream().forEach((listener) -> {
			replicas.electors().forEach((elector) -> elector.addListener(listener));
			replicas.member().ifPresent((member) -> member.addListener(listener));
		});
	}

	static final class OnReplicas extends AnyNestedCondition {

		OnReplicas() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnBooleanProperty("informer.leader.enabled")
		static final class OnLeader {

		}

		@ConditionalOnBooleanProperty("informer.sharding.enabled")
		static final class OnSharding {

		}

	}

}
