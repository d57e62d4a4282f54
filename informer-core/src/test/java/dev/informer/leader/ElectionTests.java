/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.informer.InvalidOptionException;
import dev.informer.conformance.Conformance;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Election}.
 */
class ElectionTests extends AbstractElectionTests {

	@Test
	void noLease_isCreatedInMicroseconds() {
		this.a.run();
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.a.requests).containsExactly(Purpose.READ, Purpose.ACQUIRE);
		Instant micros = Instant.parse("2030-01-01T00:00:00.123456Z");
		assertThat(this.server.record()).isEqualTo(new LeaseRecord("a", 15, micros, micros, 0));
	}

	@Test
	void leader_renewsEachRetryPeriodWithoutReading() {
		this.a.run();
		for (int i = 0; i < 20; i++) {
			advance(2);
			this.a.run();
		}
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.a.requests).hasSize(22).endsWith(Purpose.RENEW);
		assertThat(this.server.current().transitions()).isZero();
		assertThat(Duration.between(this.server.current().acquireTime(), this.server.current().renewTime()))
			.isEqualTo(Duration.ofSeconds(40));
	}

	@Conformance("a held Lease is taken over once it was not changed for its duration")
	@Test
	void heldLease_isTakenOverAfterItsDurationWithoutChange() {
		this.a.run();
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
		advance(14.999);
		this.b.run();
		assertThat(this.b.requests).containsExactly(Purpose.READ, Purpose.READ);
		advance(0.002);
		this.b.run();
		assertThat(this.b.isLeader()).isTrue();
		assertThat(this.b.token()).isEqualTo(1);
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
	}

	@Conformance("a held Lease is taken over once it was not changed for its duration")
	@Test
	void renewedLease_isObservedFromEachChange() {
		this.a.run();
		this.b.run();
		for (int i = 0; i < 30; i++) {
			advance(2);
			this.a.run();
			this.b.election.observe(this.server.leases(), this.now);
			this.b.run();
		}
		assertThat(this.b.requests).containsExactly(Purpose.READ);
		assertThat(this.a.isLeader()).isTrue();
	}

	@Conformance("a held Lease is taken over once it was not changed for its duration")
	@Test
	void watchIsSilent_renewedLeaseIsReadEachRetryPeriodAndNotTakenOver() {
		this.a.run();
		this.b.run();
		for (int i = 0; i < 30; i++) {
			advance(2);
			this.a.run();
			this.b.run();
		}
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.b.isLeader()).isFalse();
		assertThat(this.b.requests).containsOnly(Purpose.READ).hasSize(31);
	}

	@Conformance("a held Lease is taken over in time although the watch shows no renewals")
	@Test
	void watchIsSilent_leaseOfEndedLeaderIsTakenOverAfterDurationAndRetryPeriod() {
		this.a.run();
		this.b.run();
		for (int i = 0; i < 50; i++) {
			advance(0.1);
			this.a.run();
			this.b.run();
		}
		for (int i = 0; i < 172; i++) {
			advance(0.1);
			this.b.run();
		}
		assertThat(this.b.isLeader()).isTrue();
	}

	@Conformance("a held Lease is taken over in time although a read is answered late")
	@Test
	void readAnsweredAfterTheWatchHasShownARenewal_doesNotPostponeTheTakeover() {
		this.a.run();
		LeaseRequest read = this.b.due();
		Lease answer = this.server.answer(read);
		advance(2);
		this.a.run();
		this.b.election.observe(this.server.leases(), this.now);
		advance(0.1);
		this.b.election.succeeded(answer, this.now);
		this.b.run();
		advance(14.95);
		this.b.run();
		assertThat(this.b.isLeader()).isTrue();
	}

	@Conformance("a held Lease is taken over in time although a read is answered late")
	@Test
	void readAnsweredAfterTheWatchHasShownTheRelease_isRepeated() {
		this.a.run();
		LeaseRequest read = this.b.due();
		Lease answer = this.server.answer(read);
		advance(0.1);
		this.a.election.release(this.now);
		this.a.run();
		this.b.election.observe(this.server.leases(), this.now);
		advance(0.1);
		this.b.election.succeeded(answer, this.now);
		this.b.run();
		assertThat(this.b.isLeader()).isTrue();
		assertThat(this.b.requests).containsExactly(Purpose.READ, Purpose.READ, Purpose.ACQUIRE);
	}

	@Conformance("a write replaces only the Lease that was read")
	@Test
	void releaseShownByTheWatchAfterTheNextTermWasRead_isNoReasonToAcquire() {
		this.a.run();
		LeaseRecord released = new LeaseRecord("", 1, this.clock, this.clock, 0);
		LeaseRequest read = this.b.due();
		Lease answer = this.server.answer(read);
		advance(0.1);
		this.b.election.observe(Map.of("app", released), this.now);
		this.b.election.succeeded(answer, this.now);
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
		assertThat(this.b.requests).containsExactly(Purpose.READ, Purpose.READ);
	}

	@Conformance("a held Lease is taken over once it was not changed for its duration")
	@Test
	void durationOfHolder_isRespected() {
		this.server.set(new LeaseRecord("stranger", 60, this.clock, this.clock, 41));
		this.a.run();
		advance(59.9);
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
		advance(0.2);
		this.a.run();
		assertThat(this.a.token()).isEqualTo(42);
	}

	@Conformance("a held Lease is taken over once it was not changed for its duration")
	@Test
	void holderWithoutDuration_isRespectedForOwnDuration() {
		this.server.set(new LeaseRecord("stranger", 0, null, null, 0));
		this.a.run();
		advance(14.9);
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
		advance(0.2);
		this.a.run();
		assertThat(this.a.isLeader()).isTrue();
	}

	@Conformance("wall clocks that differ and jump")
	@Test
	void wallClock_doesNotMatter() {
		this.a.run();
		this.b.run();
		this.clock = this.clock.plus(Duration.ofHours(1));
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
		this.clock = this.clock.minus(Duration.ofHours(2));
		for (int i = 0; i < 20; i++) {
			Instant before = this.server.current().renewTime();
			advance(2);
			this.clock = this.clock.minus(Duration.ofSeconds(2));
			this.a.run();
			assertThat(this.server.current().renewTime()).isAfter(before);
			this.b.election.observe(this.server.leases(), this.now);
			this.b.run();
		}
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.b.isLeader()).isFalse();
	}

	@Conformance("monotonic clocks whose rates differ by less than a third")
	@Test
	void clockOfLeaderIsSlowerByLessThanAThird_termEndsBeforeTheTakeover() {
		this.a.run();
		long began = this.now;
		this.b.run();
		advance(15);
		this.b.run();
		assertThat(this.b.isLeader()).isTrue();
		this.a.election.expire(began + Math.round(15e9 * 0.66));
		assertThat(this.a.election.term()).as("documented as an exception").isNotNull();
		this.a.election.expire(began + Math.round(15e9 * 0.67));
		assertThat(this.a.election.term()).isNull();
	}

	@Conformance("a term ends at the renew deadline after the last successful renewal was sent")
	@Test
	void requestsFail_termEndsAtRenewDeadlineAfterLastSuccessWasSent() {
		this.a.run();
		advance(2);
		LeaseRequest renewal = this.a.due();
		advance(3);
		this.a.answer(renewal);
		for (int i = 0; i < 30; i++) {
			this.a.fail(Failure.OTHER);
			advance(0.2);
		}
		advance(0.999);
		this.a.fail(Failure.OTHER);
		assertThat(this.a.isLeader()).isTrue();
		advance(0.002);
		assertThat(this.a.isLeader()).isFalse();
		assertThat(this.a.election.lostBecause()).isEqualTo("it could not be renewed within 10000 ms");
	}

	@Conformance("a term ends at the renew deadline after the last successful renewal was sent")
	@Test
	void answerAfterDeadline_doesNotExtendTheTerm() {
		this.a.run();
		advance(9);
		LeaseRequest renewal = this.a.due();
		assertThat(renewal.purpose()).isEqualTo(Purpose.RENEW);
		advance(1.5);
		this.a.answer(renewal);
		assertThat(this.a.isLeader()).isFalse();
		this.a.run();
		assertThat(this.a.token()).isEqualTo(1);
	}

	@Conformance("a term ends at the renew deadline after the last successful renewal was sent")
	@Test
	void acquisitionAnsweredAfterDeadline_isRenewedFirst() {
		LeaseRequest read = this.a.due();
		this.a.answer(read);
		LeaseRequest acquisition = this.a.due();
		assertThat(acquisition.purpose()).isEqualTo(Purpose.ACQUIRE);
		advance(10);
		this.a.answer(acquisition);
		assertThat(this.a.isLeader()).isFalse();
		this.a.run();
		assertThat(this.a.token()).isEqualTo(1);
	}

	@Conformance("a write replaces only the Lease that was read")
	@Test
	void lostAnswer_isFoundOutByConflict() {
		this.a.run();
		advance(2);
		LeaseRequest renewal = this.a.due();
		this.server.answer(renewal);
		this.a.election.failed(Failure.OTHER, this.now);
		advance(2.5);
		this.a.run();
		assertThat(this.a.requests).containsExactly(Purpose.READ, Purpose.ACQUIRE, Purpose.RENEW, Purpose.RENEW,
				Purpose.READ, Purpose.RENEW);
		assertThat(this.a.token()).isZero();
	}

	@Conformance("a write replaces only the Lease that was read")
	@Test
	void metadataChangedByOther_isNoLoss() {
		this.a.run();
		this.server.set(this.server.record());
		advance(2);
		this.a.run();
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.a.requests).endsWith(Purpose.RENEW, Purpose.READ, Purpose.RENEW);
	}

	@Conformance("a Lease that names another holder ends the term at once")
	@Test
	void holderReplaced_isLostAtOnce() {
		this.a.run();
		LeaseRecord other = new LeaseRecord("b", 15, this.clock, this.clock, 5);
		this.server.set(other);
		this.a.election.observe(Map.of("app", other), this.now);
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
		assertThat(this.a.election.lostBecause()).isEqualTo("the Lease is held by b");
	}

	@Test
	void staleWatch_costsALeaderOneRenewal() {
		this.a.run();
		this.a.election.observe(Map.of("app", new LeaseRecord("old", 15, this.clock, this.clock, 0)), this.now);
		this.a.run();
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.a.requests).containsExactly(Purpose.READ, Purpose.ACQUIRE, Purpose.RENEW);
	}

	@Conformance("a write replaces only the Lease that was read")
	@Test
	void conflictOfCandidates_loserWaits() {
		this.a.answer(this.a.due());
		this.b.answer(this.b.due());
		LeaseRequest first = this.a.due();
		LeaseRequest second = this.b.due();
		this.a.answer(first);
		this.b.answer(second);
		this.b.run();
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.b.isLeader()).isFalse();
		assertThat(this.b.requests).endsWith(Purpose.ACQUIRE, Purpose.READ);
		assertThat(this.b.election.isSettled(this.now)).isTrue();
	}

	@Test
	void failures_areRepeatedAfterRetryPeriodWithJitter() {
		this.a.fail(Failure.OTHER);
		assertThat(this.a.election.nanosToNext(this.now)).isEqualTo(Duration.ofMillis(2200).toNanos());
		advance(2.2);
		this.a.run();
		assertThat(this.a.isLeader()).isTrue();
	}

	@Test
	void durationWithFraction_isRoundedUpInTheLease() {
		assertThat(new LeaderElectionOptions("default", "app", "shop", "a", Duration.ofMillis(1001),
				Duration.ofMillis(1000), Duration.ofMillis(200))
			.durations()
			.leaseSeconds()).isEqualTo(2);
		assertThat(new LeaderElectionOptions("default", "app", "shop", "a", Duration.ofSeconds(2),
				Duration.ofMillis(1000), Duration.ofMillis(200))
			.durations()
			.leaseSeconds()).isEqualTo(2);
	}

	@Test
	void contradictingDurations_areRejected() {
		assertInvalid("lease-duration", 10, 10, 2,
				"must be longer than the option 'renew-deadline', which is 10000 ms");
		assertInvalid("renew-deadline", 15, 10, 9, "must be longer than 1.2 times the option 'retry-period'");
		assertInvalid("retry-period", 15, 10, 0, "must be positive");
		assertInvalid("lease-duration", 1L << 40, 10, 2, "must not be longer than 2147483647 s");
	}

	private static void assertInvalid(String option, long lease, long renew, long retry, String message) {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> new LeaderElectionOptions("default", "app", "shop", "a", Duration.ofSeconds(lease),
					Duration.ofSeconds(renew), Duration.ofSeconds(retry)))
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo(option));
	}

}
