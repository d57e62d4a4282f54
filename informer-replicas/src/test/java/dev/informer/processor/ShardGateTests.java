/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InvalidOptionException;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.client.ObjectState;
import dev.informer.client.TimeSource;
import dev.informer.leader.FakeLeadership;
import dev.informer.replicas.Shard;
import dev.informer.replicas.SlotSelector;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ShardGate}: handlers of an informer that caches the objects of some
 * slots.
 */
class ShardGateTests extends AbstractShardGateTests {

	@Test
	void slot_followsFromTheUid() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.first, false), new Added<>(SlotUids.pod("b", 2, 1), false));
		assertCalls(handler, "ADDED a@1 in 1");
		assertThat(handler.diagnose().held()).isEqualTo(1);
		this.sharding.acquire(2);
		assertCalls(handler, "ADDED a@1 in 1", "ADDED b@1 in 2");
		assertThat(this.sharding.computed()).isEmpty();
		assertThat(HandlerFixture.entries(handler)).isZero();
	}

	@Test
	void recreatedInOwnedSlot_isNoLongerHeld() throws Exception {
		this.sharding.acquire(2);
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.first, false));
		assertThat(handler.diagnose().held()).isEqualTo(1);
		recreate();
		assertCalls(handler, "ADDED a@3 in 2");
		assertThat(handler.diagnose().held()).isZero();
	}

	@Test
	void recreatedInSlotNotOwned_isHeld() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add();
		handler.pause();
		this.fixture.distribute(new Added<>(this.first, false));
		assertThat(handler.pending()).isEqualTo(1);
		recreate();
		assertThat(handler.pending()).isZero();
		assertThat(handler.diagnose().held()).isEqualTo(1);
		handler.resume();
		this.sharding.release(1);
		this.sharding.acquire(2);
		assertCalls(handler, "ADDED a@3 in 2");
	}

	@Test
	void recreation_isDeletedInItsSlotAndAddedInTheOther() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		recreate();
		assertCalls(handler, "DELETED a@1 in 1");
		assertThat(handler.diagnose().held()).isEqualTo(1);
		this.sharding.acquire(2);
		assertCalls(handler, "DELETED a@1 in 1", "ADDED a@3 in 2");
	}

	@Test
	void recreatedDuringDelivery_endsInTheSlotInWhichItBegan() throws Exception {
		this.sharding.acquire(1, 2);
		HandlerRegistration handler = add();
		CountDownLatch end = this.calls.block(this.first);
		this.fixture.distribute(new Added<>(this.first, false));
		await().until(() -> this.sharding.running(1) == 1);
		recreate();
		assertThat(this.sharding.running(1)).isEqualTo(1);
		end.countDown();
		assertCalls(handler, "ADDED a@1 in 1", "DELETED a@1 in 1", "ADDED a@3 in 2");
	}

	@Test
	void lost_interruptsTheSlotOfTheRunningInvocation() throws Exception {
		this.sharding.acquire(1, 2);
		HandlerRegistration handler = add();
		this.calls.block(this.first);
		this.fixture.distribute(new Added<>(this.first, false));
		await().until(() -> handler.invocations().size() == 1);
		recreate();
		this.sharding.lose(2);
		assertThat(this.sharding.running(1)).isEqualTo(1);
		assertThat(this.calls.interrupted()).isEmpty();
		this.sharding.lose(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls.interrupted()).containsExactly(this.first.getMetadata().getUid());
		assertThat(this.calls.calls()).isEmpty();
		this.sharding.acquire(2);
		assertCalls(handler, "ADDED a@3 in 2");
	}

	@Test
	void slotNotOwned_isTheReasonInTheDiagnosis() throws Exception {
		HandlerRegistration handler = add();
		Cause cause = new Cause(Reason.GATE_CLOSED, "The object belongs to slot 1 of group 'shop', which this "
				+ "replica does not own. Events are held until it does", null);
		assertThat(handler.diagnose("ns", "a").causes()).doesNotContain(cause);
		this.fixture.distribute(new Added<>(this.first, false));
		assertThat(handler.diagnose("ns", "a").causes()).contains(cause);
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		this.fixture.cache(this.first);
		assertThat(handler.diagnose("ns", "a").causes()).doesNotContain(cause);
		this.sharding.release(1);
		assertThat(handler.diagnose("ns", "a").causes()).contains(cause);
		handler.pause();
		this.fixture.distribute(new Deleted<>(this.first, this.first, false, Deleted.Reason.UNWATCHED));
		assertThat(handler.diagnose("ns", "a").causes()).doesNotContain(cause);
	}

	@Test
	void namespace_isTheSlotOfAllItsObjects() throws Exception {
		try (HandlerFixture byNamespace = new HandlerFixture(TimeSource.SYSTEM,
				new Shard(this.sharding, Shard.Key.NAMESPACE))) {
			int slot = SlotSelector.slotOf(Shard.Key.NAMESPACE, this.sharding.slots(), ObjectState.of(this.first));
			HandlerRegistration handler = byNamespace.add(this.calls, (options) -> {
			}, List.of(new Added<>(this.first, true), new Added<>(SlotUids.pod("b", 2, 1), true)));
			byNamespace.start();
			assertThat(handler.diagnose().held()).isEqualTo(2);
			this.sharding.acquire(slot);
			assertCalls(handler, "ADDED a@1 in " + slot, "ADDED b@1 in " + slot);
		}
	}

	@Test
	void leaderOnlyHandler_isRejected() {
		assertRejected((options) -> options.gate(new FakeLeadership().gate()), "gate",
				"cannot be set for a handler of informer");
	}

	@Test
	void handlerThatKeepsAllEvents_isRejected() {
		assertRejected((options) -> options.queue(QueuePolicy.KEEP_ALL), "queue", "must be coalesce");
	}

	private void assertRejected(Consumer<HandlerOptions.Builder<V1Pod>> options, String option, String reason) {
		int listeners = this.sharding.listeners();
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> this.fixture.add(this.calls, options, List.of()))
			.withMessageStartingWith("Option '" + option + "' " + reason)
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo(option));
		assertThat(this.fixture.processor().registrations()).isEmpty();
		assertThat(this.sharding.listeners()).isEqualTo(listeners);
	}

}
