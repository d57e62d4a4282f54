/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseObserver;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.replicas.ReplicaEvent.LeadershipAcquired;
import dev.informer.replicas.ReplicaEvent.LeadershipLost;
import dev.informer.replicas.ReplicaEvent.Requested;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observer that publishes the state of an {@link Election}, and logs and reports its
 * changes. Confined to the thread of its run.
 */
final class ElectionObserver implements LeaseObserver {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	private final LeaderElector elector;

	private final LeaderElector.Standing standing;

	private final Election election;

	private final TimeSource time;

	private @Nullable Term last;

	/** Time at which another process may lead, if work of this one is running. */
	private long overdueAt;

	private boolean overdue;

	ElectionObserver(LeaderElector elector, LeaderElector.Standing standing, Election election, TimeSource time) {
		this.elector = elector;
		this.standing = standing;
		this.election = election;
		this.time = time;
	}

	@Override
	public void update() {
		Term term = this.election.term();
		this.standing.publish(term, this.election.observed(), this.election.isSettled(this.time.nanoTime()));
		changed(term, this.election.lostBecause());
		reportOverdue();
	}

	@Override
	public void ended() {
		this.standing.publish(null, this.election.observed(), false);
		changed(null, "the election was stopped");
	}

	private void changed(@Nullable Term term, @Nullable String lostBecause) {
		Term previous = this.last;
		boolean sameTerm = previous != null && term != null && term.token() == previous.token();
		Term lost = sameTerm ? null : previous;
		Term acquired = sameTerm ? null : term;
		this.last = term;
		String reason = (lostBecause != null) ? lostBecause : "it has ended";
		if (lost != null) {
			this.overdueAt = lost.renewedAt() + TimeSource.nanos(this.elector.options().leaseDuration());
			this.overdue = this.elector.running() > 0;
		}
		if (acquired != null) {
			// leader again before another process could be
			this.overdue = false;
		}
		// the log last: it may throw
		if (lost != null) {
			this.elector.notify(new LeadershipLost(this.elector, reason));
		}
		if (acquired != null) {
			this.elector.notify(new LeadershipAcquired(this.elector));
		}
		if (lost != null) {
			logger.info("Election '{}': '{}' is no longer leader: {}", this.elector.election(), this.elector.identity(),
					reason);
		}
		if (acquired != null) {
			logger.info("Election '{}': '{}' has become leader, with fencing token {}", this.elector.election(),
					this.elector.identity(), acquired.token());
		}
	}

	/**
	 * Report work that has ignored its interrupt until another process may lead.
	 */
	private void reportOverdue() {
		if (this.overdue && this.time.nanoTime() - this.overdueAt >= 0) {
			this.overdue = false;
			int left = this.elector.running();
			if (left > 0) {
				logger.error("Election '{}': {} invocations that began as leader ignore their interrupt, while "
						+ "another process may be leader", this.elector.election(), left);
			}
		}
	}

	@Override
	public long nanosToNext(long now) {
		return this.overdue ? Math.max(0, this.overdueAt - now) : Long.MAX_VALUE;
	}

	@Override
	public void requested(Purpose purpose, Duration duration, boolean success) {
		if (purpose != Purpose.READ) {
			this.elector.notify(new Requested(this.elector, duration, success));
		}
	}

}
