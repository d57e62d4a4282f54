/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two candidates and a server, with simulated clocks.
 */
abstract class AbstractElectionTests {

	final FakeLeaseServer server = new FakeLeaseServer();

	long now = Long.MAX_VALUE - Duration.ofSeconds(7).toNanos();

	Instant clock = Instant.parse("2030-01-01T00:00:00.123456789Z");

	final Candidate a = new Candidate("a");

	final Candidate b = new Candidate("b");

	void advance(double seconds) {
		long nanos = Math.round(seconds * 1e9);
		this.now += nanos;
		this.clock = this.clock.plusNanos(nanos);
	}

	final class Candidate {

		final List<Purpose> requests = new ArrayList<>();

		final Election election;

		Candidate(String identity) {
			this.election = new Election(new LeaderElectionOptions("default", "app", "shop", identity,
					Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)),
					AbstractElectionTests.this.now, () -> 0.5);
		}

		/**
		 * Answer all requests at once.
		 */
		void run() {
			LeaseRequest request;
			while ((request = next()) != null) {
				answer(request);
			}
		}

		@Nullable LeaseRequest next() {
			boolean running = this.election.isRunning();
			LeaseRequest request = this.election.next(AbstractElectionTests.this.now, AbstractElectionTests.this.clock);
			if (request != null && !running) {
				this.requests.add(request.purpose());
			}
			return request;
		}

		LeaseRequest due() {
			return Objects.requireNonNull(next());
		}

		void answer(LeaseRequest request) {
			Lease lease = AbstractElectionTests.this.server.answer(request);
			Failure failure = AbstractElectionTests.this.server.failure();
			if (failure != null) {
				this.election.failed(failure, AbstractElectionTests.this.now);
			}
			else {
				this.election.succeeded(lease, AbstractElectionTests.this.now);
			}
		}

		void fail(Failure failure) {
			if (next() != null) {
				this.election.failed(failure, AbstractElectionTests.this.now);
			}
		}

		boolean isLeader() {
			this.election.expire(AbstractElectionTests.this.now);
			return this.election.term() != null;
		}

		int token() {
			assertThat(isLeader()).isTrue();
			return Objects.requireNonNull(this.election.term()).token();
		}

	}

}
