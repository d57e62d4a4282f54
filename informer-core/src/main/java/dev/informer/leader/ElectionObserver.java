/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;

import dev.informer.TimeSource;
import dev.informer.lease.LeaseObserver;
import dev.informer.lease.LeaseRequest.Purpose;
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

	private final Election election;

	private final TimeSource time;

	private @Nullable Term last;

	/** Time at which another process may lead, if work of this one is running. */
	private long overdueAt;

	private boolean overdue;

	ElectionObserver(LeaderElector elector, Election election, TimeSource time) {
		this.elector = elector;
		this.election = election;
		this.time = time;
	}

	@Override
	public void update() {
		Term term = this.election.term();
		this.elector.publish(term, this.election.observed(), this.election.isSettled(this.time.nanoTime()));
		changed(term, this.election.lostBecause());
		reportOverdue();
	}

	@Override
	public void ended() {
		this.elector.publish(null, this.election.observed(), false);
		changed(null, "the election was stopped");
	}

	private void changed(@Nullable Term term, @Nullable String lostBecause) {
		Term previous = this.last;
		this.last = term;
		if (previous != null && (term == null || term.token() != previous.token())) {
			this.overdueAt = previous.renewedAt() + TimeSource.nanos(this.elector.options().leaseDuration());
			this.overdue = this.elector.running() > 0;
			String reason = (lostBecause != null) ? lostBecause : "it has ended";
			logger.info("Election '{}': '{}' is no longer leader: {}", this.elector.election(), this.elector.identity(),
					reason);
			this.elector.notify((listener) -> listener.lost(this.elector, reason));
		}
		if (term != null && (previous == null || term.token() != previous.token())) {
			// leader again before another process could be
			this.overdue = false;
			logger.info("Election '{}': '{}' has become leader, with fencing token {}", this.elector.election(),
					this.elector.identity(), term.token());
			this.elector.notify((listener) -> listener.acquired(this.elector));
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
			this.elector.notify((listener) -> listener.requested(this.elector, duration, success));
		}
	}

}
