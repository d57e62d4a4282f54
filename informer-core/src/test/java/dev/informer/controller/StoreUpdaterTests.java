/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InformerOptions;
import dev.informer.MutationDetection;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.ResourceEvent.Updated;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.processor.MutationDetector;
import dev.informer.processor.SharedProcessor;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.work.StateLock;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreUpdater}.
 */
class StoreUpdaterTests {

	private final FakeTime time = FakeTime.manual();

	private final Indexer<V1Pod> indexer = new Indexer<>((description, failure) -> {
		throw new AssertionError(failure);
	});

	private final List<ResourceEvent<V1Pod>> events = new CopyOnWriteArrayList<>();

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(new FakeSource(), InformerOptions.DEFAULT,
			(settings) -> {
			});

	private final SharedProcessor<V1Pod> processor = new SharedProcessor<>(this.informer, this.indexer, null,
			(handler, task) -> new Thread(task), this.time, (event) -> {
			});

	private final HandlerRegistration registration = this.processor.add(this.events::add,
			new HandlerOptions.Builder<V1Pod>().queue(QueuePolicy.KEEP_ALL).build());

	private final InformerReporter reporter = new InformerReporter(this.informer, (event) -> {
	}, new SyncLatch(new StateLock(this.time), "pods", () -> {
	}), this.time);

	private final StoreUpdater<V1Pod> updater = new StoreUpdater<>(this.indexer, this.processor,
			new MutationDetector<>(MutationDetection.OFF, this.time, (finding) -> {
			}), List.of(""), this.reporter);

	private final V1Pod stored = pod("a", 1);

	@BeforeEach
	void list() {
		this.processor.requestStart();
		this.processor.startFirstThreads();
		apply(replacedAll(0, true, this.stored));
		this.events.clear();
	}

	@AfterEach
	void stop() {
		this.processor.requestStop();
		SharedProcessor.awaitStop(List.of(this.processor), this.time.nanoTime(), this.time);
	}

	@Test
	void deletionOfUnknownKey_deliversNoEvent_butReachesItsVersion() {
		apply(deleted("ns/unknown", pod("unknown", 5)));
		assertThat(this.events).isEmpty();
		assertThat(this.indexer.resourceVersion("")).isEqualTo("5");
		assertThat(this.updater.distributedVersion("")).isEqualTo("5");
	}

	@Test
	void secondDeletion_deliversNoEvent() {
		V1Pod last = pod("a", 2);
		apply(List.of(deleted("ns/a", last), deleted("ns/a", null)));
		assertThat(this.events).containsExactly(new Deleted<>(last, this.stored, false));
		assertThat(this.indexer.list()).isEmpty();
	}

	@Test
	void deletionWithoutObject_deliversTheLastStoredStateAsFinalStateUnknown() {
		apply(deleted("ns/a", null));
		assertThat(this.events).containsExactly(new Deleted<>(this.stored, this.stored, true));
	}

	@Test
	void changesOfOneKeyInOneBatch_areDeliveredInOrder() {
		V1Pod second = pod("a", 2);
		V1Pod third = pod("a", 3);
		V1Pod other = pod("b", 4);
		apply(List.of(upserted(second), upserted(other), deleted("ns/a", third), upserted(third)));
		assertThat(this.events).containsExactly(new Updated<>(this.stored, second), new Added<>(other, false),
				new Deleted<>(third, second, false), new Added<>(third, false));
		assertThat(this.indexer.list()).containsExactlyInAnyOrder(third, other);
	}

	@Test
	void addedAndDeletedInOneBatch_isNotStored() {
		V1Pod added = pod("b", 2);
		V1Pod last = pod("b", 3);
		apply(List.of(upserted(added), deleted("ns/b", last)));
		assertThat(this.events).containsExactly(new Added<>(added, false), new Deleted<>(last, added, false));
		assertThat(this.indexer.list()).containsExactly(this.stored);
	}

	@Test
	void recreatedObject_isDeletedAndAdded() {
		V1Pod other = pod("a", "other", 2);
		apply(upserted(other));
		assertThat(this.events).containsExactly(new Deleted<>(this.stored, this.stored, true),
				new Added<>(other, false));
	}

	@Test
	void unreadableObject_deletesAnotherOne_andKeepsTheSame() {
		apply(Delta.ofUnreadable("", new ObjectState("ns", "a", this.stored.getMetadata().getUid(), "4"), "4"));
		apply(Delta.ofUnreadable("", new ObjectState("ns", "a", null, "5"), "5"));
		assertThat(this.events).isEmpty();
		apply(Delta.ofUnreadable("", new ObjectState("ns", "a", "other", "6"), "6"));
		assertThat(this.events).containsExactly(new Deleted<>(this.stored, this.stored, true));
		assertThat(this.indexer.list()).isEmpty();
	}

