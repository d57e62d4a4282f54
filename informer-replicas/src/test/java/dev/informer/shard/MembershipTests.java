/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Instant;

import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest.Purpose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Membership}: division of the slots, with simulated clocks.
 */
class MembershipTests extends AbstractMembershipTests {

	@Test
	void firstMember_ownsAllSlotsOnceItHasSeenItsClaim() {
		this.a.answerAll();
		assertThat(this.a.owned()).isZero();
		this.a.observe();
		this.a.answerAll();
		assertThat(this.a.owned()).isZero();
		this.a.observe();
		this.a.answerAll();
		assertThat(this.a.owned()).isEqualTo(8);
		assertThat(this.a.requests).containsExactly(Purpose.READ, Purpose.ACQUIRE, Purpose.RENEW);
	}

	@Test
	void secondMember_receivesSlotsAfterTheirWorkHasEnded() {
		settle();
		this.b.answerAll();
		int busy = this.a.membership.owned().nextSetBit(0);
		for (int slot = 0; slot < 8; slot++) {
			this.a.busy.set(slot);
		}
		settle();
		assertThat(this.a.owned()).isLessThan(8);
		assertThat(this.b.owned()).isZero();
		this.a.busy.clear();
		this.a.busy.set(busy);
		settle();
		this.a.busy.clear();
		settle();
		assertThat(this.a.owned() + this.b.owned()).isEqualTo(8);
		assertThat(this.b.owned()).isBetween(3, 5);
		assertThat(this.a.membership.owned().intersects(this.b.membership.owned())).isFalse();
		assertThat(this.a.membership.identitiesOfOthers()).containsExactly("b");
	}

	@Test
	void memberThatLeaves_isReplacedAtOnceAndItsLeaseIsDeletedLater() {
		settle();
		this.b.answerAll();
		settle();
		this.b.membership.release(this.now);
		this.b.answerAll();
		assertThat(this.b.membership.isDone()).isTrue();
		assertThat(this.b.requests).endsWith(Purpose.RELEASE);
		settle();
		assertThat(this.a.owned()).isEqualTo(8);
		for (int second = 0; second < 40; second += 2) {
			advance(2);
			settle();
		}
		assertThat(this.server.view()).containsOnlyKeys(this.a.name());
	}

	@Test
	void memberThatIsGone_isReplacedAfterItsLeaseDuration() {
		settle();
		this.b.answerAll();
		settle();
		int own = this.a.owned();
		for (int second = 0; second < 14; second += 2) {
			advance(2);
			this.a.answerAll();
			this.a.observe();
			assertThat(this.a.owned()).isEqualTo(own);
		}
		for (int i = 0; i < 4; i++) {
			advance(2);
			this.a.answerAll();
			this.a.observe();
		}
		assertThat(this.a.owned()).isEqualTo(8);
	}

	@Test
	void watchThatStandsStill_isNoReasonToTakeSlotsOver() {
		settle();
		this.b.answerAll();
		settle();
		int own = this.a.owned();
		for (int second = 0; second < 14; second += 2) {
			advance(2);
			this.a.answerAll();
			this.b.answerAll();
			assertThat(this.a.owned()).isEqualTo(own);
			assertThat(this.a.membership.identitiesOfOthers()).containsExactly("b");
		}
		for (int second = 0; second < 60; second += 2) {
			advance(2);
			this.a.answerAll();
			this.b.answerAll();
			assertThat(this.a.owned()).isZero();
		}
	}

	@Test
	void annotationRemoved_slotsAreNotTakenOver() {
		settle();
		this.b.answerAll();
		settle();
		int own = this.b.owned();
		LeaseRecord lease = this.server.lease(this.a.name());
		this.server.set(this.a.name(), withSlots(lease, ""));
		advance(1);
		for (int i = 0; i < 3; i++) {
			this.b.observe();
			this.b.answerAll();
		}
		assertThat(this.b.owned()).isEqualTo(own);
		assertThat(this.b.membership.problem()).contains(this.a.name(), "its annotation is missing");
		advance(1);
		settle();
		assertThat(this.server.lease(this.a.name()).slots()).isEqualTo(lease.slots());
		assertThat(this.b.membership.problem()).isNull();
	}

	@Test
	void annotationChanged_slotsAreNotTakenOver() {
		settle();
		this.b.answerAll();
		settle();
		int own = this.b.owned();
		this.server.set(this.a.name(), withSlots(this.server.lease(this.a.name()), "8:00"));
		advance(1);
		for (int i = 0; i < 3; i++) {
			this.b.observe();
			this.b.answerAll();
		}
		assertThat(this.b.owned()).isEqualTo(own);
	}

