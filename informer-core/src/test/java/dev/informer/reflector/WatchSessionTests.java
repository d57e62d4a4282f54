/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.TestObjects.pod;
import static dev.informer.testing.ScriptedSource.added;
import static dev.informer.testing.ScriptedSource.bookmark;
import static dev.informer.testing.ScriptedSource.deleted;
import static dev.informer.testing.ScriptedSource.error;
import static dev.informer.testing.ScriptedSource.modified;
import static dev.informer.testing.ScriptedSource.undecodable;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WatchSession} in a {@link Reflector}, and for the attempt after each
 * of its outcomes.
 */
class WatchSessionTests {

	private static final WatchEvent<V1Pod> LAST_EVENT = bookmark(100);

	private final FakeTime time = FakeTime.autoAdvancing();

	private final ScriptedSource source = new ScriptedSource(this.time);

	private final Recorder recorder = new Recorder();

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
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "WATCH 10");
		assertThat(this.recorder.calls).containsExactly("replace [] at 10", "upsert a at 20", "bookmark 100");
		assertThat(this.time.waits()).isEmpty();
		assertThat(this.recorder.ends).startsWith(WatchEnd.BROKEN);
	}

	@Test
	void watch_versionDecreases_followsServer() {
		this.source.list(30).watch(modified(pod("a", 20))).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 30", "WATCH 20");
	}

	@Test
	void watch_veryShort_backsOffAndListsOnlyAfterTheThird() {
		this.source.list(10)
			.watch()
			.list(10)
			.watchBreaks(new IOException("reset"))
			.list(10)
			.watch()
			.list(10)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "COMPARE \"\" limit 500",
				"WATCH 10", "COMPARE \"\" limit 500", "WATCH 10", "LIST \"10\"", "WATCH 10");
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(800), Duration.ofMillis(1600),
				Duration.ofMillis(3200));
		assertThat(this.recorder.relists).containsExactly(RelistReason.UNUSABLE_WATCH);
	}

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

	@Test
	void watch_retryAfterLongerThanBackoff_isObeyed() {
		this.source.list(10).watch(() -> {
			throw new ServerStatusException(
					new ServerStatus(429, "TooManyRequests", "", List.of(), Duration.ofSeconds(7)));
		}).watch(LAST_EVENT);
		run();
		assertThat(this.time.waits()).containsExactly(Duration.ofSeconds(7));
	}

	@Test
	void retryAfterLongerThanFiveMinutes_isShortened() {
		ServerStatus maintenance = new ServerStatus(429, "TooManyRequests", "", List.of(),
				Duration.ofSeconds(999_999_999));
		this.source.listFails(maintenance).list(10).watch(() -> {
			throw new ServerStatusException(maintenance);
		}).watch(new WatchEvent.Failure<>(maintenance)).watch(LAST_EVENT);
		run();
		assertThat(this.time.waits()).hasSize(3).containsOnly(Duration.ofMinutes(5));
	}

	@Test
	void watch_withoutBookmarks_hasNoIdleTimeout() {
		this.source.list(10).watch(added(pod("a", 20))).watch(added(pod("b", 30)));
		run();
		assertThat(this.source.idleTimeouts()).isEmpty();
	}

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
	void watch_notFound_isDormantAndListsAfterwards() {
		this.source.list(10).watchFails(404, "NotFound").listFails(404, "NotFound").list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"LIST \"10\"", "WATCH 20");
		assertThat(this.recorder.phases).containsSubsequence(Phase.DORMANT, Phase.LISTING, Phase.DORMANT, Phase.LISTING,
				Phase.WATCHING);
	}

	@Test
	void watch_otherError_lists() {
		this.source.list(10).watch(error(418, "Teapot")).list(20).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "LIST \"10\"",
				"WATCH 20");
	}

	@Test
	void watch_objectOfAnotherKind_isSkippedAndVersionAdvances() {
		this.source.list(40)
			.watch(new WatchEvent.Undecodable<>(ChangeType.DELETED, ofAnotherKind(30)), added(pod("b", 50)),
					new WatchEvent.Undecodable<>(ChangeType.ADDED, ofAnotherKind(20)))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 40", "WATCH 20");
		assertThat(this.recorder.calls).startsWith("replace [] at 40", "bookmark 30", "upsert b at 50", "bookmark 20");
	}

	private static UndecodableObject ofAnotherKind(long resourceVersion) {
		return new UndecodableObject(undecodable(null, resourceVersion).state(), "kind: for the test", false);
	}

	@Test
	void watch_malformedTwiceAtOneVersion_lists() {
		MalformedResponseException malformed = new MalformedResponseException("no JSON");
		this.source.list(10)
			.watchBreaks(malformed, bookmark(20))
			.list(20)
			.watchBreaks(malformed)
			.list(30)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "COMPARE \"\" limit 500",
				"WATCH 20", "LIST \"20\"", "WATCH 30");
	}

	@Test
	void watch_malformedAfterEventsOfTheSameVersion_lists() {
		MalformedResponseException malformed = new MalformedResponseException("no JSON");
		this.source.list(10)
			.watchBreaks(malformed, bookmark(10))
			.list(10)
			.watchBreaks(malformed, bookmark(10))
			.list(30)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10", "COMPARE \"\" limit 500",
				"WATCH 10", "LIST \"10\"", "WATCH 30");
	}

	@Test
	void watch_undecodableEvent_continuesWithNextEvent() {
		this.source.list(10)
			.watch(new WatchEvent.Undecodable<>(ChangeType.MODIFIED, undecodable("a", 20)), added(pod("b", 30)))
			.watch(LAST_EVENT);
		run();
		assertThat(this.recorder.calls).containsExactly("replace [] at 10", "unreadable ns/a at 20", "upsert b at 30",
				"bookmark 100");
		assertThat(this.recorder.failures).first().satisfies((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.UNDECODABLE_OBJECT);
			assertThat(failure.message()).contains("pods", "ns/a", "spec: for the test");
		});
	}

	private void run() {
		this.recorder.reflector(this.source, this.time).run();
	}

}
