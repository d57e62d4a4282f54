/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseParticipant;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.Term;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.ReplicaEvent.LeadershipAcquired;
import dev.informer.replicas.ReplicaEvent.LeadershipLost;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Participation of this process in a leader election. Can be started again after a stop.
 * Thread-safe.
 */
public final class LeaderElector extends LeaseParticipant implements Leadership {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	private final LeaderElectionOptions options;

	/** Number of pieces of work that have begun and not ended. */
	private final AtomicInteger running = new AtomicInteger();

	private volatile Standing standing;

	/**
	 * Create a participation, which does nothing until it is started.
	 * @param options the options of the election
	 * @param apiClient the supplier of the client of the API server
	 * @param threads the factory of the threads, whose names are set
	 */
	public LeaderElector(LeaderElectionOptions options, Supplier<ApiClient> apiClient, ThreadFactory threads) {
		super("Election '" + options.name() + "'", "invocations that began as leader",
				Map.of("election", options.name()), options.location(), apiClient, threads);
		this.options = options;
		this.standing = new Standing(options, null);
	}

	/**
	 * Return the options.
	 * @return the options
	 */
	public LeaderElectionOptions options() {
		return this.options;
	}

	@Override
	public String election() {
		return this.options.name();
	}

	@Override
	public String identity() {
		return this.options.identity();
	}

	@Override
	public boolean isLeader() {
		return currentTerm() != null;
	}

	private @Nullable Term currentTerm() {
		Term current = this.standing.term();
		return (current != null && permitsWork(current.renewedAt())) ? current : null;
	}

	@Override
	public OptionalInt fencingToken() {
		Term current = currentTerm();
		return (current != null) ? OptionalInt.of(current.token()) : OptionalInt.empty();
	}

	@Override
	public Optional<String> leader() {
		LeaseRecord record = this.standing.observed;
		if (record == null || record.holder().isEmpty()) {
			return Optional.empty();
		}
		return Optional.of(record.isHeldBy(identity()) ? identity() : record.printedHolder());
	}

	/**
	 * Return the number of transitions of the Lease, as far as this process has observed.
	 * @return the number; empty if this process has not seen the Lease
	 */
	public OptionalInt transitions() {
		LeaseRecord record = this.standing.observed;
		return (record != null) ? OptionalInt.of(record.transitions()) : OptionalInt.empty();
	}

	@Override
	public boolean begin() {
		// first, so that a stop either sees the work or prevents it
		this.running.incrementAndGet();
		boolean permitted = isLeader();
		if (!permitted) {
			end();
		}
		return permitted;
	}

	@Override
	public void end() {
		if (this.running.decrementAndGet() == 0) {
			workEnded(false);
		}
	}

	@Override
	protected int running() {
		return this.running.get();
	}

	@Override
	protected State newState() {
		Standing next = new Standing(this.options, this.standing.observed);
		this.standing = next;
		logger.info("Election '{}' started as '{}', by Lease {}/{}", election(), identity(),
				this.options.leaseNamespace(), this.options.leaseName());
		return next;
	}

	/**
	 * State of a run, and what it had observed before.
	 */
	private final class Standing extends State {

		private final Election election;

		private volatile @Nullable LeaseRecord observed;

		Standing(LeaderElectionOptions options, @Nullable LeaseRecord observed) {
			this.election = new Election(options, TimeSource.SYSTEM.nanoTime(),
					() -> ThreadLocalRandom.current().nextDouble());
			this.observed = observed;
		}

		@Override
		protected Election protocol() {
			return this.election;
		}

		@Override
		protected void publish(@Nullable Term lost, @Nullable Term acquired, String lostBecause) {
			this.observed = this.election.observed();
			if (lost != null) {
				lost(lost.renewedAt(), LeaderElector.this::running);
				LeaderElector.this.notify(new LeadershipLost(LeaderElector.this, lostBecause));
				logger.info("Election '{}': '{}' is no longer leader: {}", election(), identity(), lostBecause);
			}
			if (acquired != null) {
				regained();
				LeaderElector.this.notify(new LeadershipAcquired(LeaderElector.this));
				logger.info("Election '{}': '{}' has become leader, with fencing token {}", election(), identity(),
						acquired.token());
			}
		}

		@Override
		protected void logOverdue(int count) {
			logger.error("Election '{}': {} invocations that began as leader ignore their interrupt, while another "
					+ "process may be leader", election(), count);
		}

	}

}
