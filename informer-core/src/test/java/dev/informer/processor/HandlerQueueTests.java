/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.InvocationGate;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link HandlerQueue}: examples, then all sequences of events up to a length,
 * interleaved with deliveries that succeed or fail, compared with a model.
 */
class HandlerQueueTests {

	private static final HandlerOptions<V1Pod> EVERYTHING = QueueReplay.filter((options) -> {
	});

	private final HandlerQueue<V1Pod> queue = new HandlerQueue<>(QueuePolicy.COALESCE, InvocationGate.OPEN,
			TimeSource.SYSTEM);

	private final V1Pod one = pod("a", "u1", 1);

	private final V1Pod two = pod("a", "u1", 2);

	private final V1Pod three = pod("a", "u1", 3);

	private final V1Pod recreated = pod("a", "u2", 4);

	@Test
	void addedThenUpdated_isAddedInInitialList() {
		offer(new Added<>(this.one, true), new Updated<>(this.one, this.two));
		assertThat(this.queue.hasInitial()).isTrue();
		assertThat(drain()).containsExactly(new Added<>(this.two, true));
		assertThat(this.queue.hasInitial()).isFalse();
	}

	@Test
	void addedThenDeleted_isNothing() {
		offer(new Added<>(this.one, true), new Deleted<>(this.two, this.one, false));
		assertThat(this.queue.size()).isZero();
		assertThat(this.queue.hasInitial()).isFalse();
		assertThat(drain()).isEmpty();
	}

