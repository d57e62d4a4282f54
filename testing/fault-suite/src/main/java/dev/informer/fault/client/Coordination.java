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
	LEADER("leader", "leader-only", "lease-name"),

	/** Each replica invokes the handlers for the objects of its slots. */
	SHARDING("sharding", "sharded", "group");

	private static final List<String> HANDLERS = List.of("quick", "slow", "stubborn");

	private final String prefix;

	private final String option;

	private final String name;

	Coordination(String prefix, String option, String name) {
		this.prefix = "--informer." + prefix + ".";
		this.option = option;
		this.name = name;
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
		return properties;
	}

}
