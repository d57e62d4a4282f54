/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

import dev.informer.BackoffPolicy;
import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.client.ListPage;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchEvent;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.TestObjects.pod;
import static dev.informer.testing.ScriptedSource.added;
import static dev.informer.testing.ScriptedSource.bookmark;
import static dev.informer.testing.ScriptedSource.error;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Reflector}.
 */
class ReflectorTests {

	private static final WatchEvent<V1Pod> LAST_EVENT = bookmark(100);

	private final FakeTime time = FakeTime.autoAdvancing();

	private final ScriptedSource source = new ScriptedSource(this.time);

	private final Recorder recorder = new Recorder();

	@Test
	void run_listsAndWatchesFromListVersion() {
		this.source.list(10, pod("a", 5)).watch(added(pod("b", 11)), bookmark(20));
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10");
		assertThat(this.recorder.calls).containsExactly("replace [a] at 10", "upsert b at 11", "bookmark 20");
	}

	@Test
	void run_requestsWatchesOfFiveToTenMinutes() {
		this.source.list(10);
		for (int i = 0; i < 50; i++) {
			this.source.watch(bookmark(11 + i));
		}
		run();
		assertThat(this.source.watchRequests()).hasSize(50)
			.allSatisfy((request) -> assertThat(request.timeout()).isBetween(Duration.ofMinutes(5),
					Duration.ofMinutes(10)));
		assertThat(this.source.watchRequests().stream().map((request) -> request.timeout()).distinct())
			.hasSizeGreaterThan(10);
	}

