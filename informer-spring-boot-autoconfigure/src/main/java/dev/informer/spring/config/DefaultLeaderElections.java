/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;

import dev.informer.Leadership;
import dev.informer.leader.LeaderElector;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.LeaderElections;
import org.jspecify.annotations.Nullable;

/**
 * Default {@link LeaderElections}.
 */
public final class DefaultLeaderElections implements LeaderElections {

	private final List<LeaderElector> electors;

	private final List<Leadership> inherited;

	/**
	 * Create elections.
	 * @param electors the elections of this context
	 * @param inherited the elections of the parent context
	 */
	public DefaultLeaderElections(List<LeaderElector> electors, List<Leadership> inherited) {
		this.electors = List.copyOf(electors);
		this.inherited = List.copyOf(inherited);
	}

	@Override
	public List<Leadership> elections() {
		return this.electors.isEmpty() ? this.inherited : List.copyOf(this.electors);
	}

	/**
	 * Return the elections of this context.
	 * @return the elections
	 */
	public List<LeaderElector> electors() {
		return this.electors;
	}

	/**
	 * Find the election that a handler selects.
	 * @return the leadership; {@code null} if every replica invokes the handler
	 * @throws InvalidHandlerMethodException if there is no such election
	 */
	@Nullable Leadership find(InformerHandlerEndpoint endpoint, ReplicaSelection selection) {
		if (!Boolean.TRUE.equals(selection.leaderOnly())) {
			return null;
		}
		String name = (selection.election() != null) ? selection.election() : DEFAULT;
		List<String> names = elections().stream().map(Leadership::election).toList();
		return find(name).orElseThrow(() -> names.isEmpty()
				? endpoint.method()
					.invalid("it is leader-only, but leader election is disabled",
							"Set informer.leader.enabled=true, or let every replica invoke it: remove leaderOnly and "
									+ "leader, and the properties informer.handlers." + endpoint.id()
									+ ".leader-only and .leader.")
				: endpoint.method()
					.invalid(
							"it is invoked by the leader of the election '" + name + "', but the elections are "
									+ names,
							"Declare the election by informer.leader.elections." + name
									+ ".lease-name, or name another one."));
	}

}
