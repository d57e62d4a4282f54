/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.informer.InvalidOptionException;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseDurations;
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

	@Test
	void renewalAfterAnOutage_answersTheFailedRead() {
		this.a.run();
		this.b.run();
		advance(2.1);
		this.b.fail(Failure.UNAVAILABLE);
		assertThat(this.b.election.observe(this.server.leases(), this.now)).isFalse();
		for (int i = 0; i < 10; i++) {
			this.a.run();
			assertThat(this.b.election.observe(this.server.leases(), this.now)).isTrue();
			this.b.run();
			advance(2);
		}
		assertThat(this.b.requests).containsExactly(Purpose.READ, Purpose.READ);
	}

	@Test
	void renewalAfterAMissingRight_provesNothing_andTheLeaseIsReadUntilGranted() {
		this.a.run();
		this.b.run();
		advance(2.5);
		this.b.fail(Failure.OTHER);
		for (int i = 0; i < 10; i++) {
			this.a.run();
			assertThat(this.b.election.observe(this.server.leases(), this.now)).isFalse();
			advance(2.5);
			this.b.fail(Failure.OTHER);
		}
		advance(2.5);
		this.a.run();
		this.b.run();
		assertThat(this.b.requests).hasSize(13).containsOnly(Purpose.READ);
		for (int i = 0; i < 10; i++) {
			advance(2);
			this.a.run();
			assertThat(this.b.election.observe(this.server.leases(), this.now)).isTrue();
			this.b.run();
		}
		assertThat(this.b.requests).hasSize(13);
	}

	@Test
	void leader_isAnsweredByItsOwnRequestsAlone() {
		this.a.run();
		advance(2);
		this.a.fail(Failure.UNAVAILABLE);
		LeaseRecord other = new LeaseRecord("b", 15, this.clock, this.clock, 1);
		assertThat(this.a.election.observe(Map.of("app", other), this.now)).isFalse();
		this.a.run();
		assertThat(this.a.requests).endsWith(Purpose.RENEW, Purpose.RENEW);
	}

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

	@Test
	void identityOfAnotherProcess_laterOneDoesNotLead() {
		Candidate twin = new Candidate("a");
		this.a.run();
		twin.run();
		for (int i = 0; i < 30; i++) {
			advance(2);
			this.a.run();
			twin.run();
			assertThat(this.a.isLeader()).isTrue();
			assertThat(twin.isLeader()).isFalse();
		}
		assertThat(twin.requests).containsOnly(Purpose.READ);
		assertThat(twin.election.problem()).contains("identity 'a'", "give each its own");
		assertThat(this.a.election.problem()).isNull();
	}

	@Test
	void identityOfAnotherProcess_bothStartAtOnce_oneLeads() {
		Candidate twin = new Candidate("a");
		this.a.answer(this.a.due());
		twin.answer(twin.due());
		LeaseRequest first = this.a.due();
		advance(0.001);
		LeaseRequest second = twin.due();
		this.a.answer(first);
		twin.answer(second);
		for (int i = 0; i < 30; i++) {
			advance(2);
			twin.run();
			this.a.run();
			assertThat(this.a.isLeader()).isTrue();
			assertThat(twin.isLeader()).isFalse();
		}
	}

	@Test
	void identityOfAProcessThatIsGone_isTakenOverAfterTheLeaseDuration() {
		this.a.run();
		Candidate next = new Candidate("a");
		next.run();
		advance(14.9);
		next.run();
		assertThat(next.isLeader()).isFalse();
		advance(0.2);
		next.run();
		assertThat(next.token()).isEqualTo(1);
		assertThat(next.election.problem()).isNull();
		// the former one continues after a suspension
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
	}

	@Test
	void renewalThatIsNotItsOwn_endsTheTerm() {
		this.a.run();
		LeaseRecord lease = this.server.current();
		this.server.set(new LeaseRecord("a", 15, lease.acquireTime(), this.clock.plusSeconds(1), 0));
		advance(2);
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
		assertThat(this.a.election.lostBecause())
			.isEqualTo("the Lease was changed, or its identity is used, by another process");
	}

	@Test
	void durationOfHolderThatIsTooLong_isBoundedAndReported() {
		for (int seconds : List.of(301, 86_400, Integer.MAX_VALUE)) {
			Candidate candidate = new Candidate("c" + seconds);
			this.server.set(new LeaseRecord("stranger" + seconds, seconds, this.clock, this.clock, 0));
			candidate.run();
			assertThat(candidate.election.problem()).contains("respects the Lease app for 300 s", seconds + " s");
			advance(299.9);
			candidate.run();
			assertThat(candidate.isLeader()).isFalse();
			advance(0.2);
			candidate.run();
			assertThat(candidate.isLeader()).isTrue();
			assertThat(candidate.election.problem()).isNull();
		}
	}

	@Test
	void boundOfLongOwnDurations_isTenTimesTheOwn() {
		LeaseDurations durations = new LeaseDurations(Duration.ofMinutes(2), Duration.ofMinutes(1),
				Duration.ofSeconds(2));
		LeaseRecord forged = new LeaseRecord("stranger", Integer.MAX_VALUE, null, null, 0);
		assertThat(durations.heldNanos(forged)).isEqualTo(Duration.ofMinutes(20).toNanos());
		LeaseDurations longest = new LeaseDurations(Duration.ofSeconds(Integer.MAX_VALUE), Duration.ofMinutes(1),
				Duration.ofSeconds(2));
		assertThat(longest.heldNanos(forged)).isEqualTo(Duration.ofSeconds(Integer.MAX_VALUE).toNanos());
		assertThat(longest.tooLong("app", forged)).isNull();
	}

	@Test
	void negativeDurationOfHolder_isRespectedForOwnDuration() {
		this.server.set(new LeaseRecord("stranger", -1, null, null, 0));
		this.a.run();
		advance(14.9);
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
		advance(0.2);
		this.a.run();
		assertThat(this.a.isLeader()).isTrue();
	}

	@Test
	void renewTimeAtTheEndOfTime_isNotContinued() {
		Instant end = Instant.parse("9999-12-31T23:59:59.999999Z");
		this.server.set(new LeaseRecord("stranger", 15, end, end, 0));
		this.a.run();
		advance(15);
		this.a.run();
		advance(2);
		this.a.run();
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.server.current().renewTime()).isBefore(Instant.parse("2031-01-01T00:00:00Z"));
	}

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
		assertThat(this.a.election.lostBecause()).isEqualTo("its Lease could not be renewed within 10000 ms");
	}

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

	@Test
	void metadataChangedByOther_isNoLoss() {
		this.a.run();
		this.server.set(this.server.record());
		advance(2);
		this.a.run();
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.a.requests).endsWith(Purpose.RENEW, Purpose.READ, Purpose.RENEW);
	}

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
	void namespaceThatIsNoLabel_isRejected() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> new LeaderElectionOptions("default", "app", "a b", "a", Duration.ofSeconds(15),
					Duration.ofSeconds(10), Duration.ofSeconds(2)))
			.withMessageContaining("but is 'a b'")
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("lease-namespace"));
	}

	@Test
	void contradictingDurations_areRejected() {
		assertInvalid("lease-duration", 10, 10, 2,
				"must be longer than the option 'renew-deadline', which is 10000 ms");
		assertInvalid("renew-deadline", 15, 10, 9, "must be longer than 1.2 times the option 'retry-period'");
		assertInvalid("retry-period", 15, 10, 0, "must be at least 100 ms, but is 0 ms");
		assertInvalid("lease-duration", 1L << 40, 10, 2, "must not be longer than 2147483647 s");
	}

	@Test
	void retryPeriodWithoutUnit_isRejected() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> new LeaderElectionOptions("default", "app", "shop", "a", Duration.ofSeconds(15),
					Duration.ofSeconds(10), Duration.ofMillis(5)))
			.withMessageContaining("must be at least 100 ms, but is 5 ms");
	}

	private static void assertInvalid(String option, long lease, long renew, long retry, String message) {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> new LeaderElectionOptions("default", "app", "shop", "a", Duration.ofSeconds(lease),
					Duration.ofSeconds(renew), Duration.ofSeconds(retry)))
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo(option));
	}

}
