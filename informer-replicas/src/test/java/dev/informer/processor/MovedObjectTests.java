/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.concurrent.CountDownLatch;

import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the deletions that handlers receive of objects whose slot moves to another
 * replica.
 */
class MovedObjectTests extends AbstractShardGateTests {

	@Test
	void moved_isDeliveredWithoutSlots() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		this.sharding.release(1);
		move(this.first);
		assertCalls(handler, "MOVED a@1");
		assertThat(HandlerFixture.entries(handler)).isZero();
	}

	@Test
	void moved_isNotInterruptedByALoss() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		CountDownLatch end = this.calls.block(this.first);
		move(this.first);
		await().until(() -> handler.invocations().size() == 1);
		this.sharding.lose(0, 1, 2, 3);
		end.countDown();
		assertCalls(handler, "MOVED a@1");
		assertThat(this.calls.interrupted()).isEmpty();
	}

	@Test
	void movedAfterUndeliveredUpdate_isOneEvent() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		this.sharding.release(1);
		this.fixture.distribute(new Updated<>(this.first, this.changed));
		move(this.changed);
		assertCalls(handler, "MOVED a@2");
	}

	@Test
	void movedBeforeItWasDelivered_isNothing() throws Exception {
		HandlerRegistration handler = add();
		this.fixture.distribute(new Added<>(this.first, false));
		move(this.first);
		assertCalls(handler);
		assertThat(HandlerFixture.entries(handler)).isZero();
	}

	@Test
	void movedAndAddedAgain_isHeldAsUpdate() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		handler.pause();
		this.sharding.release(1);
		move(this.first);
		assertThat(handler.pending()).isEqualTo(1);
		this.fixture.distribute(new Added<>(this.changed, false));
		assertThat(handler.pending()).isZero();
		assertThat(handler.diagnose().held()).isEqualTo(1);
		handler.resume();
		this.sharding.acquire(1);
		assertCalls(handler, "UPDATED a@2 in 1");
	}

	@Test
	void movedAndAddedAgainUnchanged_isNothing() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		handler.pause();
		this.sharding.release(1);
		move(this.first);
		this.fixture.distribute(new Added<>(this.first, false));
		assertThat(HandlerFixture.entries(handler)).isZero();
		handler.resume();
		assertCalls(handler);
	}

	@Test
	void deletedWhileNotOwned_isHeldWhileTheSlotIsAssigned() throws Exception {
		this.sharding.assign(1);
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		this.sharding.lose(1);
		this.fixture.distribute(new Deleted<>(this.first, this.first, false));
		assertCalls(handler);
		assertThat(handler.diagnose().held()).isEqualTo(1);
		this.sharding.acquire(1);
		assertCalls(handler, "DELETED a@1 in 1");
	}

	@Test
	void deletedWhileNotOwned_isMovedOnceTheSlotIsNotAssigned() throws Exception {
		this.sharding.assign(1, 2);
		this.sharding.acquire(1, 2);
		HandlerRegistration handler = addKnown();
		this.sharding.lose(1);
		recreate();
		assertCalls(handler);
		this.sharding.assign(2);
		assertCalls(handler, "MOVED a@1", "ADDED a@3 in 2");
	}

	@Test
	void deletedBeforeRelease_isDeletedWhileOwnedAndMovedAfterwards() throws Exception {
		this.sharding.assign(1);
		this.sharding.acquire(1);
		V1Pod other = SlotUids.pod("b", 1, 1);
		HandlerRegistration handler = addKnown();
		this.fixture.distribute(new Added<>(other, false));
		assertThat(handler.awaitIdle(LONG)).isTrue();
		this.calls.clear();
		this.sharding.assign();
		this.fixture.distribute(new Deleted<>(this.first, this.first, false));
		assertCalls(handler, "DELETED a@1 in 1");
		this.sharding.release(1);
		this.fixture.distribute(new Deleted<>(other, other, false));
		assertCalls(handler, "DELETED a@1 in 1", "MOVED b@1");
	}

	@Test
	void deletionPendingAtTheRelease_isMoved() throws Exception {
		this.sharding.assign(1);
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		handler.pause();
		this.fixture.distribute(new Deleted<>(this.first, this.first, false));
		this.sharding.assign();
		this.sharding.release(1);
		assertThat(handler.pending()).isEqualTo(1);
		handler.resume();
		assertCalls(handler, "MOVED a@1");
	}

	@Test
	void deletionInterruptedByALoss_isMovedOnceTheSlotIsNotAssigned() throws Exception {
		this.sharding.assign(1);
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		this.calls.block(this.first);
		this.fixture.distribute(new Deleted<>(this.first, this.first, false));
		await().until(() -> this.sharding.running(1) == 1);
		this.sharding.lose(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(handler.diagnose().held()).isEqualTo(1);
		this.calls.unblock();
		this.sharding.assign();
		assertCalls(handler, "MOVED a@1");
	}

	@Test
	void deletedRecreatedAndMoved_isTheDeletionOfTheKnownObject() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = addKnown();
		handler.pause();
		recreate();
		move(this.second);
		handler.resume();
		assertCalls(handler, "DELETED a@1 in 1");
		assertThat(HandlerFixture.entries(handler)).isZero();
	}

	private void move(V1Pod pod) {
		this.fixture.distribute(new Deleted<>(pod, pod, false, Deleted.Reason.UNWATCHED));
	}

}
