/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.util.Map;

import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an {@link Election} whose Lease is released, deleted or created again.
 */
class ElectionReleaseTests extends AbstractElectionTests {

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

	@Test
	void transitionsAtTheirMaximum_noProcessLeadsUntilTheyAreReduced() {
		this.server.set(new LeaseRecord("", 1, this.clock, this.clock, Integer.MAX_VALUE));
		for (int i = 0; i < 20; i++) {
			this.a.run();
			this.b.run();
			assertThat(this.a.isLeader()).isFalse();
			assertThat(this.b.isLeader()).isFalse();
			advance(2);
		}
		assertThat(this.a.election.problem()).contains("no fencing token is larger than leaseTransitions 2147483647",
				"Set it to the largest token that was used");
		this.server.set(new LeaseRecord("", 1, this.clock, this.clock, 7));
		this.a.run();
		assertThat(this.a.token()).isEqualTo(8);
		assertThat(this.a.election.problem()).isNull();
	}

	@Test
	void transitionsSetToTheirMaximumWhileLeading_endsTheTerm() {
		this.a.run();
		LeaseRecord lease = this.server.current();
		this.server.set(new LeaseRecord("a", 15, lease.acquireTime(), lease.renewTime(), Integer.MAX_VALUE));
		advance(2);
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
		assertThat(this.a.election.problem()).contains("2147483647");
		this.b.run();
		advance(20);
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
	}

	@Test
	void lastToken_isUsedOnce() {
		this.server.set(new LeaseRecord("", 1, this.clock, this.clock, Integer.MAX_VALUE - 1));
		this.a.run();
		assertThat(this.a.token()).isEqualTo(Integer.MAX_VALUE);
		this.a.election.release(this.now);
		this.a.run();
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
	}

	@Test
	void deletedLease_isRespectedFromWhenItIsMissing() {
		this.a.run();
		this.b.run();
		advance(14);
		// the watch of b has shown no renewal until the deletion
		this.server.set(null);
		this.b.election.observe(Map.of(), this.now);
		advance(14);
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
		advance(1.1);
		this.b.run();
		assertThat(this.b.isLeader()).isTrue();
	}

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
