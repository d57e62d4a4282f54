/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.TimeSource;
import dev.informer.shard.FakeSharding;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for handlers that are invoked only for the slots that this process owns.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ShardedHandlerTests {

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final FakeSharding sharding = new FakeSharding("me", 4);

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final V1Pod own = pod("0-own", 1);

	private final V1Pod other = pod("1-other", 1);

	@AfterEach
	void close() {
		this.fixture.close();
		for (int slot = 0; slot < this.sharding.slots(); slot++) {
			assertThat(this.sharding.running(slot)).isZero();
		}
	}

	@Test
	void slotNotOwned_holdsTheLatestStatePerObject() throws Exception {
		this.sharding.acquire(0);
		HandlerRegistration handler = add();
		V1Pod second = pod("1-second", 1);
		this.fixture.distribute(new Added<>(this.other, false), new Added<>(this.own, false),
				new Added<>(second, false), new Updated<>(this.other, pod("1-other", 2), false));
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 0-own@1");
		assertHeld(handler, 2);
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 0-own@1", "ADDED 1-other@2", "ADDED 1-second@1");
		assertHeld(handler, 0);
		assertThat(HandlerFixture.entries(handler)).isZero();
	}

	@Test
	void severalSlotsAcquired_deliversInTheOrderOfTheEvents() throws Exception {
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(pod("1-a", 1), false), new Added<>(pod("2-b", 1), false),
				new Added<>(pod("3-c", 1), false), new Added<>(pod("1-d", 1), false));
		// an event that is accepted after its slot is owned need not wait for those held
		assertHeld(handler, 4);
		this.sharding.acquire(1, 2);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-a@1", "ADDED 2-b@1", "ADDED 1-d@1");
		assertHeld(handler, 1);
	}

	@Test
	void releasedAndAcquiredAgain_deliversTheDifference() throws Exception {
		this.sharding.acquire(0, 1);
		HandlerRegistration handler = add();
		V1Pod second = pod("1-second", 1);
		V1Pod third = pod("1-third", "uid-1", 1);
		V1Pod recreated = pod("1-third", "uid-2", 2);
		V1Pod changed = pod("1-other", 2);
		this.fixture.distribute(new Added<>(this.other, false), new Added<>(second, false), new Added<>(third, false));
		assertThat(handler.awaitIdle(LONG)).isTrue();
		this.calls.clear();
		this.sharding.release(1);
		this.fixture.distribute(new Updated<>(this.other, changed, false), new Deleted<>(second, second, false),
				new Deleted<>(third, third, false), new Added<>(recreated, false));
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).isEmpty();
		assertHeld(handler, 3);
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactlyInAnyOrder("UPDATED 1-other@2", "DELETED 1-second@1", "DELETED 1-third@1",
				"ADDED 1-third@2");
		assertThat(this.calls.indexOf("DELETED 1-third@1")).isLessThan(this.calls.indexOf("ADDED 1-third@2"));
		assertThat(HandlerFixture.entries(handler)).isZero();
	}

	@Test
	void deletedBeforeTheSlotWasOwned_leavesNothingBehind() {
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.other, false));
		assertHeld(handler, 1);
		this.fixture.distribute(new Deleted<>(this.other, this.other, false));
		assertHeld(handler, 0);
		assertThat(HandlerFixture.entries(handler)).isZero();
	}

	@Test
	void resyncsWhileNotOwned_areOneEvent() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.other, false));
		assertThat(handler.awaitIdle(LONG)).isTrue();
		this.sharding.release(1);
		this.fixture.distribute(new Updated<>(this.other, this.other), new Updated<>(this.other, this.other));
		assertHeld(handler, 1);
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1", "UPDATED 1-other@1");
	}

	@Test
	void initialList_isSyncedWithoutTheObjectsOfOtherSlots() throws Exception {
		this.sharding.acquire(0);
		HandlerRegistration handler = this.fixture.add(this::handle, this::sharded,
				List.of(new Added<>(this.other, true), new Added<>(this.own, true)));
		assertThat(handler.hasSynced()).isFalse();
		this.fixture.start();
		assertThat(handler.awaitSynced(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 0-own@1");
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 0-own@1", "ADDED 1-other@1");
	}

	@Test
	void noSlot_isSyncedOnceTheListWasDistributed() throws Exception {
		HandlerRegistration handler = this.fixture.add(this::handle, this::sharded,
				List.of(new Added<>(this.other, true)));
		this.fixture.start();
		assertThat(handler.awaitSynced(Duration.ofSeconds(60))).isTrue();
		assertHeld(handler, 1);
	}

	@Test
	void slotOfInitialObjectReleased_isSynced() {
		this.sharding.acquire(0);
		HandlerRegistration handler = this.fixture.add(this::handle, this::sharded,
				List.of(new Added<>(this.own, true)));
		assertThat(handler.hasSynced()).isFalse();
		this.sharding.release(0);
		assertThat(handler.hasSynced()).isTrue();
	}

	@Test
	void initialObjectRefused_isSynced() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = this.fixture.add(this::handle, this::sharded,
				List.of(new Added<>(this.other, true)));
		this.sharding.expire(1);
		assertThat(handler.hasSynced()).isFalse();
		this.fixture.start();
		assertThat(handler.awaitSynced(LONG)).isTrue();
		assertThat(this.calls).isEmpty();
	}

	@Test
	void addedToRunningInformer_receivesTheInitialObjectsOfItsSlots() throws Exception {
		this.sharding.acquire(1);
		this.fixture.start();
		HandlerRegistration handler = this.fixture.add(this::handle, this::sharded,
				List.of(new Added<>(this.other, true), new Added<>(this.own, true)));
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
		assertHeld(handler, 1);
	}

	@Test
	void stopped_doesNotWaitForHeldEventsAndKeepsThem() throws Exception {
		this.sharding.acquire(0);
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.other, false), new Added<>(this.own, false));
		this.fixture.stop(Duration.ofSeconds(30));
		assertThat(this.calls).containsExactly("ADDED 0-own@1");
		this.sharding.acquire(1);
		assertThat(handler.pending()).isEqualTo(1);
		this.fixture.start();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 0-own@1", "ADDED 1-other@1");
	}

	@Test
	void suspended_doesNotWaitForHeldEvents() throws Exception {
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.other, false));
		this.fixture.processor().setPaused(PauseReason.SUSPENDED, true);
		assertThat(SharedProcessor.awaitSuspended(List.of(this.fixture.processor()),
				TimeSource.SYSTEM.nanoTime() + LONG.toNanos()))
			.isTrue();
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(Duration.ofMillis(50))).isFalse();
		this.fixture.processor().setPaused(PauseReason.SUSPENDED, false);
		this.fixture.processor().wakeHandlers();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
	}

	@Test
	void pausedOnRequest_isNotResumedByTheSlots() throws Exception {
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.other, false));
		handler.pause();
		this.sharding.acquire(1);
		assertThat(handler.pending()).isEqualTo(1);
		assertThat(handler.awaitIdle(Duration.ofMillis(50))).isFalse();
		this.sharding.release(1);
		handler.resume();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).isEmpty();
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
	}

	@Test
	void renewedAfterEventsWereHeld_deliversThem() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add();
		this.sharding.expire(1);
		this.fixture.distribute(new Added<>(this.other, false));
		assertHeld(handler, 1);
		this.sharding.renew(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
	}

	@Test
	void removed_followsNoMoreAndHoldsNothing() {
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.other, false));
		assertThat(this.sharding.listeners()).isEqualTo(1);
		handler.remove();
		assertThat(this.sharding.listeners()).isZero();
		assertHeld(handler, 0);
		assertThat(HandlerFixture.entries(handler)).isZero();
	}

	@Test
	void closed_followsNoMore() {
		add();
		this.fixture.processor().close();
		assertThat(this.sharding.listeners()).isZero();
	}

	@Test
	void rejected_followsNoMore() {
		add();
		assertThatIllegalArgumentException().isThrownBy(this::add).withMessageContaining("the name is in use");
		assertThat(this.sharding.listeners()).isEqualTo(1);
	}

	@Test
	void slot_followsFromNamespaceAndName() {
		add();
		V1Pod clusterScoped = pod("2-node", 1);
		clusterScoped.getMetadata().namespace(null);
		this.fixture.distribute(new Added<>(this.other, false), new Added<>(clusterScoped, false),
				new Updated<>(this.other, pod("1-other", 2), false));
		assertThat(this.sharding.computed()).containsOnly("ns:1-other", "null:2-node");
	}

	@Test
	void slotNotOwned_isTheReasonInTheDiagnosis() throws Exception {
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.other, false));
		String remedy = ". Events are held until it does";
		assertThat(handler.diagnose().causes()).contains(
				new Cause(Reason.GATE_CLOSED, "This replica owns none of the 4 slots of group 'shop'" + remedy, null));
		Cause cause = new Cause(Reason.GATE_CLOSED,
				"The object belongs to slot 1 of group 'shop', which this replica does not own" + remedy, null);
		assertThat(handler.diagnose("ns", "1-other").pending()).isTrue();
		assertThat(handler.diagnose("ns", "1-other").causes()).contains(cause);
		this.sharding.acquire(0, 1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(handler.diagnose().causes()).extracting(Cause::reason).doesNotContain(Reason.GATE_CLOSED);
		assertThat(handler.diagnose("ns", "1-other").causes()).doesNotContain(cause);
		this.sharding.release(1);
		assertThat(handler.diagnose("ns", "1-other").pending()).isFalse();
		assertThat(handler.diagnose("ns", "1-other").causes()).contains(cause);
	}

	private HandlerRegistration add() {
		HandlerRegistration handler = this.fixture.add(this::handle, this::sharded, List.of());
		this.fixture.start();
		return handler;
	}

	private void sharded(HandlerOptions.Builder<V1Pod> options) {
		options.name("handler").gate(this.sharding.gate());
	}

	private void handle(ResourceEvent<V1Pod> event) {
		this.calls.add(event.type() + " " + event.object().getMetadata().getName() + "@"
				+ event.object().getMetadata().getResourceVersion());
	}

	private static void assertHeld(HandlerRegistration handler, int held) {
		assertThat(handler.pending()).isZero();
		assertThat(handler.diagnose().held()).isEqualTo(held);
	}

}
