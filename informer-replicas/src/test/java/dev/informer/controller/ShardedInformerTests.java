/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.informer.BackoffPolicy;
import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerOptions;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.TimeSource;
import dev.informer.replicas.Shard;
import dev.informer.replicas.SlotSelector;
import dev.informer.shard.FakeSharding;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeEtcd.Item;
import dev.informer.testing.FakeEtcd.Shape;
import dev.informer.testing.FakeSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers of a {@link Shard}, whose slots change while they run.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ShardedInformerTests {

	private static final int SLOTS = 4;

	private static final int MOVES = 150;

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final BackoffPolicy FAST = new BackoffPolicy(Duration.ofMillis(5), 2, Duration.ofMillis(50),
			Duration.ofMillis(5), Duration.ofMinutes(2));

	private final FakeSource source = new FakeSource();

	private final FakeSharding sharding = new FakeSharding("one", SLOTS);

	private final List<InformerEvent> events = new CopyOnWriteArrayList<>();

	private final EventLog<V1Pod> log = new EventLog<V1Pod>().withReturns();

	private SharedIndexInformer<V1Pod> informer = informer((options) -> {
	});

	ShardedInformerTests() {
		IntStream.range(0, 40).forEach((number) -> this.source.put("pod-" + number));
	}

	@AfterEach
	void close() {
		this.informer.close();
		assertThat(this.source.openWatches()).isZero();
	}

	private SharedIndexInformer<V1Pod> informer(Consumer<InformerOptions.Builder> customizer) {
		Shard shard = new Shard(this.sharding, Shard.Key.UID);
		InformerOptions.Builder options = new InformerOptions.Builder(InformerOptions.DEFAULT).watchedSet(shard)
			.backoff(FAST);
		customizer.accept(options);
		InformerOptions built = options.build();
		return FakeInformers.assignedPods(this.source::in,
				new SelectedAssignment(shard, built.namespaces(), TimeSource.SYSTEM), built,
				(settings) -> settings.addListener(this.events::add));
	}

	private void start(Integer... slots) throws InterruptedException {
		this.informer.addHandler(this.log);
		assign(slots);
		this.informer.start();
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
		await().until(() -> this.log.replay().equals(cached()));
	}

	private void assign(Integer... slots) {
		this.sharding.assign(slots);
		this.sharding.release(IntStream.range(0, SLOTS).boxed().toArray(Integer[]::new));
		this.sharding.acquire(slots);
	}

	private Map<String, String> expected() {
		Set<Integer> assigned = Objects.requireNonNull(this.sharding.assigned());
		return this.source.etcd()
			.current()
			.values()
			.stream()
			.filter((item) -> assigned.contains(slotOf(item)))
			.collect(toMap(Item::key, (item) -> Long.toString(item.version())));
	}

	private static int slotOf(Item item) {
		return SlotSelector.slotOf(Shard.Key.UID, SLOTS, new ObjectState("ns", null, item.uid(), null));
	}

	private Map<String, String> cached() {
		return this.informer.lister()
			.list()
			.stream()
			.collect(toMap(ObjectKey::of, (pod) -> pod.getMetadata().getResourceVersion()));
	}

	private void awaitAgreement() {
		await().until(() -> cached().equals(expected()) && this.log.replay().equals(expected()));
	}

	private List<String> requests(String prefix) {
		return this.source.requests().stream().filter((request) -> request.startsWith(prefix)).toList();
	}

	@Test
	void unknownSlots_areWaitedFor_andNoneIsEnough() throws Exception {
		this.informer.start();
		assertThat(this.informer.awaitSynced(Duration.ofMillis(50))).isFalse();
		assertThat(this.informer.state().phase()).isEqualTo(Phase.CONNECTING);
		assign();
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
		assertThat(this.informer.state().phase()).isEqualTo(Phase.WATCHING);
		assertThat(this.informer.lister().list()).isEmpty();
		assertThat(this.source.requests()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void onlyAssignedObjects_areListedAndFollowed(boolean applied) throws Exception {
		this.source.appliesShards(applied);
		start(1, 3);
		assertThat(cached()).isEqualTo(expected()).hasSizeBetween(5, 35);
		assertThat(this.source.requests())
			.allSatisfy((request) -> assertThat(request).endsWith("of 2 of 4 slots by UID"));
		IntStream.range(0, 80).forEach((number) -> this.source.put("pod-" + number));
		IntStream.range(0, 10).forEach((number) -> this.source.recreate("pod-" + number));
		awaitAgreement();
		assertThat(requests("LIST")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void acquiredSlot_isListed(boolean applied) throws Exception {
		this.source.appliesShards(applied);
		start(1);
		IntStream.range(0, 40).forEach((number) -> this.source.put("pod-" + number));
		awaitAgreement();
		this.source.bookmark();
		String version = Long.toString(this.source.version());
		assertThat(this.informer.awaitAtLeast(version, LONG)).isTrue();
		this.log.clear();
		assign(1, 2);
		awaitAgreement();
		assertThat(requests("LIST")).hasSize(2).last().isEqualTo("LIST \"" + version + "\" of 2 of 4 slots by UID");
		await().until(() -> this.source.openWatches() == 1);
		assertThat(requests("WATCH")).last().isEqualTo("WATCH " + version + " of 2 of 4 slots by UID");
		assertThat(this.log.events()).isNotEmpty()
			.allSatisfy((event) -> assertThat(event).isInstanceOfSatisfying(Added.class,
					(added) -> assertThat(added.initialList()).isFalse()));
		assertThat(this.events).filteredOn(InformerEvent.Relisting.class::isInstance)
			.extracting((event) -> ((InformerEvent.Relisting) event).reason())
			.containsExactly(RelistReason.WATCHED_SET);
	}

	@Test
	void acquiredSlot_isListedAsAStream() throws Exception {
		this.informer.close();
		this.informer = informer((options) -> options.streamingList(true));
		start(1);
		assertThat(requests("STREAM")).singleElement().asString().endsWith("of 1 of 4 slots by UID");
		assign(1, 2);
		awaitAgreement();
		assertThat(requests("STREAM")).hasSize(2).last().asString().endsWith("of 2 of 4 slots by UID");
		this.source.put("pod-0");
		awaitAgreement();
	}

	@Test
	void releasedSlot_isDeliveredAsMoved() throws Exception {
		start(0, 1, 2, 3);
		this.log.clear();
		assign(0, 1);
		awaitAgreement();
		await().until(() -> requests("WATCH").size() == 2 && this.source.openWatches() == 1);
		assertThat(requests("LIST")).hasSize(2);
		assertThat(this.log.events()).isNotEmpty()
			.allSatisfy((event) -> assertThat(event).isInstanceOfSatisfying(Deleted.class,
					(deleted) -> assertThat(deleted.reason()).isEqualTo(Reason.UNWATCHED)));
	}

	@Test
	void lastSlotReleased_endsTheWatch_andAnotherOneBeginsWithAList() throws Exception {
		start(0, 1, 2, 3);
		this.log.clear();
		assign();
		awaitAgreement();
		await().until(() -> this.source.openWatches() == 0);
		assertThat(this.log.events()).hasSize(40)
			.allSatisfy((event) -> assertThat(((Deleted<V1Pod>) event).reason()).isEqualTo(Reason.UNWATCHED));
		IntStream.range(0, 20).forEach((number) -> this.source.put("pod-" + number));
		assign(2);
		awaitAgreement();
		assertThat(cached()).isNotEmpty();
		assertThat(requests("LIST")).hasSize(2).last().isEqualTo("LIST \"\" limit 500 of 1 of 4 slots by UID");
	}

	@Test
	void refusedList_isRepeated() throws Exception {
		start(1);
		this.source.failList(new IOException("for the test"));
		assign(2, 3);
		awaitAgreement();
		assertThat(requests("LIST")).hasSize(3);
		assertThat(this.log.events().stream().filter(Deleted.class::isInstance))
			.allSatisfy((event) -> assertThat(((Deleted<V1Pod>) event).reason()).isEqualTo(Reason.UNWATCHED));
	}

	@Test
	void relist_deletesWithTheReasonOfEach() throws Exception {
		start(0, 1);
		this.source.disconnect();
		this.source.failWatch(410, "Expired");
		Item kept = this.source.etcd()
			.current()
			.values()
			.stream()
			.filter((item) -> slotOf(item) == 1)
			.findFirst()
			.orElseThrow();
		String deleted = kept.key().substring("ns/".length());
		this.log.clear();
		this.source.delete(deleted);
		this.informer.relist();
		assign(1);
		awaitAgreement();
		assertThat(this.log.events()).filteredOn(Deleted.class::isInstance)
			.isNotEmpty()
			.allSatisfy((event) -> assertThat(((Deleted<V1Pod>) event).reason())
				.isEqualTo(event.object().getMetadata().getName().equals(deleted) ? Reason.DELETED : Reason.UNWATCHED));
	}

	@Test
	void unreadableItem_keepsNoObjectOfASlotThatIsNotAssignedAnyMore() throws Exception {
		start(0, 1, 2, 3);
		this.informer.stop(LONG);
		assign(0, 1);
		this.source.put("nameless", Shape.NAMELESS);
		this.informer.start();
		await().untilAsserted(() -> assertThat(cached()).isEqualTo(expectedWithout("ns/nameless")));
		assertThat(this.log.problems()).isEmpty();
	}

	private Map<String, String> expectedWithout(String key) {
		Map<String, String> expected = new HashMap<>(expected());
		expected.remove(key);
		return expected;
	}

	@Test
	void namespaces_areDividedEach() throws Exception {
		this.informer.close();
		this.informer = informer((options) -> options.namespaces("ns", "other"));
		IntStream.range(0, 20).forEach((number) -> this.source.put("other/pod-" + number));
		IntStream.range(0, 20).forEach((number) -> this.source.put("third/pod-" + number));
		start(0, 2);
		assertThat(cached()).isNotEmpty().allSatisfy((key, version) -> assertThat(key).doesNotStartWith("third/"));
		assertThat(this.informer.statesByNamespace()).containsOnlyKeys("ns", "other");
		assign(2);
		await().until(() -> cached().keySet()
			.equals(expected().keySet().stream().filter((key) -> !key.startsWith("third/")).collect(toSet())));
	}

	@Test
	void restartedInformer_followsTheSlotsOfThen() throws Exception {
		start(0, 1);
		this.informer.stop(LONG);
		assign(1, 2);
		IntStream.range(0, 40).forEach((number) -> this.source.put("pod-" + number));
		this.informer.start();
		awaitAgreement();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void slotsMoveDuringChangesAndFaults_cacheAndHandlerAgree(boolean applied) throws Exception {
		this.source.appliesShards(applied);
		start(0);
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		for (int move = 0; move < MOVES; move++) {
			assign(IntStream.range(0, SLOTS).filter((slot) -> random.nextBoolean()).boxed().toArray(Integer[]::new));
			for (int change = random.nextInt(6); change > 0; change--) {
				change("pod-" + random.nextInt(60), random.nextInt(12));
			}
			if (random.nextInt(10) == 0) {
				awaitAgreement();
			}
		}
		this.source.heal();
		awaitAgreement();
		assertThat(this.log.problems()).as("seed %s", seed).isEmpty();
	}

	private void change(String name, int kind) {
		switch (kind) {
			case 0 -> this.source.delete(name);
			case 1 -> this.source.recreate(name);
			case 2 -> this.source.disconnect();
			case 3 -> this.source.compact();
			case 4 -> this.source.failList(new IOException("for the test"));
			case 5 -> this.source.endWatches();
			default -> this.source.put(name);
		}
	}

}
