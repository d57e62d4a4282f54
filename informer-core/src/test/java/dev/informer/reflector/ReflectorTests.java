/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

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
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.conformance.Conformance;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.TestObjects.pod;
import static dev.informer.testing.ScriptedSource.added;
import static dev.informer.testing.ScriptedSource.bookmark;
import static dev.informer.testing.ScriptedSource.deleted;
import static dev.informer.testing.ScriptedSource.error;
import static dev.informer.testing.ScriptedSource.modified;
import static dev.informer.testing.ScriptedSource.undecodable;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Reflector}.
 */
class ReflectorTests {

	private static final WatchEvent<V1Pod> LAST_EVENT = bookmark(100);

	private final FakeTime time = FakeTime.autoAdvancing();

	private final ScriptedSource source = new ScriptedSource();

	private final Recorder recorder = new Recorder();

	private BackoffPolicy backoff = new BackoffPolicy(Duration.ofMillis(800), 2, Duration.ofSeconds(30), Duration.ZERO,
			Duration.ofMinutes(2));

	@Conformance("RV \"0\" first, then last")
	@Test
	void run_listsAndWatchesFromListVersion() {
		this.source.list(10, pod("a", 5)).watch(added(pod("b", 11)), bookmark(20));
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10");
		assertThat(this.recorder.calls).containsExactly("replace [a] at 10", "upsert b at 11", "bookmark 20");
	}

	@Conformance("watch timeouts within bounds")
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

	@Conformance("RV follows ADDED, MODIFIED, DELETED, BOOKMARK (10,20,30,40)")
	@Test
	void watch_closedAfterProgress_reconnectsAtOnceFromLastVersion() {
		this.source.list(10)
			.watch(added(pod("a", 10 + 10)), modified(pod("a", 30)), deleted(pod("a", 40)))
			.watch(bookmark(50))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 40", "WATCH 50");
		assertThat(this.time.waits()).isEmpty();
		assertThat(this.recorder.ends).containsExactly(WatchEnd.CLOSED, WatchEnd.CLOSED, WatchEnd.CLOSED);
	}

	@Test
	void watch_brokenAfterProgress_reconnectsAtOnce() {
		this.source.list(10).watchBreaks(new IOException("reset"), added(pod("a", 20))).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 20");
		assertThat(this.time.waits()).isEmpty();
		assertThat(this.recorder.ends).startsWith(WatchEnd.BROKEN);
	}

	@Conformance("wrong type skipped and RV still follows the server even downwards")
	@Test
	void watch_versionDecreases_followsServer() {
		this.source.list(30).watch(modified(pod("a", 20))).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 30", "WATCH 20");
	}