	@Test
	void updates_areOneUpdateFromLastDeliveredState() {
		offer(new Updated<>(this.one, this.two), new Updated<>(this.two, this.three));
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.three));
	}

	@Test
	void updatedThenDeleted_isDeletedWithLastDeliveredState() {
		offer(new Updated<>(this.one, this.two), new Deleted<>(this.three, this.two, false));
		assertThat(drain()).containsExactly(new Deleted<>(this.three, this.one, false));
	}

	@ParameterizedTest
	@EnumSource(QueuePolicy.class)
	void deletion_keepsItsReason(QueuePolicy policy) {
		HandlerQueue<V1Pod> queue = new HandlerQueue<>(policy, InvocationGate.OPEN, TimeSource.SYSTEM);
		Deleted<V1Pod> left = new Deleted<>(this.two, this.one, false, Reason.UNWATCHED);
		queue.add(HandlerFixture.keyed(List.of(left)), 0);
		assertThat(deliver(queue)).isEqualTo(left);
	}

	@Test
	void deletedThenAddedWithAnotherUid_isBoth() {
		offer(new Deleted<>(this.two, this.one, false), new Added<>(this.recreated, false));
		assertThat(drain()).containsExactly(new Deleted<>(this.two, this.one, false),
				new Added<>(this.recreated, false));
	}

	@Test
	void deletedThenAddedWithTheSameUid_isAnUpdate() {
		offer(new Deleted<>(this.two, this.one, false), new Added<>(this.three, false));
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.three));
	}

	@Test
	void recreatedBeforeDelivery_deliversNoDelete() {
		offer(new Deleted<>(this.two, this.one, true), new Added<>(this.recreated, false),
				new Deleted<>(this.recreated, this.recreated, false));
		assertThat(drain()).containsExactly(new Deleted<>(this.two, this.one, true));
	}

	@Test
	void recreatedAndDeletedBetweenTwoDeliveries_isNotDelivered() {
		offer(new Deleted<>(this.two, this.one, false), new Added<>(this.recreated, false));
		assertThat(deliver(this.queue)).isEqualTo(new Deleted<>(this.two, this.one, false));
		offer(new Deleted<>(this.recreated, this.recreated, false));
		assertThat(drain()).isEmpty();
	}

	@Test
	void resync_isDelivered_andMergesWithUpdate() {
		offer(new Updated<>(this.one, this.one));
		assertThat(drain()).singleElement().satisfies((event) -> assertThat(event.resync()).isTrue());
		offer(new Updated<>(this.one, this.one), new Updated<>(this.one, this.two));
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.two));
	}

	@Test
	void keys_keepTheirPositions() {
		V1Pod other = pod("b", 1);
		this.queue.add(HandlerFixture.keyed(List.of(new Added<>(this.one, false))), 0);
		this.queue.add(HandlerFixture.keyed(List.of(new Added<>(other, false))), 0);
		this.queue.add(HandlerFixture.keyed(List.of(new Updated<>(this.one, this.two))), 0);
		assertThat(drain()).containsExactly(new Added<>(this.two, false), new Added<>(other, false));
	}

	@Test
	void failedDelivery_isComputedAgainFromLastDeliveredState() {
		offer(new Updated<>(this.one, this.two));
		fail(take(), 10);
		offer(new Updated<>(this.two, this.three));
		assertThat(this.queue.take(9)).isNull();
		assertThat(this.queue.nanosToNext(3)).isEqualTo(7);
		assertThat(this.queue.size()).isEqualTo(1);
		assertThat(drain(10)).containsExactly(new Updated<>(this.one, this.three));
	}

	@Test
	void keepAll_failedEventIsRetriedBeforeLaterEvents() {
		HandlerQueue<V1Pod> all = new HandlerQueue<>(QueuePolicy.KEEP_ALL, InvocationGate.OPEN, TimeSource.SYSTEM);
		all.add(HandlerFixture.keyed(List.of(new Updated<>(this.one, this.two))), 0);
		all.add(HandlerFixture.keyed(List.of(new Updated<>(this.two, this.three))), 0);
		QueueEntry<V1Pod> item = all.take(0);
		assertThat(item).isNotNull();
		all.failed(item, new Updated<>(this.one, this.two), 10);
		assertThat(all.take(9)).isNull();
		assertThat(all.size()).isEqualTo(2);
		all.retryNow();
		assertThat(deliver(all)).isEqualTo(new Updated<>(this.one, this.two));
		assertThat(deliver(all)).isEqualTo(new Updated<>(this.two, this.three));
	}

	@Test
	void failedAddOfDeletedObject_isCancelled() {
		offer(new Added<>(this.one, true));
		QueueEntry<V1Pod> item = take();
		offer(new Deleted<>(this.two, this.one, false));
		assertThat(this.queue.hasInitial()).isTrue();
		fail(item, 10);
		assertThat(this.queue.hasInitial()).isFalse();
		assertThat(drain(10)).isEmpty();
		assertThat(this.queue.entries()).isEmpty();
	}

	@Test
	void deletionDuringAdd_isDeliveredWithFinalState() {
		offer(new Added<>(this.one, false));
		QueueEntry<V1Pod> item = take();
		offer(new Deleted<>(this.two, this.one, false));
		this.queue.delivered(item, item.delivery().event(EVERYTHING, QueueReplay::fail));
		assertThat(drain()).containsExactly(new Deleted<>(this.two, this.one, false));
	}

	@Test
	void failedDeletionOfObjectAddedAgain_isUpdate() {
		offer(new Deleted<>(this.two, this.one, false));
		fail(take(), 0);
		offer(new Added<>(this.three, false));
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.three));
	}

	@Test
	void retriesExhausted_countsAsDelivered() {
		offer(new Updated<>(this.one, this.two));
		QueueEntry<V1Pod> item = take();
		this.queue.delivered(item, item.delivery().event(EVERYTHING, QueueReplay::fail));
		assertThat(this.queue.entries()).isEmpty();
		offer(new Updated<>(this.two, this.three));
		assertThat(drain()).containsExactly(new Updated<>(this.two, this.three));
	}

	@Test
	void objectBeingDelivered_isNotTaken_othersAre() {
		V1Pod other = pod("b", 1);
		offer(new Updated<>(this.one, this.two));
		QueueEntry<V1Pod> item = take();
		offer(new Updated<>(this.two, this.three));
		assertThat(this.queue.take(0)).isNull();
		this.queue.add(HandlerFixture.keyed(List.of(new Added<>(other, false))), 0);
		assertThat(deliver(this.queue)).isEqualTo(new Added<>(other, false));
		this.queue.delivered(item, item.delivery().event(EVERYTHING, QueueReplay::fail));
		assertThat(drain()).containsExactly(new Updated<>(this.two, this.three));
	}

	@Test
	void attempts_countPerState_failuresCountPerObject() {
		offer(new Updated<>(this.one, this.two));
		fail(take(), 0);
		QueueEntry<V1Pod> again = take();
		assertThat(again.attempt(new Updated<>(this.one, this.two))).isEqualTo(2);
		fail(again, 0);
		offer(new Updated<>(this.two, this.three));
		QueueEntry<V1Pod> newer = take();
		assertThat(newer.attempt(new Updated<>(this.one, this.three))).isEqualTo(1);
		assertThat(newer.failures()).isEqualTo(2);
	}

	@Test
	void keepAll_keepsOrderOfAllObjects() {
		HandlerQueue<V1Pod> all = new HandlerQueue<>(QueuePolicy.KEEP_ALL, InvocationGate.OPEN, TimeSource.SYSTEM);
		V1Pod other = pod("b", 1);
		all.add(HandlerFixture.keyed(List.of(new Added<>(this.one, false))), 0);
		all.add(HandlerFixture.keyed(List.of(new Updated<>(this.one, this.two))), 0);
		all.add(HandlerFixture.keyed(List.of(new Added<>(other, false))), 0);
		assertThat(deliver(all)).isEqualTo(new Added<>(this.one, false));
		assertThat(deliver(all)).isEqualTo(new Updated<>(this.one, this.two));
		assertThat(deliver(all)).isEqualTo(new Added<>(other, false));
	}

	@Test
	void objectThatStartsToMatch_isAdded_andDeletedWhenItStops() {
		HandlerOptions<V1Pod> versionAboveOne = QueueReplay
			.filter((options) -> options.filter((pod) -> pod != this.one && pod != this.three));
		offer(new Added<>(this.one, true));
		assertThat(deliver(this.queue, versionAboveOne)).isNull();
		assertThat(this.queue.hasInitial()).isFalse();
		assertThat(this.queue.entries()).hasSize(1);
		offer(new Updated<>(this.one, this.two));
		assertThat(deliver(this.queue, versionAboveOne)).isEqualTo(new Added<>(this.two, false));
		assertThat(this.queue.entries()).isEmpty();
		offer(new Updated<>(this.two, this.three));
		assertThat(deliver(this.queue, versionAboveOne))
			.isEqualTo(new Deleted<>(this.three, this.two, false, Reason.FILTERED));
		offer(new Deleted<>(this.three, this.three, false));
		assertThat(this.queue.take(0)).isNull();
		assertThat(this.queue.entries()).isEmpty();
	}

	@Test
	void filteredChanges_areInNextUpdate() {
		HandlerOptions<V1Pod> labels = QueueReplay.filter((options) -> options.changes(ChangedPart.LABELS));
		this.three.getMetadata().labels(Map.of("tier", "web"));
		offer(new Updated<>(this.one, this.two));
		assertThat(deliver(this.queue, labels)).isNull();
		offer(new Updated<>(this.two, this.three));
		assertThat(deliver(this.queue, labels)).isEqualTo(new Updated<>(this.one, this.three));
		assertThat(this.queue.entries()).isEmpty();
	}

	@Test
	void resyncAfterSuppressedUpdate_isAResync_fromTheLastDeliveredState() {
		HandlerOptions<V1Pod> labels = QueueReplay.filter((options) -> options.changes(ChangedPart.LABELS));
		offer(new Updated<>(this.one, this.two), new Updated<>(this.two, this.two));
		assertThat(deliver(this.queue, labels)).isEqualTo(new Updated<>(this.one, this.two, true));
		this.three.getMetadata().labels(Map.of("tier", "web"));
		offer(new Updated<>(this.two, this.two), new Updated<>(this.two, this.three));
		assertThat(deliver(this.queue, labels)).isEqualTo(new Updated<>(this.two, this.three, false));
	}

	@Test
	void filterThatThrows_matchesAndIsReported() {
		List<String> failures = new ArrayList<>();
		HandlerOptions<V1Pod> throwing = QueueReplay
			.filter((options) -> options.filter((pod) -> pod.getSpec().getNodeName().isEmpty()));
		offer(new Added<>(this.one, false));
		assertThat(take().delivery().event(throwing, (pod, cause) -> failures.add(ObjectKey.of(pod))))
			.isEqualTo(new Added<>(this.one, false));
		assertThat(failures).containsExactly("ns/a");
	}

	@Test
	void initialList_isKnownBeforeItIsAccepted_andDeliveredBeforeLaterBatches() {
		List<ResourceEvent<V1Pod>> initial = IntStream.range(0, 4500)
			.mapToObj((number) -> (ResourceEvent<V1Pod>) new Added<>(pod("p" + number, 1), true))
			.toList();
		this.queue.add(HandlerFixture.keyed(initial), 1);
		assertThat(this.queue.hasInitial()).isTrue();
		QueueEntry<V1Pod> first = take();
		assertThat(this.queue.hasInitial()).isTrue();
		this.queue.delivered(first, first.delivery().event(EVERYTHING, QueueReplay::fail));
		ResourceEvent<V1Pod> later = new Added<>(this.one, false);
		this.queue.add(HandlerFixture.keyed(List.of(later)), 2);
		assertThat(this.queue.size()).isEqualTo(4500);
		List<ResourceEvent<V1Pod>> delivered = drain();
		assertThat(delivered).startsWith(initial.get(1)).endsWith(initial.get(4499), later).hasSize(4500);
		assertThat(this.queue.hasInitial()).isFalse();
	}

	@Test
	void initialList_isAcceptedInParts_unlessOtherEventsArePending() {
		AtomicInteger accepted = new AtomicInteger();
		InvocationGate counting = new InvocationGate() {

			@Override
			public Access access(Target target) {
				accepted.incrementAndGet();
				return Access.OPEN;
			}

		};
		List<KeyedEvent<V1Pod>> initial = HandlerFixture.keyed(IntStream.range(0, 4500)
			.mapToObj((number) -> (ResourceEvent<V1Pod>) new Added<>(pod("p" + number, 1), true))
			.toList());
		HandlerQueue<V1Pod> alone = new HandlerQueue<>(QueuePolicy.COALESCE, counting, TimeSource.SYSTEM);
		alone.add(initial, 0);
		assertThat(alone.take(0)).isNotNull();
		assertThat(accepted).hasValue(2000);
		accepted.set(0);
		HandlerQueue<V1Pod> pending = new HandlerQueue<>(QueuePolicy.COALESCE, counting, TimeSource.SYSTEM);
		pending.add(HandlerFixture.keyed(List.of(new Added<>(this.one, false))), 0);
		pending.add(initial, 0);
		assertThat(pending.take(0)).isNotNull();
		assertThat(accepted).hasValue(4501);
	}

	@Test
	void batchWithoutInitialList_isNotInitial() {
		offer(new Added<>(this.one, false));
		assertThat(this.queue.hasInitial()).isFalse();
	}

	@Test
	void gateThatThrows_losesNoEvent_andClearDiscardsTheRest() {
		AtomicInteger failures = new AtomicInteger();
		HandlerQueue<V1Pod> gated = new HandlerQueue<>(QueuePolicy.COALESCE, new InvocationGate() {

			@Override
			public Access access(Target target) {
				if (target.name().equals("b") && failures.getAndDecrement() > 0) {
					throw new IllegalStateException("for the test");
				}
				return Access.OPEN;
			}

		}, TimeSource.SYSTEM);
		List<KeyedEvent<V1Pod>> events = HandlerFixture.keyed(List.of(new Added<>(this.one, false),
				new Added<>(pod("b", 1), false), new Updated<>(this.one, this.two)));
		failures.set(1);
		gated.add(events, 0);
		assertThatIllegalStateException().isThrownBy(gated::size);
		assertThat(gated.size()).isEqualTo(2);
		assertThat(deliver(gated)).isEqualTo(new Added<>(this.two, false));
		assertThat(deliver(gated)).isEqualTo(new Added<>(pod("b", 1), false));
		failures.set(1);
		gated.add(events, 0);
		assertThatIllegalStateException().isThrownBy(gated::size);
		gated.clear();
		assertThat(gated.size()).isZero();
	}

	@SafeVarargs
	private void offer(ResourceEvent<V1Pod>... events) {
		for (ResourceEvent<V1Pod> event : events) {
			this.queue.add(HandlerFixture.keyed(List.of(event)), 0);
		}
	}

	private @Nullable QueueEntry<V1Pod> take(long now) {
		return this.queue.take(now);
	}

	private QueueEntry<V1Pod> take() {
		QueueEntry<V1Pod> item = this.queue.take(0);
		assertThat(item).isNotNull();
		return item;
	}

	private void fail(QueueEntry<V1Pod> item, long due) {
		ResourceEvent<V1Pod> event = item.delivery().event(EVERYTHING, QueueReplay::fail);
		assertThat(event).isNotNull();
		this.queue.failed(item, event, due);
	}

	private List<ResourceEvent<V1Pod>> drain() {
		return drain(0);
	}

	private List<ResourceEvent<V1Pod>> drain(long now) {
		List<ResourceEvent<V1Pod>> events = new ArrayList<>();
		for (QueueEntry<V1Pod> item = take(now); item != null; item = take(now)) {
			events.add(item.delivery().event(EVERYTHING, QueueReplay::fail));
			this.queue.delivered(item, item.delivery().event(EVERYTHING, QueueReplay::fail));
		}
		return events;
	}

	private static @Nullable ResourceEvent<V1Pod> deliver(HandlerQueue<V1Pod> queue) {
		return deliver(queue, EVERYTHING);
	}

	private static @Nullable ResourceEvent<V1Pod> deliver(HandlerQueue<V1Pod> queue, HandlerOptions<V1Pod> filter) {
		QueueEntry<V1Pod> item = queue.take(0);
		assertThat(item).isNotNull();
		ResourceEvent<V1Pod> event = item.delivery().event(filter, QueueReplay::fail);
		queue.delivered(item, event);
		return event;
	}

}
