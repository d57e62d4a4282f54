/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

import dev.informer.conformance.Conformance;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Membership}, with simulated clocks.
 */
class MembershipTests {

	private final FakeGroupServer server = new FakeGroupServer();

	private long now = Long.MAX_VALUE - Duration.ofSeconds(7).toNanos();

	private Instant clock = Instant.parse("2030-01-01T00:00:00.123456789Z");

	private final Member a = new Member("a", 8);

	private final Member b = new Member("b", 8);

	@Conformance("slots of a group are divided by Leases; a slot moves after its work has ended")
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

	@Conformance("slots of a group are divided by Leases; a slot moves after its work has ended")
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

	@Conformance("slots of a group are divided by Leases; a slot moves after its work has ended")
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

	@Conformance("the slots of a member that is gone are taken over after its lease duration")
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

	@Conformance("the slots of a member that is gone are taken over after its lease duration")
	@Test
	void watchThatStandsStill_isNoReasonToTakeSlotsOver() {
		settle();
		this.b.answerAll();
		settle();
		int own = this.a.owned();
		for (int second = 0; second < 60; second += 2) {
			advance(2);
			this.a.answerAll();
			this.b.answerAll();
		}
		assertThat(this.a.owned()).isEqualTo(own);
		assertThat(this.a.membership.identitiesOfOthers()).containsExactly("b");
	}

	@Conformance("a member gives its slots up at the renew deadline")
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

	@Conformance("a member gives its slots up at the renew deadline")
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
		assertThat(twin.membership.isIdentityUsed()).isTrue();
		for (int second = 0; second < 30; second += 2) {
			advance(2);
			this.a.answerAll();
			twin.answerAll();
		}
		assertThat(twin.membership.term()).isNull();
		for (int second = 0; second < 30; second += 2) {
			advance(2);
			twin.answerAll();
		}
		assertThat(twin.membership.term()).isNotNull();
		assertThat(twin.membership.isIdentityUsed()).isFalse();
		this.a.answerAll();
		assertThat(this.a.owned()).isZero();
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

	/**
	 * Let the members observe and answer until nothing changes.
	 */
	private void settle() {
		for (int i = 0; i < 6; i++) {
			this.a.observe();
			this.a.answerAll();
			if (this.b.requests.isEmpty()) {
				continue;
			}
			this.b.observe();
			this.b.answerAll();
		}
	}

	private void advance(double seconds) {
		long nanos = Math.round(seconds * 1e9);
		this.now += nanos;
		this.clock = this.clock.plusNanos(nanos);
	}

	private final class Member implements SlotWork {

		private final List<Purpose> requests = new ArrayList<>();

		private final BitSet busy = new BitSet();

		private final ShardingOptions options;

		private final Membership membership;

		private @Nullable LeaseRequest last;

		Member(String identity, int slots) {
			this.options = new ShardingOptions("shop", "default", identity, slots, SlotKey.OBJECT,
					Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
			this.membership = new Membership(this.options, this, MembershipTests.this.now, () -> 0.5);
		}

		String name() {
			return this.options.location().name();
		}

		int owned() {
			return this.membership.owned().cardinality();
		}

		void observe() {
			this.membership.observe(MembershipTests.this.server.view(), MembershipTests.this.now);
		}

		void answerAll() {
			LeaseRequest request;
			while ((request = next()) != null) {
				answer(request);
			}
		}

		@Nullable LeaseRequest next() {
			LeaseRequest request = this.membership.next(MembershipTests.this.now, MembershipTests.this.clock);
			if (request != null && request != this.last) {
				this.requests.add(request.purpose());
			}
			this.last = request;
			return request;
		}

		LeaseRequest due() {
			return Objects.requireNonNull(next());
		}

		void answer(LeaseRequest request) {
			Lease lease = MembershipTests.this.server.answer(request);
			Failure failure = MembershipTests.this.server.failure();
			if (failure != null) {
				this.membership.failed(failure, MembershipTests.this.now);
			}
			else {
				this.membership.succeeded(lease, MembershipTests.this.now);
			}
		}

		void fail(Failure failure) {
			if (next() != null) {
				this.membership.failed(failure, MembershipTests.this.now);
			}
		}

		@Override
		public void permit(BitSet owned) {
		}

		@Override
		public boolean isRunning(int slot) {
			return this.busy.get(slot);
		}

	}

}
