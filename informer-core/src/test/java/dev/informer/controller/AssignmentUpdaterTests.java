/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.BackoffPolicy;
import dev.informer.InformerEvent;
import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ListerWatcher;
import dev.informer.client.TimeSource;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.Await.await;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AssignmentUpdater}: namespaces that join and leave a running informer.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class AssignmentUpdaterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int FLIPS = 200;

	private static final BackoffPolicy FAST = new BackoffPolicy(Duration.ofMillis(5), 2, Duration.ofMillis(50),
			Duration.ofMillis(5), Duration.ofMinutes(2));

	private final FakeSource source = new FakeSource();

	private final FakeAssignment assignment = new FakeAssignment();

	private final FakePermissions permissions = new FakePermissions();

	private final AtomicInteger threadFailures = new AtomicInteger();

	private final List<InformerEvent> events = new CopyOnWriteArrayList<>();

	private final EventLog<V1Pod> log = new EventLog<V1Pod>().withReturns();

	private SharedIndexInformer<V1Pod> informer = informer(TimeSource.SYSTEM);

	@BeforeEach
	void addHandler() {
		this.source.put("a");
		this.source.put("other/b");
		this.informer.addHandler(this.log);
	}

	@AfterEach
	void close() {
		this.informer.close();
	}

	private SharedIndexInformer<V1Pod> informer(TimeSource time) {
		return informer(time, InformerOptions.DEFAULT.maxSelectedNamespaces());
	}

	private SharedIndexInformer<V1Pod> informer(TimeSource time, int limit) {
		return FakeInformers.assignedPods(this::source, this.assignment,
				new InformerOptions.Builder(InformerOptions.DEFAULT).namespaceSelector("team=a")
					.maxSelectedNamespaces(limit)
					.backoff(FAST)
					.build(),
				(settings) -> settings.addListener(this.events::add).threadFactory(this::newThread).time(time));
	}

	private ListerWatcher<V1Pod> source(String namespace) {
		return this.permissions.check(namespace, this.source.in(namespace));
	}

	private Thread newThread(Runnable task) {
		if (this.threadFailures.get() > 0 && this.threadFailures.getAndDecrement() > 0) {
			throw new IllegalStateException("for the test");
		}
		return new Thread(task);
	}

	@Test
	void unknownNamespaces_areWaitedFor_andNoneIsEnough() throws Exception {
		this.informer.start();
		assertThat(this.informer.awaitSynced(Duration.ofMillis(50))).isFalse();
		assertThat(this.source.requests()).isEmpty();
		this.assignment.assign();
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
		assertThat(this.informer.state().phase()).isEqualTo(Phase.WATCHING);
		assertThat(this.informer.statesByNamespace()).isEmpty();
		assertThat(this.informer.lastSyncResourceVersion()).isEmpty();
		assertThat(this.informer.awaitAtLeast("1", LONG)).isTrue();
		this.informer.relist();
		this.informer.resync();
		assertThat(this.informer.lister().list()).isEmpty();
		assertThat(this.source.requests()).isEmpty();
		this.informer.stop(LONG);
		assertThat(this.informer.state().phase()).isEqualTo(Phase.STOPPED);
	}

	@Test
	void joiningNamespace_isListed_andNoOther() throws Exception {
		start("ns");
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("LIST")).hasSize(1);
		this.assignment.assign("ns", "other");
		awaitAgreement("ns", "other");
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("LIST")).hasSize(2);
		assertThat(this.log.events()).last().isInstanceOfSatisfying(Added.class, (added) -> {
			assertThat(((V1Pod) added.object()).getMetadata().getNamespace()).isEqualTo("other");
			assertThat(added.initialList()).isFalse();
		});
		assertThat(changes()).containsExactly(Set.of("ns"), Set.of("ns", "other"));
		assertThat(this.informer.lister().indexValues("namespace")).containsExactlyInAnyOrder("ns", "other");
	}

	@Test
	void leavingNamespace_isDeleted_andItsThreadAndWatchEnd() throws Exception {
		start("ns", "other");
		await().untilAsserted(() -> assertThat(this.source.openWatches()).isEqualTo(2));
		this.assignment.assign("ns");
		awaitAgreement("ns");
		assertThat(this.log.events()).last()
			.isInstanceOfSatisfying(Deleted.class, (deleted) -> assertThat(deleted.finalStateUnknown()).isTrue());
		awaitThreads("ns");
		assertThat(this.source.openWatches()).isOne();
		assertThat(this.informer.lister().indexValues("namespace")).containsExactly("ns");
		this.source.put("other/b");
		this.source.put("a");
		awaitAgreement("ns");
		assertThat(this.informer.lastSyncResourceVersion()).isEqualTo(Long.toString(this.source.version()));
	}

	@Test
	void manyFlips_endInTheStateOfTheServer() throws Exception {
		start("ns");
		Random random = new Random(7);
		for (int i = 0; i < FLIPS; i++) {
			this.assignment.flip(random.nextBoolean() ? "other" : "third");
			this.source.put("a");
			this.source.put("other/b");
			this.source.put("third/c" + random.nextInt(3));
			this.source.delete("third/c" + random.nextInt(3));
			if (random.nextInt(20) == 0) {
				this.source.compactAndBreakWatches();
			}
		}
		this.assignment.assign("ns", "other", "third");
		awaitAgreement("ns", "other", "third");
		awaitThreads("ns", "other", "third");
		this.assignment.assign("third");
		awaitAgreement("third");
		awaitThreads("third");
		await().untilAsserted(() -> assertThat(this.source.openWatches()).isOne());
	}

	@Test
	void lateList_ofReflectorWhoseNamespaceLeft_isDropped() throws Exception {
		CountDownLatch busy = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		this.informer.setTransform((pod) -> {
			if (pod.getMetadata().getNamespace().equals("other") && calls.incrementAndGet() == 1) {
				busy.countDown();
				release.await();
			}
			return pod;
		});
		start("ns");
		this.assignment.assign("ns", "other");
		busy.await();
		this.assignment.assign("ns");
		await().untilAsserted(() -> assertThat(changes()).last().isEqualTo(Set.of("ns")));
		this.source.delete("other/b");
		this.source.put("other/later");
		this.assignment.assign("ns", "other");
		awaitAgreement("ns", "other");
		release.countDown();
		await().untilAsserted(() -> assertThat(NoThreadLeft.informerThreads())
			.filteredOn((name) -> name.equals("informer-pods-reflector-other"))
			.hasSize(1));
		this.source.put("other/last");
		awaitAgreement("ns", "other");
		assertThat(this.log.story()).doesNotContain("ADDED other/b");
	}

	@Test
	void returningNamespace_isNotOlderThanBefore() throws Exception {
		start("ns", "other");
		this.source.put("other/b");
		awaitAgreement("ns", "other");
		this.assignment.assign("ns");
		awaitAgreement("ns");
		this.source.lag(3);
		this.log.clear();
		this.assignment.assign("ns", "other");
		awaitAgreement("ns", "other");
		this.source.put("other/last");
		awaitAgreement("ns", "other");
		assertThat(this.log.story()).containsExactly("ADDED other/b", "ADDED other/last");
	}

	@Test
	void namespaceThatLeavesWhileStopped_isDeletedByTheNextStart() throws Exception {
		start("ns", "other");
		this.informer.stop(LONG);
		int requests = this.source.requests().size();
		this.assignment.assign("ns");
		assertThat(this.informer.lister().list()).hasSize(2);
		start();
		awaitAgreement("ns");
		// the cache agrees before the list of this run
		await().untilAsserted(() -> assertThat(this.source.openWatches()).isOne());
		assertThat(this.source.requests()).hasSizeGreaterThan(requests)
			.filteredOn((request) -> request.startsWith("LIST"))
			.hasSize(3);
	}

	@Test
	void stopDuringJoin_endsItsThread() throws Exception {
		CountDownLatch busy = new CountDownLatch(1);
		this.informer.setTransform((pod) -> {
			if (pod.getMetadata().getNamespace().equals("other")) {
				busy.countDown();
			}
			return pod;
		});
		start("ns");
		this.assignment.assign("ns", "other");
		busy.await();
		this.informer.stop(Duration.ZERO);
		await().untilAsserted(() -> assertThat(NoThreadLeft.informerThreads()).isEmpty());
		this.informer.start();
		awaitAgreement("ns", "other");
	}

	@Test
	void threadThatCannotBeStarted_isReported_delaysNoOther_andIsStartedLater() throws Exception {
		FakeTime time = FakeTime.manual();
		this.informer.close();
		this.informer = informer(time);
		this.informer.addHandler(this.log);
		this.source.put("third/c");
		start("ns");
		this.threadFailures.set(1);
		this.assignment.assign("ns", "other", "third");
		await().untilAsserted(
				() -> assertThat(failures()).contains("Cannot start the threads of joined namespaces; retrying"));
		this.source.put("a");
		awaitAgreement("ns", "third");
		time.advance(Duration.ofSeconds(1));
		awaitAgreement("ns", "other", "third");
	}

	@Test
	void namespaceWithoutPermission_delaysNoOther_andJoinsLater() throws Exception {
		this.permissions.deny("other");
		start("ns", "other");
		awaitAgreement("ns");
		assertThat(this.informer.statesByNamespace()).hasEntrySatisfying("other",
				(state) -> assertThat(state.failure()).isNotNull()
					.satisfies((failure) -> assertThat(failure.kind()).isEqualTo(Kind.FORBIDDEN)));
		assertThat(this.informer.state().failingSince()).isNotNull();
		EventLog<V1Pod> late = new EventLog<>();
		assertThat(this.informer.addHandler(late).awaitSynced(LONG)).isTrue();
		assertThat(late.replay()).containsOnlyKeys("ns/a");
		this.permissions.allow();
		awaitAgreement("ns", "other");
		await().untilAsserted(() -> assertThat(this.informer.state().failingSince()).isNull());
	}

	@Test
	void namespacesBeyondTheLimit_areNotWatched_untilOthersLeave() throws Exception {
		limit(2);
		this.source.put("third/c");
		start("ns", "third");
		awaitAgreement("ns", "third");
		this.assignment.assign("ns", "other", "third");
		await().untilAsserted(() -> assertThat(this.informer.omittedNamespaces()).containsExactly("other"));
		assertThat(this.informer.statesByNamespace()).containsOnlyKeys("ns", "third");
		assertThat(this.informer.hasSynced()).isTrue();
		assertThat(this.informer.state().failingSince()).isNotNull();
		assertThat(this.informer.state().failure()).isNotNull()
			.satisfies((failure) -> assertThat(failure.message()).contains("1 of the 3 namespaces", "'team=a'",
					"max-selected-namespaces is 2. Raise it"));
		this.source.put("a");
		this.source.put("third/c");
		awaitAgreement("ns", "third");
		this.assignment.assign("other", "third");
		awaitAgreement("other", "third");
		awaitThreads("other", "third");
		assertThat(this.informer.omittedNamespaces()).isEmpty();
		await().untilAsserted(() -> assertThat(this.informer.state().failingSince()).isNull());
	}

	@Test
	void namespacesBeyondTheLimit_atTheStart_areTheLastByName_alsoAfterARestart() throws Exception {
		limit(1);
		start("other", "ns");
		awaitAgreement("ns");
		assertThat(this.informer.omittedNamespaces()).containsExactly("other");
		this.assignment.assign("other");
		awaitAgreement("other");
		this.assignment.assign("ns", "other");
		await().untilAsserted(() -> assertThat(this.informer.omittedNamespaces()).containsExactly("ns"));
		this.informer.stop(LONG);
		assertThat(this.informer.state().failure()).isNull();
		start();
		awaitAgreement("other");
		await().untilAsserted(() -> assertThat(this.informer.state().failure()).isNotNull());
		assertThat(this.informer.omittedNamespaces()).containsExactly("ns");
	}

	@Test
	void omittedNamespaces_areLoggedOncePerNumber_andPublished() throws Exception {
		limit(1);
		Logger logger = (Logger) LoggerFactory.getLogger(SharedIndexInformer.class);
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		logger.setLevel(Level.INFO);
		try {
			start("ns");
			for (String[] matching : new String[][] { { "ns", "other" }, { "ns", "third" }, { "ns", "other", "third" },
					{ "ns" } }) {
				int before = changes().size();
				this.assignment.assign(matching);
				await().untilAsserted(() -> assertThat(changes()).hasSize(before + 1));
			}
			assertThat(changes()).containsOnly(Set.of("ns"));
		}
		finally {
			logger.detachAppender(lines);
			logger.setLevel(null);
		}
		assertThat(lines.list).filteredOn((line) -> line.getLevel() == Level.WARN)
			.extracting(ILoggingEvent::getFormattedMessage)
			.satisfiesExactly(
					(line) -> assertThat(line).startsWith("Informer 'pods' is incomplete: Cannot watch 1 of the 2 "),
					(line) -> assertThat(line).contains("2 of the 3 namespaces",
							"max-selected-namespaces is 1. Raise it"));
		assertThat(lines.list).last().asString().contains("watches all namespaces that match its namespace-selector");
		assertThat(failures()).hasSize(2).allSatisfy((failure) -> assertThat(failure).startsWith("Cannot watch "));
	}

	@Test
	void objectInOmittedNamespace_isDiagnosedAsSuch() throws Exception {
		limit(1);
		start("ns", "other");
		await().untilAsserted(() -> assertThat(this.informer.omittedNamespaces()).containsExactly("other"));
		assertThat(this.informer.handlers().get(0).diagnose("other", "b").causes()).singleElement()
			.satisfies((cause) -> assertThat(cause.message()).contains("does not watch the namespace other",
					"max-selected-namespaces"));
	}

	private void limit(int namespaces) {
		this.informer.close();
		this.informer = informer(TimeSource.SYSTEM, namespaces);
		this.informer.addHandler(this.log);
	}

	@Test
	void permanentFailureOfTheSelection_endsWaits() {
		this.informer.start();
		InformerFailure failure = new InformerFailure(Kind.INVALID, "for the test", Instant.EPOCH,
				new IllegalArgumentException());
		this.assignment.fail(failure);
		assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> this.informer.awaitSynced(LONG))
			.withMessageContaining("for the test");
		assertThat(this.informer.state().phase()).isEqualTo(Phase.FAILED);
	}

	private void start(String... namespaces) throws InterruptedException {
		if (namespaces.length > 0) {
			this.assignment.assign(namespaces);
		}
		this.informer.start();
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
	}

	private void awaitAgreement(String... namespaces) {
		List<String> expected = Arrays.asList(namespaces);
		await().untilAsserted(() -> {
			Map<String, String> versions = this.source.versions()
				.entrySet()
				.stream()
				.filter((entry) -> expected.contains(entry.getKey().split("/")[0]))
				.collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
			assertThat(this.log.replay()).isEqualTo(versions);
			assertThat(this.informer.lister().list()).hasSameSizeAs(versions.keySet());
		});
		assertThat(this.log.problems()).isEmpty();
	}

	private static void awaitThreads(String... namespaces) {
		String prefix = "informer-pods-reflector-";
		await().untilAsserted(
				() -> assertThat(NoThreadLeft.informerThreads()).filteredOn((name) -> name.startsWith(prefix))
					.containsExactlyInAnyOrderElementsOf(
							Arrays.stream(namespaces).map((namespace) -> prefix + namespace).toList()));
	}

	private List<Set<String>> changes() {
		return this.events.stream()
			.filter(InformerEvent.NamespacesChanged.class::isInstance)
			.map((event) -> ((InformerEvent.NamespacesChanged) event).namespaces())
			.toList();
	}

	private List<String> failures() {
		return this.events.stream()
			.filter(InformerEvent.Failed.class::isInstance)
			.map((event) -> ((InformerEvent.Failed) event).failure().message())
			.toList();
	}

}
