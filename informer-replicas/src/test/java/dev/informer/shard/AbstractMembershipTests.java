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

import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import org.jspecify.annotations.Nullable;

/**
 * Members of a group and a server, with simulated clocks.
 */
abstract class AbstractMembershipTests {

	final FakeGroupServer server = new FakeGroupServer();

	long now = Long.MAX_VALUE - Duration.ofSeconds(7).toNanos();

	Instant clock = Instant.parse("2030-01-01T00:00:00.123456789Z");

	final Member a = new Member("a", 8);

	final Member b = new Member("b", 8);

	/**
	 * Let the members observe and answer until nothing changes.
	 */
	void settle() {
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

	void advance(double seconds) {
		long nanos = Math.round(seconds * 1e9);
		this.now += nanos;
		this.clock = this.clock.plusNanos(nanos);
	}

	final class Member implements SlotWork {

		final List<Purpose> requests = new ArrayList<>();

		final BitSet busy = new BitSet();

		private final ShardingOptions options;

		final Membership membership;

		private @Nullable LeaseRequest last;

		Member(String identity, int slots) {
			this.options = new ShardingOptions("shop", "default", identity, slots, SlotKey.OBJECT,
					Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
			this.membership = new Membership(this.options, this, AbstractMembershipTests.this.now, () -> 0.5);
		}

		String name() {
			return this.options.location().name();
		}

		int owned() {
			return this.membership.owned().cardinality();
		}

		void observe() {
			this.membership.observe(AbstractMembershipTests.this.server.view(), AbstractMembershipTests.this.now);
		}

		void answerAll() {
			LeaseRequest request;
			while ((request = next()) != null) {
				answer(request);
			}
		}

		@Nullable LeaseRequest next() {
			LeaseRequest request = this.membership.next(AbstractMembershipTests.this.now,
					AbstractMembershipTests.this.clock);
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
			Lease lease = AbstractMembershipTests.this.server.answer(request);
			Failure failure = AbstractMembershipTests.this.server.failure();
			if (failure != null) {
				this.membership.failed(failure, AbstractMembershipTests.this.now);
			}
			else {
				this.membership.succeeded(lease, AbstractMembershipTests.this.now);
			}
		}

		void fail(Failure failure) {
			if (next() != null) {
				this.membership.failed(failure, AbstractMembershipTests.this.now);
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
