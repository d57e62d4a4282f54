/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.List;

import dev.informer.HandlerOptions;
import dev.informer.InvocationGate;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link HandlerQueue} to which differences are restored that were given up.
 */
class HandlerQueueRestoreTests {

	private static final HandlerOptions<V1Pod> EVERYTHING = QueueReplay.filter((options) -> {
	});

	private final HandlerQueue<V1Pod> queue = new HandlerQueue<>(QueuePolicy.COALESCE, InvocationGate.OPEN,
			TimeSource.SYSTEM);

	private final V1Pod one = pod("a", "u1", 1);

	private final V1Pod two = pod("a", "u1", 2);

	private final V1Pod three = pod("a", "u1", 3);

	@Test
	void restoredDifference_isDeliveredWithLaterChanges() {
		offer(new Updated<>(this.one, this.two));
		PendingDelivery<V1Pod> exhausted = exhaust(this.queue);
		assertThat(this.queue.restore("ns/a", exhausted, 0)).isTrue();
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.two));
		assertThat(this.queue.entries()).isEmpty();
		offer(new Updated<>(this.two, this.three));
		assertThat(this.queue.restore("ns/a", exhausted, 0)).isTrue();
		assertThat(this.queue.size()).isEqualTo(1);
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.three));
	}

	@Test
	void restoredAddition_isAnAddition() {
		offer(new Added<>(this.one, true));
		PendingDelivery<V1Pod> exhausted = exhaust(this.queue);
		offer(new Updated<>(this.one, this.two));
		assertThat(drain()).containsExactly(new Updated<>(this.one, this.two));
		assertThat(this.queue.restore("ns/a", exhausted, 0)).isTrue();
		assertThat(drain()).containsExactly(new Added<>(this.one, true));
	}

	@Test
	void additionOfDeletedObject_isNotRestored_itsDeletionIs() {
		offer(new Added<>(this.one, false));
		PendingDelivery<V1Pod> addition = exhaust(this.queue);
		offer(new Deleted<>(this.two, this.one, false));
		assertThat(this.queue.restore("ns/a", addition, 0)).isFalse();
		PendingDelivery<V1Pod> deletion = exhaust(this.queue);
		assertThat(this.queue.entries()).isEmpty();
		assertThat(this.queue.restore("ns/a", deletion, 0)).isTrue();
		assertThat(drain()).containsExactly(new Deleted<>(this.two, this.one, false));
	}

	@Test
	void differenceOfObjectBeingDelivered_isNotRestored() {
		offer(new Updated<>(this.one, this.two));
		PendingDelivery<V1Pod> exhausted = exhaust(this.queue);
		offer(new Updated<>(this.two, this.three));
		QueueEntry<V1Pod> item = take(this.queue);
		assertThat(this.queue.restore("ns/a", exhausted, 0)).isFalse();
		this.queue.delivered(item, item.delivery().event(EVERYTHING, QueueReplay::fail));
		assertThat(this.queue.entries()).isEmpty();
	}

	@Test
	void keepAll_restoredEventPrecedesLaterEvents() {
		HandlerQueue<V1Pod> all = new HandlerQueue<>(QueuePolicy.KEEP_ALL, InvocationGate.OPEN, TimeSource.SYSTEM);
		all.add(HandlerFixture.keyed(List.of(new Updated<>(this.one, this.two))), 0);
		PendingDelivery<V1Pod> exhausted = exhaust(all);
		assertThat(all.entries()).isEmpty();
		all.add(HandlerFixture.keyed(List.of(new Updated<>(this.two, this.three))), 0);
		assertThat(all.restore("ns/a", exhausted, 0)).isTrue();
		assertThat(all.size()).isEqualTo(2);
		assertThat(deliver(all)).isEqualTo(new Updated<>(this.one, this.two));
		assertThat(deliver(all)).isEqualTo(new Updated<>(this.two, this.three));
		assertThat(all.entries()).isEmpty();
	}

	private static PendingDelivery<V1Pod> exhaust(HandlerQueue<V1Pod> queue) {
		QueueEntry<V1Pod> item = take(queue);
		PendingDelivery<V1Pod> delivery = item.delivery();
		queue.delivered(item, delivery.event(EVERYTHING, QueueReplay::fail));
		return delivery;
	}

	private static QueueEntry<V1Pod> take(HandlerQueue<V1Pod> queue) {
		QueueEntry<V1Pod> item = queue.take(0);
		assertThat(item).isNotNull();
		return item;
	}

	private void offer(ResourceEvent<V1Pod> event) {
		this.queue.add(HandlerFixture.keyed(List.of(event)), 0);
	}

	private List<ResourceEvent<V1Pod>> drain() {
		List<ResourceEvent<V1Pod>> events = new ArrayList<>();
		while (this.queue.isReady()) {
			events.add(deliver(this.queue));
		}
		return events;
	}

	private static ResourceEvent<V1Pod> deliver(HandlerQueue<V1Pod> queue) {
		QueueEntry<V1Pod> item = take(queue);
		ResourceEvent<V1Pod> event = item.delivery().event(EVERYTHING, QueueReplay::fail);
		assertThat(event).isNotNull();
		queue.delivered(item, event);
		return event;
	}

}