	@ParameterizedTest
	@ValueSource(ints = { 502, 503, 504 })
	void watch_refusedByLoadBalancer_checksForRollback(int code) {
		this.source.list(10).watchFails(code, "").list(20).watch(error(code, "")).list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "COMPARE \"\" limit 500",
				"WATCH 10", "COMPARE \"\" limit 500", "WATCH 10");
		assertThat(this.recorder.relists).isEmpty();
	}

	@Test
	void watch_connectionRefused_backsOffAtMostFiveSecondsWithoutList() {
		this.source.list(10).watch(() -> {
			throw new ConnectException("Connection refused");
		});
		for (int i = 0; i < 5; i++) {
			this.source.list((request, sink) -> {
				throw new ConnectException("Connection refused");
			});
		}
		this.source.list(10).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).startsWith("LIST \"0\" limit 500", "WATCH 10", "COMPARE \"\" limit 500")
			.endsWith("COMPARE \"\" limit 500", "WATCH 10")
			.hasSize(9);
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(800), Duration.ofMillis(1600),
				Duration.ofMillis(2500), Duration.ofMillis(2500), Duration.ofMillis(2500), Duration.ofMillis(2500));
		assertThat(this.recorder.ends).startsWith(WatchEnd.UNREACHABLE);
		assertThat(this.recorder.calls).hasSize(2);
	}

	@Test
	void watch_rolledBackDuringOutage_listsWithoutVersion() {
		this.source.list(50, pod("a", 50)).watch(() -> {
			throw new ConnectException("Connection refused");
		}).list(20).list(20, pod("a", 15)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 50", "COMPARE \"\" limit 500",
				"LIST \"\" limit 500", "WATCH 20");
		assertThat(this.recorder.calls).startsWith("replace [a] at 50", "replace [a] at 20 of another epoch");
		assertThat(this.recorder.relists).containsExactly(RelistReason.ROLLBACK);
	}

	@Test
	void watch_idleTimeout_checksForRollbackAndReconnects() {
		this.source.list(10)
			.watchBreaks(new SocketTimeoutException("timeout"), bookmark(20))
			.list(20)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "COMPARE \"\" limit 500",
				"WATCH 20");
		assertThat(this.source.idleTimeouts()).containsExactly(Duration.ofMinutes(3), Duration.ofMinutes(3));
	}

	@Test
	void watch_timesOut_repeatsTheLastChange() {
		this.source.list(10).watchBreaks(new InterruptedIOException("timeout"), added(pod("a", 20))).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 10");
		assertThat(this.recorder.calls).containsExactly("replace [] at 10", "upsert a at 20", "bookmark 100");
	}

	@Test
	void watch_closedWithoutAnEvent_checksForRollback() {
		this.source.list(50, pod("a", 50)).watch(() -> {
			return this.source.endless(() -> {
				this.time.advance(this.source.watchRequests().get(0).timeout());
				return null;
			});
		}).list(20).list(20, pod("b", 15)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 50", "LIST \"\" limit 1",
				"LIST \"\" limit 500", "WATCH 20");
		assertThat(this.recorder.relists).containsExactly(RelistReason.ROLLBACK);
	}

	@Test
	void rollbackCheck_notFound_isDormantAndListsAfterwards() {
		this.source.list(10).watch(() -> {
			throw new ConnectException("Connection refused");
		}).listFails(404, "NotFound").list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "COMPARE \"\" limit 500",
				"LIST \"10\"", "WATCH 20");
		assertThat(this.recorder.phases).containsSubsequence(Phase.BACKING_OFF, Phase.DORMANT, Phase.WATCHING);
	}

	@Test
	void list_badRequest_failsWithMessageOfServer() {
		this.source.listFails(400, "BadRequest").list(10);
		Reflector<V1Pod> reflector = run();
		assertThat(this.source.requests()).hasSize(1);
		assertThat(reflector.state().phase()).isEqualTo(Phase.FAILED);
		assertThat(this.recorder.failures).singleElement()
			.satisfies((failure) -> assertThat(failure.message()).contains("label selector (none)",
					"400 BadRequest: for the test"));
	}

	@Test
	void run_afterPermanentFailure_listsAgain() {
		this.source.listFails(400, "BadRequest").list(10).watch(LAST_EVENT);
		Reflector<V1Pod> reflector = run();
		reflector.reset();
		reflector.run();
		assertThat(this.source.requests()).endsWith("LIST \"0\" limit 500", "WATCH 10");
	}

	@Test
	void run_again_listsFromLastVersion() {
		this.source.list(10).watch(bookmark(20));
		Reflector<V1Pod> reflector = run();
		this.source.list(30).watch(bookmark(40));
		reflector.reset();
		reflector.run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"20\"",
				"WATCH 30");
	}

	@Test
	void failures_areKeptInStateUntilWatchIsOpen() {
		this.source.listFails(500, "InternalError").listFails(500, "InternalError").list(10).watch(LAST_EVENT);
		run();
		InformerState last = this.recorder.states.stream()
			.filter((state) -> state.phase() == Phase.BACKING_OFF)
			.reduce((one, other) -> other)
			.orElseThrow();
		assertThat(last.failure()).isNotNull();
		assertThat(last.nextAttempt()).isAfter(last.failure().time());
		assertThat(last.failingSince()).isNotNull();
		assertThat(last.failingSince().time()).isBefore(last.failure().time());
		assertThat(this.recorder.states).filteredOn((state) -> state.phase() == Phase.WATCHING)
			.anySatisfy((state) -> assertThat(state.failure()).isNull());
	}

	@Test
	void backoff_afterTwoMinutesWithoutFailure_isReset() {
		this.source.list(10).watchFails(500, "InternalError").watchFails(500, "InternalError").watch(() -> {
			this.time.advance(Duration.ofMinutes(3));
			throw new ServerStatusException(ScriptedSource.status(500, "InternalError"));
		}).watch(LAST_EVENT);
		run();
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(800), Duration.ofMillis(1600),
				Duration.ofMillis(800));
	}

	@Test
	void backoff_customPolicy_isUsed() {
		BackoffPolicy custom = new BackoffPolicy(Duration.ofMillis(10), 3, Duration.ofMillis(20), Duration.ZERO,
				Duration.ofHours(1));
		this.source.listFails(500, "").listFails(500, "").listFails(500, "").list(10).watch(LAST_EVENT);
		this.recorder.reflector(this.source, this.time, (options) -> options.backoff(custom)).run();
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(10), Duration.ofMillis(20),
				Duration.ofMillis(20));
	}

	@Test
	void relist_reusesCachedObjects() {
		V1Pod known = pod("a", 10);
		this.source.list(50, known).watchFails(410, "Expired").list(offering(60, known)).watch(LAST_EVENT);
		run();
		assertThat(this.recorder.calls).startsWith("replace [a] at 50", "replace [a] at 60");
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("LIST")).hasSize(2);
	}

	@Test
	void relist_ofAnotherEpoch_decodesEverything() {
		V1Pod known = pod("a", 10);
		this.source.list(50, known)
			.watchFails(410, "Expired")
			.list(offering(20, known))
			.list(20, pod("b", 10))
			.watch(LAST_EVENT);
		run();
		assertThat(this.recorder.calls).startsWith("replace [a] at 50", "replace [b] at 20 of another epoch");
	}

	/**
	 * The store waits for the next comparison of a corrupted cache, and computes its time
	 * when a watch is reported.
	 */
	@Test
	void watch_isReportedWhenItCanBeEndedForAComparison() {
		List<Reflector<V1Pod>> reflectors = new ArrayList<>();
		List<Long> nanos = new ArrayList<>();
		reflectors.add(TestSettings.reflector(TestSettings.of(InformerOptions.DEFAULT), this.source,
				this.recorder.cache, this.recorder::record, this.time, (event) -> {
					if (event instanceof InformerEvent.StateChanged changed
							&& changed.state().phase() == Phase.WATCHING) {
						nanos.add(reflectors.get(0).superviseWatch());
					}
				}));
		this.source.atEnd(reflectors.get(0)::stop);
		this.source.list(10).watchBreaks(new InterruptedIOException("timeout"), added(pod("a", 20))).watch(() -> {
			reflectors.get(0).corrupted(List.of());
			return this.source.endless(new ArrayDeque<>(List.of(added(pod("a", 20)), LAST_EVENT))::poll);
		});
		reflectors.get(0).run();
		assertThat(nanos.get(nanos.size() - 1)).isEqualTo(Duration.ofSeconds(30).toNanos());
	}

	@Test
	void interruptFlagOfUserCode_endsNothing() {
		Reflector<V1Pod> reflector = TestSettings.reflector(TestSettings.of(InformerOptions.DEFAULT), this.source,
				this.recorder.cache, (delta) -> {
					this.recorder.accept(delta);
					Thread.currentThread().interrupt();
					return delta;
				}, this.time, (event) -> {
					this.recorder.onEvent(event);
					Thread.currentThread().interrupt();
				});
		this.source.atEnd(reflector::stop);
		this.source.list((request, sink) -> {
			requireNoInterrupt();
			sink.accept(pod("a", 5));
			return new ListPage("10", null);
		}).watch(() -> {
			requireNoInterrupt();
			Deque<WatchEvent<V1Pod>> events = new ArrayDeque<>(List.of(bookmark(20), bookmark(30)));
			return this.source.endless(() -> {
				requireNoInterrupt();
				return events.poll();
			});
		}).watchFails(500, "InternalError").watch(bookmark(40));
		reflector.run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 30", "WATCH 30");
		assertThat(this.recorder.failures).first().extracting(InformerFailure::kind).isEqualTo(Kind.OVERLOADED);
	}

	private static void requireNoInterrupt() {
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	private static ScriptedSource.ListAnswer offering(long resourceVersion, V1Pod pod) {
		return (request, sink) -> {
			sink.accept(Objects.requireNonNull(Objects.requireNonNull(sink.find(ObjectState.of(pod))).object()));
			return new ListPage(Long.toString(resourceVersion), null);
		};
	}

	private Reflector<V1Pod> run() {
		Reflector<V1Pod> reflector = this.recorder.reflector(this.source, this.time);
		reflector.run();
		return reflector;
	}

}
