/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.util.Map;

import dev.informer.conformance.Conformance;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an {@link Election} whose Lease is released, deleted or created again.
 */
class ElectionReleaseTests extends AbstractElectionTests {

	@Conformance("released only after all work has ended; another process takes over within a second")
	@Test
	void released_isTakenOverAtOnce() {
		this.a.run();
		this.b.run();
		advance(1);
		this.a.election.release(this.now);
		assertThat(this.a.isLeader()).isFalse();
		this.a.run();
		assertThat(this.a.election.isDone()).isTrue();
		assertThat(this.server.current().holder()).isEmpty();
		this.b.election.observe(this.server.leases(), this.now);
		this.b.run();
		assertThat(this.b.token()).isEqualTo(1);
	}

	@Conformance("a write replaces only the Lease that was read")
	@Test
	void releaseOfLeaseThatOtherHolds_writesNothing() {
		this.a.run();
		LeaseRecord other = new LeaseRecord("b", 15, this.clock, this.clock, 5);
		this.server.set(other);
		this.a.election.release(this.now);
		this.a.run();
		assertThat(this.a.election.isDone()).isTrue();
		assertThat(this.server.record()).isEqualTo(other);
	}

	@Test
	void releaseByCandidate_sendsNothing() {
		this.a.run();
		this.b.run();
		this.b.election.release(this.now);
		assertThat(this.b.election.isDone()).isTrue();
		assertThat(this.b.next()).isNull();
	}

	@Test
	void releaseWhileAcquiring_releasesWhatWasAcquired() {
		this.a.answer(this.a.due());
		LeaseRequest acquisition = this.a.due();
		this.a.election.release(this.now);
		this.a.answer(acquisition);
		assertThat(this.a.isLeader()).isFalse();
		this.a.run();
		assertThat(this.a.election.isDone()).isTrue();
		assertThat(this.server.current().holder()).isEmpty();
	}

	@Test
	void releaseConflictsWithOwnLateRenewal_isRepeated() {
		this.a.run();
		advance(2);
		LeaseRequest renewal = this.a.due();
		this.a.election.failed(Failure.OTHER, this.now);
		this.a.election.release(this.now);
		this.server.answer(renewal);
		this.a.run();
		assertThat(this.server.current().holder()).isEmpty();
	}

	@Conformance("deleted Lease")
	@Test
	void deletedLease_isCreatedByItsLeaderAndRespectedByOthers() {
		this.a.run();
		this.b.run();
		this.server.set(null);
		this.b.election.observe(Map.of(), this.now);
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
		this.a.election.observe(Map.of(), this.now);
		this.a.run();
		assertThat(this.a.token()).isZero();
		assertThat(this.server.current().holder()).isEqualTo("a");
	}

	@Conformance("deleted Lease")
	@Test
	void deletedLease_isTakenOverWhenItWouldHaveExpired() {
		this.a.run();
		this.b.run();
		this.server.set(null);
		this.b.election.observe(Map.of(), this.now);
		advance(15);
		this.b.run();
		assertThat(this.b.token()).isEqualTo(1);
	}

	/**
	 * Documented as an exception: the second process cannot know of the first.
	 */
	@Conformance("deleted Lease")
	@Test
	void deletedLease_isAcquiredByAProcessThatHasNotSeenIt() {
		this.a.run();
		this.server.set(null);
		this.b.run();
		assertThat(this.b.isLeader()).isTrue();
		assertThat(this.a.isLeader()).isTrue();
		this.a.election.observe(this.server.leases(), this.now);
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
		assertThat(this.b.isLeader()).isTrue();
	}

	@Conformance("fencing token grows with each term")
	@Test
	void leaseRecreatedWithSmallerTransitions_tokenGrowsAnyway() {
		this.server.set(new LeaseRecord("stranger", 15, this.clock, this.clock, 41));
		this.a.run();
		this.server.set(new LeaseRecord("", 1, this.clock, this.clock, 3));
		this.a.election.observe(this.server.leases(), this.now);
		this.a.run();
		assertThat(this.a.token()).isEqualTo(42);
	}

}
