/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.informer.Leadership;
import dev.informer.TimeSource;
import dev.informer.lease.LeaseFailure;
import dev.informer.leader.LeaderElectionOptions;
import dev.informer.leader.LeaderElector;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.LeaderElections;
import dev.informer.spring.MissingLeasePermissionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Default {@link LeaderElections}. {@link InformerLifecycle} starts them once the
 * informers have started, and stops them when no handler is running any more.
 */
public final class DefaultLeaderElections implements LeaderElections {

	private static final Logger logger = LoggerFactory.getLogger(DefaultLeaderElections.class);

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
	@Nullable Leadership find(InformerHandlerEndpoint endpoint, LeaderSelection selected) {
		LeaderSelection selection = selected.orElse(LeaderSelection.NONE);
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

	/**
	 * Start the elections, and wait for the first answer of the API server, not for a
	 * leader.
	 * @param timeout the maximum time to wait
	 * @param onTimeout the reaction when a permission is missing
	 * @throws MissingLeasePermissionException if a permission is missing
	 */
	void start(Duration timeout, OnTimeout onTimeout) {
		this.electors.forEach(LeaderElector::start);
		try {
			for (LeaderElector elector : this.electors) {
				elector.awaitAnswer(timeout);
				elector.failure().filter(LeaseFailure::forbidden).ifPresent((failure) -> {
					LeaderElectionOptions options = elector.options();
					MissingLeasePermissionException missing = new MissingLeasePermissionException(failure.message(),
							options.leaseNamespace(), options.leaseName());
					if (onTimeout == OnTimeout.FAIL) {
						throw missing;
					}
					logger.warn("{}; continuing startup", missing.getMessage());
				});
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while starting the leader elections", ex);
		}
	}

	/**
	 * Stop the elections, and release the leadership where no work is running any more.
	 * @param timeout the maximum time to wait for running work
	 */
	void stop(Duration timeout) {
		long deadline = System.nanoTime() + TimeSource.nanos(timeout);
		Consumer<LeaderElector> stop = (elector) -> {
			try {
				elector.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		};
		this.electors.forEach(stop);
	}

}
