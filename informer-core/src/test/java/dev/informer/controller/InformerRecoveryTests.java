/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.QueuePolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeEtcd.Item;
import dev.informer.testing.FakeEtcd.Shape;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers as a whole on a {@link FakeSource}, without HTTP.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class InformerRecoveryTests {

	private final FakeSource source = new FakeSource();

	private final EventLog<V1Pod> log = new EventLog<>();

	private final List<InformerState> states = new CopyOnWriteArrayList<>();

	private final List<RelistReason> relists = new CopyOnWriteArrayList<>();

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source,
			new InformerOptions.Builder(InformerOptions.DEFAULT).pageSize(2).build(),
			(settings) -> settings.time(FakeTime.autoAdvancingUpTo()).addListener((event) -> {
				if (event instanceof InformerEvent.StateChanged changed) {
					this.states.add(changed.state());
				}
				else if (event instanceof InformerEvent.Relisting relisting) {
					this.relists.add(relisting.reason());
				}
			}));

	@BeforeEach
	void addHandler() {
		this.informer.addHandler(this.log);
		this.source.put("a");
		this.source.put("b");
		this.source.put("c");
	}

	@AfterEach
	void close() {
		this.informer.close();
	}

	@Test
	void changes_areFollowed() {
		start();
		this.source.put("a");
		this.source.put("d");
		this.source.delete("b");
		awaitAgreement();
		assertThat(this.log.story()).endsWith("UPDATED ns/a", "ADDED ns/d", "DELETED ns/b");
	}

	@Test
	void disconnect_losesNoEvent() {
		start();
		this.source.put("a");
		awaitAgreement(); // a watch that delivered nothing is followed by a check of the
							// version
		this.source.put("c");
		this.source.disconnect();
		this.source.delete("b");
		this.source.put("d");
		awaitAgreement();
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("LIST")).hasSize(1);
	}

	@Test
	void expiredVersion_isRelisted_andUidChangeIsTwoObjects() {
		start();
		this.source.compactAndBreakWatches();
		this.source.delete("a");
		this.source.recreate("b");
		this.source.compactAndBreakWatches();
		awaitAgreement();
		assertThat(this.log.story()).contains("DELETED ns/a", "DELETED ns/b").endsWith("ADDED ns/b");
	}

	@Test
	void quietWatchAfterAnOutage_isPublishedAsRecovered() {
		start();
		this.source.vanish();
		await().until(() -> this.states.stream().anyMatch((state) -> state.phase() == Phase.BACKING_OFF));
		await().untilAsserted(() -> assertThat(this.states.get(this.states.size() - 1)).satisfies((state) -> {
			assertThat(state.phase()).isEqualTo(Phase.WATCHING);
			assertThat(state.failingSince()).isNull();
		}));
		assertThat(this.informer.state().failingSince()).isNull();
	}

	@Test
	void expiredByErrorEvent_isRelisted() {
		start();
		this.source.errorEvent(410, "Expired");
		this.source.delete("a");
		awaitAgreement();
	}

	@Test
	void failedRequests_areRetried() {
		this.source.failList(500, "InternalError");
		this.source.failList(new IOException("connection refused"));
		this.source.cutList();
		this.source.failWatch(429, "TooManyRequests");
		start();
		this.source.put("a");
		awaitAgreement();
	}

	@Test
	void pages_withChangesInBetween_areOneState() {
		this.source.paging(true);
		start();
		assertThat(this.source.requests()).startsWith("LIST \"0\" limit 2", "LIST continue");
	}

	@Test
	void undecodableObjects_keepTheirLastState_othersFollow() {
		this.source.put("b", Shape.BROKEN);
		start(Map.of("ns/a", "2", "ns/c", "4"));
		this.source.put("a", Shape.BROKEN);
		this.source.put("c");
		String version = Long.toString(this.source.version());
		awaitStore(Map.of("ns/a", "2", "ns/c", version));
		this.source.compactAndBreakWatches();
		this.source.delete("c");
		awaitStore(Map.of("ns/a", "2"));
		this.source.put("a");
		this.source.put("b");
		awaitAgreement();
	}

	@Test
	void store_atAVersion_equalsTheServerAtThatVersion() throws Exception {
		start();
		AtomicBoolean changing = new AtomicBoolean(true);
		Thread changes = new Thread(() -> {
			for (int i = 0; i < 20_000; i++) {
				String name = "m" + i * 7919 % 50;
				if (i % 3 == 2) {
					this.source.delete(name);
				}
				else {
					this.source.put(name);
				}
				if (i % 500 == 499) {
					this.source.compactAndBreakWatches();
				}
			}
			changing.set(false);
		});
		changes.start();
		int compared = 0;
		while (changing.get() || compared == 0) {
			String version = this.informer.lastSyncResourceVersion();
			List<V1Pod> stored = this.informer.lister().list();
			if (version.equals(this.informer.lastSyncResourceVersion())) {
				assertThat(versions(stored)).as("at " + version)
					.isEqualTo(this.source.etcd()
						.at(Long.parseLong(version))
						.values()
						.stream()
						.collect(toMap(Item::key, (item) -> Long.toString(item.version()))));
				compared++;
			}
		}
		changes.join();
		awaitAgreement();
		assertThat(compared).isPositive();
	}

	@Test
	void slowWatcher_whoseWatchesTheServerCloses_losesNoEvent() throws Exception {
		CountDownLatch released = new CountDownLatch(1);
		EventLog<V1Pod> slow = new EventLog<>();
		this.informer.addHandler((event) -> {
			released.await();
			slow.handle(event);
		}, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		start();
		for (int i = 0; i < 1_000; i++) {
			this.source.put("m" + i % 100);
			if (i % 100 == 50) {
				this.source.endWatches();
			}
		}
		awaitAgreement();
		assertThat(slow.events()).isEmpty();
		released.countDown();
		await().untilAsserted(() -> assertThat(slow.replay()).isEqualTo(this.source.versions()));
		assertThat(slow.problems()).isEmpty();
	}

	@Test
	void laggingServer_isFollowed() {
		start();
		long version = this.source.version();
		this.source.put("d");
		this.source.put("a");
		awaitAgreement();
		this.source.failWatch(new ConnectException("Connection refused"));
		this.source.rollBack(version);
		awaitAgreement();
		this.source.put("a");
		this.source.delete("b");
		awaitAgreement();
	}

	@Test
	void restoredServerThatHasPassedTheLastVersion_isFollowed() {
		start();
		long version = this.source.version();
		this.source.put("d");
		this.source.put("a");
		awaitAgreement();
		long reached = this.source.version();
		this.source.rollBack(version);
		while (this.source.version() <= reached) {
			this.source.put("e");
		}
		awaitAgreement();
		this.source.put("a");
		awaitAgreement();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failOverToServerThatHasPassedTheLastVersion_isFollowed(boolean clean) {
		start();
		long version = this.source.version();
		this.source.put("d");
		this.source.put("a");
		awaitAgreement();
		failOver(version, clean, "e", "b");
		awaitAgreement();
		assertThat(this.relists).contains(RelistReason.ROLLBACK);
		this.source.put("a");
		awaitAgreement();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failOver_withoutAChangeSinceTheList_isFollowed(boolean clean) {
		long version = this.source.version();
		this.source.put("a");
		this.source.delete("b");
		start();
		failOver(version, clean, "c", "d");
		awaitAgreement();
		assertThat(this.relists).contains(RelistReason.ROLLBACK);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failOver_toServerWithOtherChangesAfterTheLastOne_isFollowed(boolean clean) {
		start();
		this.source.put("a");
		awaitAgreement();
		long version = this.source.version();
		bookmarks(6);
		failOver(version, clean, "c", "d");
		awaitAgreement();
		assertThat(this.relists).contains(RelistReason.ROLLBACK);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void failOver_toServerWithTheSameObjectAtTheLastVersion_isFollowed(boolean clean) {
		start();
		long version = this.source.version();
		this.source.put("b");
		this.source.put("a");
		awaitAgreement();
		failOver(version, clean, "c", "a");
		awaitAgreement();
		assertThat(this.relists).contains(RelistReason.ROLLBACK);
	}

	@Test
	void failOver_toServerWithoutADeletionOfTheOther_isFollowed() {
		start();
		long version = this.source.version();
		this.source.put("d");
		this.source.delete("b");
		awaitAgreement();
		failOver(version, false, "a");
		await().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(this.source.versions()));
		// it exists under its old UID
		assertThat(this.log.problems()).singleElement().asString().endsWith("is added again");
	}

	@Test
	void failOver_toServerWithoutAnObject_andWithALaterEvent_isFollowed() {
		start();
		long version = this.source.version();
		this.source.put("d");
		awaitAgreement();
		synchronized (this.source) {
			this.source.failOver(version, this.source::disconnect);
			this.source.bookmark();
			this.source.bookmark();
			this.source.put("e");
			this.source.bookmark();
		}
		awaitAgreement();
		assertThat(this.relists).containsExactly(RelistReason.ROLLBACK);
	}

	@Test
	void failOver_whileTheLastChangeIsCompacted_isFollowed() {
		start();
		this.source.put("a");
		awaitAgreement();
		long version = this.source.version();
		this.source.compact();
		bookmarks(3);
		failOver(version, false, "c", "b", "a");
		awaitAgreement();
	}

	@Test
	void failOver_toServerThatLagsBehind_isFollowed() {
		start();
		long version = this.source.version();
		this.source.put("a");
		this.source.put("b");
		awaitAgreement();
		this.source.failOver(version, this.source::disconnect);
		awaitAgreement();
	}

	@Test
	void brokenWatch_whoseLastChangeIsCompacted_isContinuedWithoutAList() {
		start();
		this.source.put("a");
		awaitAgreement();
		this.source.compact();
		bookmarks(1);
		this.source.disconnect();
		this.source.put("c");
		awaitAgreement();
		assertThat(this.relists).isEmpty();
	}

	/**
	 * Let another server answer from now on, which diverged after a version and has
	 * passed that of this one.
	 */
	private void failOver(long version, boolean clean, String... changed) {
		synchronized (this.source) {
			long reached = this.source.version();
			this.source.failOver(version, clean ? this.source::endWatches : this.source::disconnect);
			for (String name : changed) {
				this.source.put(name);
			}
			while (this.source.version() <= reached + 5) {
				this.source.bookmark();
			}
		}
	}

	private void bookmarks(int number) {
		for (int i = 0; i < number; i++) {
			this.source.bookmark();
		}
		await().until(() -> this.informer.lastSyncResourceVersion().equals(Long.toString(this.source.version())));
	}

	@Test
	void stormOfRejections_isSurvived() {
		for (int i = 0; i < 100; i++) {
			this.source.failList(429, "TooManyRequests");
			this.source.failWatch(429, "TooManyRequests");
		}
		start();
		this.source.put("a");
		awaitAgreement();
	}

	private static Map<String, String> versions(List<V1Pod> pods) {
		return pods.stream()
			.collect(toMap(ObjectKey::of, (pod) -> String.valueOf(pod.getMetadata().getResourceVersion())));
	}

	private void start() {
		start(this.source.versions());
	}

	private void start(Map<String, String> expected) {
		this.informer.start();
		awaitStore(expected);
		await().until(() -> this.source.openWatches() == 1);
	}

	private void awaitAgreement() {
		awaitStore(this.source.versions());
	}

	private void awaitStore(Map<String, String> expected) {
		await().ignoreExceptions().untilAsserted(() -> {
			Map<String, String> stored = this.informer.lister()
				.list()
				.stream()
				.collect(toMap(ObjectKey::of, (pod) -> String.valueOf(pod.getMetadata().getResourceVersion())));
			assertThat(stored).isEqualTo(expected);
			assertThat(this.log.replay()).isEqualTo(expected);
			assertThat(this.log.problems()).isEmpty();
		});
	}

}