	@Test
	void annotationRemovedBeforeAMemberStarts_ownsNothingUntilTheClaimIsKnown() {
		settle();
		this.server.set(this.a.name(), withSlots(this.server.lease(this.a.name()), ""));
		for (int i = 0; i < 6; i++) {
			this.b.observe();
			this.b.answerAll();
		}
		assertThat(this.b.owned()).isZero();
		advance(2);
		settle();
		assertThat(this.a.owned() + this.b.owned()).isEqualTo(8);
		assertThat(this.b.owned()).isPositive();
	}

	@Test
	void annotationMissingAndNeverRenewed_slotsAreTakenOverWhenTheLeaseExpires() {
		settle();
		this.server.set(this.a.name(), withSlots(this.server.lease(this.a.name()), ""));
		for (int second = 0; second < 20; second += 2) {
			this.b.observe();
			this.b.answerAll();
			advance(2);
		}
		this.b.observe();
		this.b.answerAll();
		assertThat(this.b.owned()).isEqualTo(8);
	}

	@Test
	void durationOfAMemberThatIsTooLong_isBoundedAndReported() {
		this.server.set("shop-0000000000000000",
				new LeaseRecord("stranger", Integer.MAX_VALUE, this.clock, this.clock, 0, "8:ff"));
		settle();
		assertThat(this.a.owned()).isZero();
		assertThat(this.a.membership.problem()).contains("respects the Lease shop-0000000000000000 for 300 s");
		for (int second = 0; second < 298; second += 2) {
			advance(2);
			settle();
			assertThat(this.a.owned()).isZero();
		}
		for (int second = 0; second < 6; second += 2) {
			advance(2);
			settle();
		}
		assertThat(this.a.owned()).isEqualTo(8);
		assertThat(this.a.membership.problem()).isNull();
	}

	@Test
	void leaseOfItsNameWithForgedTimes_isReplacedAfterTheBound() {
		Instant end = Instant.parse("9999-12-31T23:59:59.999999Z");
		this.server.set(this.a.name(), new LeaseRecord("stranger", Integer.MAX_VALUE, end, end, 0, "8:ff"));
		settle();
		assertThat(this.a.membership.term()).isNull();
		advance(301);
		settle();
		assertThat(this.a.owned()).isEqualTo(8);
		assertThat(this.server.lease(this.a.name()).renewTime()).isBefore(Instant.parse("2031-01-01T00:00:00Z"));
	}

	private static LeaseRecord withSlots(LeaseRecord record, String slots) {
		return new LeaseRecord(record.holder(), record.durationSeconds(), record.acquireTime(), record.renewTime(),
				record.transitions(), slots);
	}

	@Test
	void leaseThatIsNoMember_isIgnored() {
		this.server.set("foreign", new LeaseRecord("someone", 15, this.clock, this.clock, 0));
		this.server.set("malformed", new LeaseRecord("someone", 15, this.clock, this.clock, 0, "8:zz"));
		settle();
		assertThat(this.a.owned()).isEqualTo(8);
		assertThat(this.a.membership.identitiesOfOthers()).isEmpty();
	}

	@Test
	void memberWithMoreSlots_receivesAllOfThem() {
		settle();
		Member large = new Member("c", 16);
		large.answerAll();
		for (int i = 0; i < 6; i++) {
			settle();
			large.observe();
			large.answerAll();
		}
		assertThat(this.a.owned()).isZero();
		assertThat(this.a.membership.isExcluded()).isTrue();
		assertThat(large.owned()).isEqualTo(16);
	}

	@Test
	void memberThatStartsAfterACrash_needNotWaitUntilTheLeaseOfTheOtherExpiresForIt() {
		settle();
		Member gone = new Member("c", 8);
		for (int i = 0; i < 4; i++) {
			gone.observe();
			gone.answerAll();
			settle();
		}
		assertThat(gone.owned()).isPositive();
		advance(5);
		this.b.answerAll();
		settle();
		for (int second = 0; second < 12; second += 2) {
			advance(2);
			settle();
		}
		assertThat(this.a.owned() + this.b.owned()).isEqualTo(8);
		assertThat(this.b.membership.identitiesOfOthers()).containsExactly("a");
	}

	@Test
	void leaseOfAMemberThatIsGoneForLong_isDeleted() {
		this.server.set("shop-gone", new LeaseRecord("gone", 15, this.clock, this.clock, 0, "8:ff"));
		settle();
		for (int second = 0; second < 200; second += 2) {
			advance(2);
			this.a.observe();
			this.a.answerAll();
		}
		assertThat(this.server.view()).containsOnlyKeys(this.a.name());
		assertThat(this.a.owned()).isEqualTo(8);
	}

}
