/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Membership}: loss of the own Lease, with simulated clocks.
 */
class MembershipLossTests extends AbstractMembershipTests {

	@Test
	void renewalsFail_givesSlotsUpAtTheDeadlineAndJoinsAgain() {
		settle();
		assertThat(this.a.owned()).isEqualTo(8);
		advance(2);
		for (int i = 0; i < 7; i++) {
			this.a.fail(Failure.OTHER);
			advance(1.2);
		}
		this.a.next();
		assertThat(this.a.owned()).isZero();
		assertThat(this.a.membership.term()).isNull();
		assertThat(this.a.membership.lostBecause()).isEqualTo("its Lease could not be renewed within 10000 ms");
		this.a.fail(Failure.OTHER);
		advance(3);
		settle();
		assertThat(this.a.owned()).isEqualTo(8);
	}

	@Test
	void answerAfterTheDeadline_doesNotExtendTheTerm() {
		settle();
		advance(2);
		LeaseRequest renewal = this.a.due();
		advance(9);
		this.a.answer(renewal);
		assertThat(this.a.membership.term()).isNull();
		assertThat(this.a.owned()).isZero();
	}

	@Test
	void workOfAFormerTerm_keepsItsClaimUntilItHasEnded() {
		settle();
		this.a.busy.set(3);
		advance(11);
		this.a.next();
		this.a.fail(Failure.OTHER);
		advance(3);
		settle();
		assertThat(this.a.owned()).isEqualTo(7);
		assertThat(this.a.membership.owned().get(3)).isFalse();
		this.b.answerAll();
		settle();
		assertThat(this.b.membership.owned().get(3)).isFalse();
		this.a.busy.clear();
		settle();
		assertThat(this.a.owned() + this.b.owned()).isEqualTo(8);
	}

	@Test
	void identityOfAnotherProcess_waitsUntilItsLeaseHasExpired() {
		settle();
		Member twin = new Member("a", 8);
		twin.answerAll();
		assertThat(twin.membership.problem()).contains("identity 'a'", "give each its own");
		for (int second = 0; second < 30; second += 2) {
			advance(2);
			this.a.observe();
			this.a.answerAll();
			twin.answerAll();
		}
		assertThat(twin.membership.term()).isNull();
		for (int second = 0; second < 30; second += 2) {
			advance(2);
			twin.answerAll();
		}
		assertThat(twin.membership.term()).isNotNull();
		assertThat(twin.membership.problem()).isNull();
		this.a.answerAll();
		assertThat(this.a.owned()).isZero();
	}

	@Test
	void watchThatStandsStill_endsTheTermAfterTheLeaseDurationAndOthersOwnTheSlots() {
		settle();
		this.b.answerAll();
		settle();
		assertThat(this.a.owned()).isPositive();
		for (int second = 0; second < 20; second += 2) {
			advance(2);
			this.a.answerAll();
			this.b.observe();
			this.b.answerAll();
		}
		this.b.observe();
		this.b.answerAll();
		this.b.observe();
		this.b.answerAll();
		assertThat(this.a.owned()).isZero();
		assertThat(this.a.membership.lostBecause()).isEqualTo("the watch has not shown its Lease for 15000 ms");
		assertThat(this.a.membership.problem()).contains("the watch of its Leases does not show the Lease");
		assertThat(this.b.owned()).isEqualTo(8);
		for (int second = 0; second < 18; second += 2) {
			advance(2);
			settle();
		}
		assertThat(this.a.membership.problem()).isNull();
		assertThat(this.a.owned()).isPositive();
		assertThat(this.a.owned() + this.b.owned()).isEqualTo(8);
	}

	@Test
	void listsWithoutAWatch_areNoReasonToJoinAgain() {
		settle();
		for (int second = 0; second < 20; second += 2) {
			advance(2);
			this.a.answerAll();
		}
		assertThat(this.a.owned()).isZero();
		for (int second = 0; second < 200; second += 2) {
			advance(2);
			if (second % 20 == 0) {
				this.a.observe();
			}
			this.a.answerAll();
			assertThat(this.a.membership.term()).isNull();
		}
	}

	@Test
	void watchThatStandsStill_keepsTheClaimOfWorkUntilItHasEnded() {
		settle();
		this.a.busy.set(3);
		for (int second = 0; second < 16; second += 2) {
			advance(2);
			this.a.answerAll();
		}
		assertThat(this.a.owned()).isZero();
		assertThat(this.server.lease(this.a.name()).holder()).isEqualTo("a");
		this.a.busy.clear();
		advance(2);
		this.a.answerAll();
		assertThat(this.server.lease(this.a.name()).holder()).isEmpty();
	}

	@Test
	void leaseStoredWithoutItsLabel_endsTheTermAtOnce() {
		settle();
		assertThat(this.a.owned()).isEqualTo(8);
		advance(2);
		this.a.fail(Failure.ALTERED);
		assertThat(this.a.owned()).isZero();
		assertThat(this.a.membership.lostBecause()).isEqualTo("its Lease was stored without its label or its slots");
		advance(3);
		this.a.answerAll();
		assertThat(this.server.lease(this.a.name()).holder()).isEmpty();
	}

	@Test
	void deletedLease_endsTheTermAndIsCreatedAgain() {
		settle();
		this.b.answerAll();
		settle();
		this.server.set(this.a.name(), null);
		this.b.observe();
		this.b.answerAll();
		// the member may not have noticed
		assertThat(this.b.membership.identitiesOfOthers()).containsExactly("a");
		advance(2);
		this.a.next();
		this.a.answer(this.a.due());
		assertThat(this.a.membership.lostBecause()).isEqualTo("its Lease was deleted");
		settle();
		assertThat(this.a.owned() + this.b.owned()).isEqualTo(8);
	}

}