	@Test
	void sameState_isComparedByVersionWithinAnEpochOnly() {
		V1Pod equalVersion = pod("a", 1);
		equalVersion.getMetadata().setLabels(Map.of("changed", "yes"));
		apply(replacedAll(0, true, equalVersion));
		assertThat(this.events).isEmpty();
		apply(replacedAll(1, true, equalVersion));
		assertThat(this.events).containsExactly(new Updated<>(this.stored, equalVersion));
		assertThat(this.indexer.epoch("")).isOne();
	}

	@Test
	void incompleteList_keepsTheEarlierEpoch_untilEveryObjectIsReplaced() {
		apply(replacedAll(1, false, pod("b", 2)));
		assertThat(this.indexer.keys("")).containsExactlyInAnyOrder("ns/a", "ns/b");
		assertThat(this.indexer.epoch("")).isZero();
		apply(replacedAll(1, true, pod("b", 2)));
		assertThat(this.indexer.keys("")).containsExactly("ns/b");
		assertThat(this.indexer.epoch("")).isOne();
	}

	@Test
	void namespaceThatLeaves_isDeleted_andForgotten() {
		StoreUpdater<V1Pod> selected = new StoreUpdater<>(this.indexer, this.processor,
				new MutationDetector<>(MutationDetection.OFF, this.time, (finding) -> {
				}), List.of(), this.reporter);
		assertThat(selected.isComplete()).isFalse();
		apply(selected, new Delta.Assigned<>(Set.of("ns", "other")));
		V1Pod pod = pod("a", 4);
		apply(selected, new Delta.ReplacedAll<>("ns", Map.of("ns/a", pod), Map.of(), Set.of(), true, null, "7", 3));
		assertThat(selected.isComplete()).isFalse();
		apply(selected, new Delta.ReplacedAll<>("other", Map.of(), Map.of(), Set.of(), true, null, "6", 4));
		assertThat(selected.isComplete()).isTrue();
		assertThat(selected.resourceVersion()).isEqualTo("6");
		this.events.clear();
		apply(selected, new Delta.Assigned<>(Set.of("other", "third")));
		assertThat(this.events).containsExactly(new Deleted<>(pod, pod, true, Reason.UNWATCHED));
		assertThat(this.indexer.list()).isEmpty();
		assertThat(this.indexer.indexValues(Indexer.NAMESPACE_INDEX)).isEmpty();
		assertThat(this.indexer.resourceVersion("ns")).isEmpty();
		assertThat(this.indexer.epoch("ns")).isZero();
		assertThat(selected.distributedVersion("ns")).isEmpty();
		assertThat(selected.isComplete()).isTrue();
		assertThat(selected.resourceVersion()).isEqualTo("6");
		assertThat(selected.hasReached("6", null)).isFalse();
		apply(selected, new Delta.ReplacedAll<>("third", Map.of(), Map.of(), Set.of(), true, null, "8", 5));
		assertThat(selected.hasReached("6", null)).isTrue();
	}

	@Test
	void version_isReached_onceItsEventsAreInTheQueuesOfTheHandlers() {
		this.registration.pause();
		this.updater.apply(new Batch<>(List.of(upserted(pod("a", 5))), this.time.nanoTime()));
		assertThat(this.indexer.resourceVersion("")).isEqualTo("5");
		assertThat(this.registration.pending()).isZero();
		assertThat(this.updater.hasReached("5", null)).isFalse();
		this.updater.complete();
		assertThat(this.registration.pending()).isOne();
		assertThat(this.updater.hasReached("5", null)).isTrue();
	}

	private void apply(StoreUpdater<V1Pod> target, Delta<V1Pod> delta) {
		target.apply(new Batch<>(List.of(delta), this.time.nanoTime()));
		target.complete();
		awaitIdle();
	}

	private void apply(Delta<V1Pod> delta) {
		apply(List.of(delta));
	}

	private void apply(List<Delta<V1Pod>> deltas) {
		this.updater.apply(new Batch<>(deltas, this.time.nanoTime()));
		this.updater.complete();
		awaitIdle();
	}

	private void awaitIdle() {
		this.processor.wakeHandlers();
		try {
			assertThat(this.registration.awaitIdle(Duration.ofSeconds(60))).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Delta<V1Pod> upserted(V1Pod pod) {
		return new Delta.Upserted<>("", ObjectKey.of(pod), pod, version(pod));
	}

	private static Delta<V1Pod> deleted(String key, @Nullable V1Pod pod) {
		return new Delta.Deleted<>("", key, pod, (pod != null) ? version(pod) : "9");
	}

	private static Delta<V1Pod> replacedAll(long epoch, boolean complete, V1Pod... pods) {
		Map<String, V1Pod> objects = new HashMap<>();
		for (V1Pod pod : pods) {
			objects.put(ObjectKey.of(pod), pod);
		}
		return new Delta.ReplacedAll<>("", objects, Map.of(), Set.of(), complete, null, "3", epoch);
	}

	private static String version(V1Pod pod) {
		return String.valueOf(pod.getMetadata().getResourceVersion());
	}

}