	@Conformance("empty closed watch is a very short watch")
	@Test
	void watch_veryShort_backsOffAndListsOnlyAfterTheThird() {
		this.source.list(10).watch().watchBreaks(new IOException("reset")).watch().list(10).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 10", "WATCH 10",
				"LIST \"10\"", "WATCH 10");
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(800), Duration.ofMillis(1600),
				Duration.ofMillis(3200));
		assertThat(this.recorder.relists).containsExactly(RelistReason.UNUSABLE_WATCH);
	}

	@Conformance("backoff on 429")
	@Conformance("no relist on 429 (1 LIST, 5 WATCH)")
	@Test
	void watch_tooManyRequests_backsOffWithoutList() {
		this.source.list(10)
			.watchFails(429, "TooManyRequests")
			.watchFails(429, "TooManyRequests")
			.watch(error(429, "TooManyRequests"))
			.watchFails(500, "InternalError")
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 10", "WATCH 10",
				"WATCH 10", "WATCH 10");
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(800), Duration.ofMillis(1600),
				Duration.ofMillis(3200), Duration.ofMillis(2500));
	}

	@Conformance("rollback of the server")
	@ParameterizedTest
	@ValueSource(ints = { 502, 503, 504 })
	void watch_refusedByLoadBalancer_checksForRollback(int code) {
		this.source.list(10).watchFails(code, "").list(20).watch(error(code, "")).list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "COMPARE \"\" limit 500",
				"WATCH 10", "COMPARE \"\" limit 500", "WATCH 10");
		assertThat(this.recorder.relists).isEmpty();
	}

	@Conformance("backoff on 429")
	@Test
	void watch_retryAfterLongerThanBackoff_isObeyed() {
		this.source.list(10).watch(() -> {
			throw new ServerStatusException(
					new ServerStatus(429, "TooManyRequests", "", List.of(), Duration.ofSeconds(7)));
		}).watch(LAST_EVENT);
		run();
		assertThat(this.time.waits()).containsExactly(Duration.ofSeconds(7));
	}

	@Conformance("backoff on refused connection")
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

	@Conformance("rollback of the server")
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

	@Conformance("idle timeout armed and not armed")
	@Test
	void watch_idleTimeout_checksForRollbackAndReconnects() {
		this.source.list(10)
			.watchBreaks(new SocketTimeoutException("timeout"), bookmark(20))
			.list(20)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"\" limit 1",
				"WATCH 20");
		assertThat(this.source.idleTimeouts()).containsExactly(Duration.ofMinutes(3), Duration.ofMinutes(3));
	}

	@Conformance("idle timeout armed and not armed")
	@Test
	void watch_timesOut_checksForRollback() {
		this.source.list(10)
			.watchBreaks(new InterruptedIOException("timeout"), added(pod("a", 20)))
			.list(30)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"\" limit 1",
				"WATCH 20");
	}

	@Conformance("rollback of the server")
	@Test
	void watch_closedWithoutAnEvent_checksForRollback() {
		this.source.list(50, pod("a", 50)).watch(() -> {
			return this.source.endless(() -> {
				this.time.advance(Duration.ofMinutes(5));
				return null;
			});
		}).list(20).list(20, pod("b", 15)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 50", "LIST \"\" limit 1",
				"LIST \"\" limit 500", "WATCH 20");
		assertThat(this.recorder.relists).containsExactly(RelistReason.ROLLBACK);
	}

	@Conformance("idle timeout armed and not armed")
	@Test
	void watch_withoutBookmarks_hasNoIdleTimeout() {
		this.source.list(10).watch(added(pod("a", 20))).watch(added(pod("b", 30)));
		run();
		assertThat(this.source.idleTimeouts()).isEmpty();
	}

	@Conformance("list allowed, watch denied")
	@Test
	void watch_denied_listsEveryFiveMinutes() {
		this.source.list(10, pod("a", 1));
		for (int i = 0; i < 46; i++) {
			this.source.watchFails(403, "Forbidden");
		}
		this.source.list(20, pod("b", 2)).watch(LAST_EVENT);
		run();
		assertThat(this.recorder.relists).containsExactly(RelistReason.WATCH_DENIED);
		assertThat(this.recorder.calls).contains("replace [b] at 20");
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("LIST")).hasSize(2);
	}

	@Conformance("stops watch on ERROR event")
	@Test
	void watch_expired_backsOffOnceAndListsFromLastVersion() {
		this.source.list(10).watch(bookmark(20)).watch(error(410, "Expired")).list(30).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 20",
				"LIST \"20\"", "WATCH 30");
		assertThat(this.time.waits()).hasSize(1);
		assertThat(this.recorder.relists).containsExactly(RelistReason.EXPIRED);
	}

	@Test
	void watch_forbidden_retriesWithoutListAndNamesMissingVerb() {
		this.source.list(10).watchFails(403, "Forbidden").watch(bookmark(20));
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 10");
		assertThat(this.recorder.failures).first().satisfies((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.FORBIDDEN);
			assertThat(failure.message()).contains("403", "watch pods in all namespaces",
					"Grant the verb watch on pods", "ClusterRole");
		});
	}

	@Test
	void watch_unauthorized_retriesWithoutList() {
		this.source.list(10).watchFails(401, "Unauthorized").watch(error(401, "Unauthorized")).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 10", "WATCH 10");
		assertThat(this.recorder.failures).extracting(InformerFailure::kind)
			.containsExactly(Kind.UNAUTHORIZED, Kind.UNAUTHORIZED);
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
	void watch_notFound_isDormantAndListsAfterwards() {
		this.source.list(10).watchFails(404, "NotFound").listFails(404, "NotFound").list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST \"10\"", "WATCH 20");
		assertThat(this.recorder.phases).containsSubsequence(Phase.DORMANT, Phase.LISTING, Phase.DORMANT, Phase.LISTING,
				Phase.WATCHING);
	}

	@Conformance("stops watch on ERROR event")
	@Test
	void watch_otherError_lists() {
		this.source.list(10).watch(error(418, "Teapot")).list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"WATCH 20");
	}

	@Conformance("wrong type skipped and RV still follows the server even downwards")
	@Test
	void watch_objectOfAnotherKind_isSkippedAndVersionAdvances() {
		this.source.list(40)
			.watch(new WatchEvent.Undecodable<>(ChangeType.DELETED, undecodable(null, 30)), added(pod("b", 50)),
					new WatchEvent.Undecodable<>(ChangeType.ADDED, undecodable(null, 20)))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 40", "WATCH 20");
		assertThat(this.recorder.calls).startsWith("replace [] at 40", "bookmark 30", "upsert b at 50", "bookmark 20");
	}

	@Test
	void watch_malformedTwiceAtOneVersion_lists() {
		MalformedResponseException malformed = new MalformedResponseException("no JSON");
		this.source.list(10).watchBreaks(malformed, bookmark(20)).watchBreaks(malformed).list(30).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 20",
				"LIST \"20\"", "WATCH 30");
	}

	@Test
	void watch_malformedAfterEventsOfTheSameVersion_lists() {
		MalformedResponseException malformed = new MalformedResponseException("no JSON");
		this.source.list(10)
			.watchBreaks(malformed, bookmark(10))
			.watchBreaks(malformed, bookmark(10))
			.list(30)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 10",
				"LIST \"10\"", "WATCH 30");
	}

	@Test
	void watch_undecodableEvent_continuesWithNextEvent() {
		this.source.list(10)
			.watch(new WatchEvent.Undecodable<>(ChangeType.MODIFIED, undecodable("a", 20)), added(pod("b", 30)))
			.watch(LAST_EVENT);
		run();
		assertThat(this.recorder.calls).containsExactly("replace [] at 10", "bookmark 20", "upsert b at 30",
				"bookmark 100");
		assertThat(this.recorder.failures).first().satisfies((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.UNDECODABLE_OBJECT);
			assertThat(failure.message()).contains("pods", "ns/a", "spec: for the test");
		});
	}

	@Conformance("page size 4")
	@Test
	void list_paged_readsAllPagesAndTakesVersionOfFirst() {
		this.source.page(10, "more", pod("a", 1))
			.page(11, "evenmore", pod("b", 2))
			.page(12, null, pod("c", 3))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more",
				"LIST continue evenmore", "WATCH 10");
		assertThat(this.recorder.calls).startsWith("replace [a, b, c] at 10");
	}

	@Conformance("paging stays on once the watch cache proved to be off")
	@Test
	void list_serverPagesAtVersionZero_keepsPaging() {
		this.source.page(10, "more", pod("a", 1))
			.page(10, null)
			.watch(error(410, "Expired"))
			.list(20)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more", "WATCH 10",
				"LIST \"10\" limit 500", "WATCH 20");
	}

	@Test
	void list_pageFailsTemporarily_resumesWithSameToken() {
		this.source.page(10, "more", pod("a", 1)).list((request, sink) -> {
			sink.accept(pod("half", 2));
			throw new IOException("cut");
		}).listFails(429, "TooManyRequests").page(10, null, pod("b", 2)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more",
				"LIST continue more", "LIST continue more", "WATCH 10");
		assertThat(this.recorder.calls).startsWith("replace [a, b] at 10");
	}

	@Test
	void list_relistRequestedWhileAPageBacksOff_listsFromTheStart() {
		this.source.page(10, "more", pod("a", 1))
			.listFails(429, "TooManyRequests")
			.list(20, pod("b", 2))
			.watch(LAST_EVENT);
		AtomicReference<@Nullable Reflector<V1Pod>> running = new AtomicReference<>();
		Reflector<V1Pod> reflector = new Reflector<>(TestSettings.of(InformerOptions.DEFAULT), this.source,
				this.recorder, this.time, (event) -> {
					if (event instanceof InformerEvent.Failed && this.recorder.calls.isEmpty()) {
						Objects.requireNonNull(running.get()).relist(RelistReason.FAILURE);
					}
				});
		running.set(reflector);
		this.source.atEnd(reflector::stop);
		reflector.run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more",
				"LIST \"0\" limit 500", "WATCH 20");
		assertThat(this.recorder.calls).startsWith("replace [b] at 20");
	}

	@Conformance("full list if expired on page 2 (\"0\",\"10\",\"\",\"10\")")
	@Test
	void list_expiresOnSecondPage_listsWithoutPages() {
		this.source.list(10).watch(error(410, "Expired"));
		this.source.page(10, "more", pod("a", 1)).listFails(410, "Expired").list(30, pod("b", 2)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST continue more", "LIST \"10\"", "WATCH 30");
		assertThat(this.recorder.calls).contains("replace [b] at 30");
	}

	@Conformance("expired exact RV (\"0\",\"10\",\"\")")
	@Test
	void list_expired_retriesOnceWithoutVersion() {
		this.source.list(10).watch(error(410, "Expired")).listFails(410, "Expired").list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST \"\" limit 500", "WATCH 20");
	}

	@Conformance("too large (\"0\",\"20\",\"\",\"30\",\"\",\"40\",\"\")")
	@Test
	void list_versionTooLargeInAnyForm_listsWithoutVersion() {
		this.source.list(20)
			.watch(error(410, "Expired"))
			.listFails(new ServerStatus(504, "Timeout", "Timeout: sorry", List.of("ResourceVersionTooLarge"), null))
			.list(30)
			.watch(error(410, "Expired"))
			.listFails(new ServerStatus(504, "Timeout", "Timeout: sorry", List.of("Too large resource version"), null))
			.list(40)
			.watch(error(410, "Expired"))
			.listFails(new ServerStatus(504, "Timeout", "Timeout: Too large resource version: 40, current: 9",
					List.of(), null))
			.list(50)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("LIST"))
			.containsExactly("LIST \"0\" limit 500", "LIST \"20\"", "LIST \"\" limit 500", "LIST \"30\"",
					"LIST \"\" limit 500", "LIST \"40\"", "LIST \"\" limit 500");
	}

	@Conformance("too large (\"0\",\"20\",\"\",\"30\",\"\",\"40\",\"\")")
	@Test
	void list_versionTooLarge_listsWithoutVersionUntilSuccess() {
		this.source.list(20)
			.watch(error(410, "Expired"))
			.listFails(new ServerStatus(504, "Timeout", "Too large resource version", List.of(), null))
			.listFails(500, "InternalError")
			.list(10)
			.watch(error(410, "Expired"))
			.list(11)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 20", "LIST \"20\"",
				"LIST \"\" limit 500", "LIST \"\" limit 500", "WATCH 10", "LIST \"10\"", "WATCH 11");
	}

	@Conformance("list cut after 60 s")
	@Test
	void list_atVersionZeroCutInItsBody_isPagedNextTime() {
		this.source.list((request, sink) -> {
			sink.accept(pod("a", 5));
			throw new IOException("unexpected end of stream");
		}).page(20, "more", pod("a", 5)).page(20, null, pod("b", 6)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST \"\" limit 500",
				"LIST continue more", "WATCH 20");
		assertThat(this.recorder.calls).startsWith("replace [a, b] at 20");
	}

	@Test
	void list_cutInItsBody_isPagedNextTime() {
		this.source.list(10).watch(error(410, "Expired")).list((request, sink) -> {
			sink.accept(pod("a", 5));
			throw new IOException("unexpected end of stream");
		}).list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST \"\" limit 500", "WATCH 20");
	}

	@Test
	void list_serverUnreachable_isRequestedAsBefore() {
		this.source.list(10).watch(error(410, "Expired")).list((request, sink) -> {
			throw new ConnectException("Connection refused");
		}).list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST \"10\"", "WATCH 20");
	}

	@Test
	void list_pageIsMalformed_listsFromTheStart() {
		this.source.page(10, "more", pod("a", 1)).list((request, sink) -> {
			throw new MalformedResponseException("no list");
		}).list(20, pod("b", 2)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "LIST continue more",
				"LIST \"0\" limit 500", "WATCH 20");
		assertThat(this.recorder.calls).startsWith("replace [b] at 20");
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

	@Conformance("RV \"0\" first, then last")
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
		assertThat(last.failingSince()).isBefore(last.failure().time());
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
		this.backoff = new BackoffPolicy(Duration.ofMillis(10), 3, Duration.ofMillis(20), Duration.ZERO,
				Duration.ofHours(1));
		this.source.listFails(500, "").listFails(500, "").listFails(500, "").list(10).watch(LAST_EVENT);
		run();
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(10), Duration.ofMillis(20),
				Duration.ofMillis(20));
	}

	@Test
	void relist_reusesCachedObjects() {
		V1Pod known = pod("a", 10);
		this.recorder.known = known;
		this.source.list(50).watchFails(410, "Expired").list(offering(60, known)).watch(LAST_EVENT);
		run();
		assertThat(this.recorder.calls).startsWith("replace [] at 50", "replace [a] at 60");
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("LIST")).hasSize(2);
	}

	@Test
	void relist_ofAnotherEpoch_decodesEverything() {
		V1Pod known = pod("a", 10);
		this.recorder.known = known;
		this.source.list(50)
			.watchFails(410, "Expired")
			.list(offering(20, known))
			.list(20, pod("b", 10))
			.watch(LAST_EVENT);
		run();
		assertThat(this.recorder.calls).startsWith("replace [] at 50", "replace [b] at 20 of another epoch");
	}

	private static ScriptedSource.ListAnswer offering(long resourceVersion, V1Pod pod) {
		return (request, sink) -> {
			sink.accept(Objects.requireNonNull(sink.knownObjects().find(ObjectState.of(pod))));
			return new ListPage(Long.toString(resourceVersion), null);
		};
	}

	private Reflector<V1Pod> run() {
		InformerOptions.Builder options = new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(this.backoff);
		ReflectorSettings settings = TestSettings.of(options.build());
		Reflector<V1Pod> reflector = new Reflector<>(settings, this.source, this.recorder, this.time, this.recorder);
		this.source.atEnd(reflector::stop);
		reflector.run();
		return reflector;
	}

}
