/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.fault.server.Cluster;

/**
 * Way in which replicas share the invocations of their handlers.
 */
public enum Coordination {

	/** The leader invokes the handlers. */
	LEADER("leader", "leader-only", "lease-name", ReplicaApplication.class),

	/**
	 * Each replica invokes the handlers for the objects of its slots, and caches only
	 * these objects of one resource.
	 */
	SHARDING("sharding", "sharded", "group", ShardedReplicaApplication.class,
			"--informer.resources.secrets.shard.by=uid",
			"--informer.resources.secrets.namespaces=" + Cluster.NAMESPACE);

	private static final List<String> HANDLERS = List.of("quick", "slow", "stubborn");

	private final String prefix;

	private final String option;

	private final String name;

	private final Class<?> application;

	private final List<String> others;

	Coordination(String prefix, String option, String name, Class<?> application, String... others) {
		this.prefix = "--informer." + prefix + ".";
		this.option = option;
		this.name = name;
		this.application = application;
		this.others = List.of(others);
	}

	/**
	 * Return the class of the application of a replica.
	 */
	Class<?> application() {
		return this.application;
	}

	/**
	 * Return the properties of a replica.
	 */
	List<String> properties(ReplicaDurations durations) {
		List<String> properties = new ArrayList<>(durations.properties(this.prefix));
		Stream.of("enabled=true", this.name + "=" + Cluster.LEASE, "lease-namespace=" + Cluster.NAMESPACE)
			.map(this.prefix::concat)
			.forEach(properties::add);
		HANDLERS.forEach((handler) -> properties.add("--informer.handlers." + handler + "." + this.option + "=true"));
		properties.addAll(this.others);
		return properties;
	}

}
