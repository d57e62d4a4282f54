/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.util.List;
import java.util.Optional;

import dev.informer.replicas.Leadership;

/**
 * Leader elections of the application. The bean exists if {@code informer.leader.enabled}
 * or {@code informer.sharding.enabled} is {@code true}. The default election is also
 * available as the {@link Leadership} bean. Thread-safe.
 */
public interface LeaderElections {

	/** Name of the election that {@code informer.leader} configures. */
	String DEFAULT = "default";

	/**
	 * Return all elections.
	 * @return the elections, the default one first
	 */
	List<Leadership> elections();

	/**
	 * Return an election.
	 * @param name the name, one of those below {@code informer.leader.elections}, or
	 * {@link #DEFAULT}
	 * @return the election; empty if there is none of this name
	 */
	default Optional<Leadership> find(String name) {
		return elections().stream().filter((each) -> each.election().equals(name)).findFirst();
	}

}
