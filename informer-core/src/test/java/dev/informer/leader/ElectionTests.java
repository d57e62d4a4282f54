/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.informer.InvalidOptionException;
import dev.informer.leader.ElectionRequest.Failure;
import dev.informer.leader.ElectionRequest.Purpose;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Election}.
 */
class ElectionTests {

	private final FakeLeaseServer server = new FakeLeaseServer();

	private long now = Long.MAX_VALUE - Duration.ofSeconds(7).toNanos();

	private Instant clock = Instant.parse("2030-01-01T00:00:00.123456789Z");

	private final Candidate a = new Candidate("a");

	private final Candidate b = new Candidate("b");

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
		assertThat(this.server.record().transitions()).isZero();
		assertThat(Duration.between(this.server.record().acquireTime(), this.server.record().renewTime()))
			.isEqualTo(Duration.ofSeconds(40));
	}

	@Test
	void heldLease_isTakenOverAfterItsDurationWithoutChange() {
		this.a.run();
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
		advance(14.999);
		this.b.run();
		assertThat(this.b.requests).containsExactly(Purpose.READ);
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
			this.b.election.observe(this.server.record(), this.now);
			this.b.run();
		}
		assertThat(this.b.requests).containsExactly(Purpose.READ);
		assertThat(this.a.isLeader()).isTrue();
	}

	@Test
	void watchIsSilent_renewedLeaseIsNotTakenOver() {
		this.a.run();
		this.b.run();
		for (int i = 0; i < 30; i++) {
			advance(2);
			this.a.run();
			this.b.run();
		}
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.b.isLeader()).isFalse();
		assertThat(this.b.requests).containsOnly(Purpose.READ).hasSizeLessThan(6);
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
	void wallClock_doesNotMatter() {
		this.a.run();
		this.b.run();
		this.clock = this.clock.plus(Duration.ofHours(1));
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
		this.clock = this.clock.minus(Duration.ofHours(2));
		for (int i = 0; i < 20; i++) {
			Instant before = this.server.record().renewTime();
			advance(2);
			this.clock = this.clock.minus(Duration.ofSeconds(2));
			this.a.run();
			assertThat(this.server.record().renewTime()).isAfter(before);
			this.b.election.observe(this.server.record(), this.now);
			this.b.run();
		}
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.b.isLeader()).isFalse();
	}

	@Test
	void requestsFail_termEndsAtRenewDeadlineAfterLastSuccessWasSent() {
		this.a.run();
		advance(2);
		ElectionRequest renewal = this.a.next();
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

	@Test
	void answerAfterDeadline_doesNotExtendTheTerm() {
		this.a.run();
		advance(9);
		ElectionRequest renewal = this.a.next();
		assertThat(renewal.purpose()).isEqualTo(Purpose.RENEW);
		advance(1.5);
		this.a.answer(renewal);
		assertThat(this.a.isLeader()).isFalse();
		this.a.run();
		assertThat(this.a.token()).isEqualTo(1);
	}

	@Test
	void acquisitionAnsweredAfterDeadline_isRenewedFirst() {
		ElectionRequest read = this.a.next();
		this.a.answer(read);
		ElectionRequest acquisition = this.a.next();
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
		ElectionRequest renewal = this.a.next();
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
		this.a.election.observe(other, this.now);
		this.a.run();
		assertThat(this.a.isLeader()).isFalse();
		assertThat(this.a.election.lostBecause()).isEqualTo("the Lease is held by b");
	}

	@Test
	void staleWatch_costsALeaderOneRenewal() {
		this.a.run();
		this.a.election.observe(new LeaseRecord("old", 15, this.clock, this.clock, 0), this.now);
		this.a.run();
		assertThat(this.a.isLeader()).isTrue();
		assertThat(this.a.requests).containsExactly(Purpose.READ, Purpose.ACQUIRE, Purpose.RENEW);
	}

	@Test
	void released_isTakenOverAtOnce() {
		this.a.run();
		this.b.run();
		advance(1);
		this.a.election.release(this.now);
		assertThat(this.a.isLeader()).isFalse();
		this.a.run();
		assertThat(this.a.election.isDone()).isTrue();
		assertThat(this.server.record().holder()).isEmpty();
		this.b.election.observe(this.server.record(), this.now);
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
		this.a.answer(this.a.next());
		ElectionRequest acquisition = this.a.next();
		this.a.election.release(this.now);
		this.a.answer(acquisition);
		assertThat(this.a.isLeader()).isFalse();
		this.a.run();
		assertThat(this.a.election.isDone()).isTrue();
		assertThat(this.server.record().holder()).isEmpty();
	}

	@Test
	void releaseConflictsWithOwnLateRenewal_isRepeated() {
		this.a.run();
		advance(2);
		ElectionRequest renewal = this.a.next();
		this.a.election.failed(Failure.OTHER, this.now);
		this.a.election.release(this.now);
		this.server.answer(renewal);
		this.a.run();
		assertThat(this.server.record().holder()).isEmpty();
	}

	@Test
	void deletedLease_isCreatedByItsLeaderAndRespectedByOthers() {
		this.a.run();
		this.b.run();
		this.server.set(null);
		this.b.election.observe(null, this.now);
		this.b.run();
		assertThat(this.b.isLeader()).isFalse();
		this.a.election.observe(null, this.now);
		this.a.run();
		assertThat(this.a.token()).isZero();
		assertThat(this.server.record().holder()).isEqualTo("a");
	}

	@Test
	void deletedLease_isTakenOverWhenItWouldHaveExpired() {
		this.a.run();
		this.b.run();
		this.server.set(null);
		this.b.election.observe(null, this.now);
		advance(15);
		this.b.run();
		assertThat(this.b.token()).isEqualTo(1);
	}

	@Test
	void leaseRecreatedWithSmallerTransitions_tokenGrowsAnyway() {
		this.server.set(new LeaseRecord("stranger", 15, this.clock, this.clock, 41));
		this.a.run();
		this.server.set(new LeaseRecord("", 1, this.clock, this.clock, 3));
		this.a.election.observe(this.server.record(), this.now);
		this.a.run();
		assertThat(this.a.token()).isEqualTo(42);
	}

	@Test
	void conflictOfCandidates_loserWaits() {
		this.a.answer(this.a.next());
		this.b.answer(this.b.next());
		ElectionRequest first = this.a.next();
		ElectionRequest second = this.b.next();
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

	private void advance(double seconds) {
		long nanos = Math.round(seconds * 1e9);
		this.now += nanos;
		this.clock = this.clock.plusNanos(nanos);
	}

	private final class Candidate {

		private final List<Purpose> requests = new ArrayList<>();

		private final Election election;

		Candidate(String identity) {
			this.election = new Election(new LeaderElectionOptions("default", "app", "shop", identity,
					Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)), ElectionTests.this.now,
					() -> 0.5);
		}

		/**
		 * Answer all requests at once.
		 */
		void run() {
			ElectionRequest request;
			while ((request = next()) != null) {
				answer(request);
			}
		}

		@Nullable ElectionRequest next() {
			boolean running = this.election.isRunning();
			ElectionRequest request = this.election.next(ElectionTests.this.now, ElectionTests.this.clock);
			if (request != null && !running) {
				this.requests.add(request.purpose());
			}
			return request;
		}

		void answer(ElectionRequest request) {
			Lease lease = ElectionTests.this.server.answer(request);
			Failure failure = ElectionTests.this.server.failure();
			if (failure != null) {
				this.election.failed(failure, ElectionTests.this.now);
			}
			else {
				this.election.succeeded(lease, ElectionTests.this.now);
			}
		}

		void fail(Failure failure) {
			if (next() != null) {
				this.election.failed(failure, ElectionTests.this.now);
			}
		}

		boolean isLeader() {
			this.election.expire(ElectionTests.this.now);
			return this.election.term() != null;
		}

		int token() {
			assertThat(isLeader()).isTrue();
			return this.election.term().token();
		}

	}

}
