/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
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
 * Tests for the streaming lists of {@link ListSession} in a {@link Reflector}.
 */
class StreamingListTests {

	private static final WatchEvent<V1Pod> LAST_EVENT = bookmark(100);

	private final FakeTime time = FakeTime.autoAdvancing();

	private final ScriptedSource source = new ScriptedSource(this.time);

	private final Recorder recorder = new Recorder();

	@Test
	void stream_listsAndContinuesAsWatch() {
		this.source.watch(added(pod("a", 1)), added(pod("b", 2)), end(10), added(pod("c", 11))).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "WATCH 11");
		assertThat(this.recorder.calls).containsExactly("replace [a, b] at 10", "upsert c at 11", "bookmark 100");
	}

	@Test
	void stream_withChanges_listsTheStateAtItsEnd() {
		this.source
			.watch(added(pod("a", 1)), added(pod("b", 2)), modified(pod("a", 8)), deleted(pod("b", 9)),
					new WatchEvent.Undecodable<>(ChangeType.ADDED, undecodable("c", 3)), bookmark(9), end(10))
			.watch(LAST_EVENT);
		run();
		assertThat(this.recorder.calls).startsWith("replace [a] at 10 without [ns/b]");
		assertThat(this.recorder.failures).extracting(InformerFailure::kind).contains(Kind.UNDECODABLE_OBJECT);
	}

	@Test
	void stream_withDeletions_reportsKeysWhoseLastEventIsADeletion() {
		this.source
			.watch(added(pod("a", 1)), new WatchEvent.Undecodable<>(ChangeType.ADDED, undecodable(null, 3)),
					added(pod("b", 2)), deleted(pod("b", 8)), deleted(pod("c", 9)), added(pod("c", 10)),
					new WatchEvent.Undecodable<>(ChangeType.DELETED, undecodable("d", 11)), deleted(pod("e", 12)),
					new WatchEvent.Undecodable<>(ChangeType.ADDED, undecodable("e", 13)), end(14))
			.watch(LAST_EVENT);
		run();
		assertThat(this.recorder.calls).startsWith("replace [a, c] at 14 without [ns/b, ns/d]");
	}

	@Test
	void stream_unsupported_listsByPages() {
		this.source.watchFails(422, "Invalid").list(10).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "LIST \"0\" limit 500", "WATCH 10");
		assertThat(this.time.waits()).isEmpty();
	}

	@Test
	void stream_tooManyRequests_backsOffAndRetries() {
		this.source.watchFails(429, "TooManyRequests")
			.watchFails(429, "TooManyRequests")
			.watch(end(10), bookmark(11))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).startsWith("STREAM \"\"", "STREAM \"\"", "STREAM \"\"");
		assertThat(this.time.waits()).hasSize(2);
	}

	@Test
	void stream_versionExpired_retriesOnceWithoutVersion() {
		this.source.watch(end(10), error(410, "Expired"))
			.watchFails(410, "Expired")
			.watch(end(30), bookmark(30))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "STREAM \"10\"", "STREAM \"\"", "WATCH 30");
	}

	@Test
	void stream_endsTwiceWithoutBookmark_isDisabledForAnHour() {
		this.source.watch(added(pod("a", 1)))
			.list(10)
			.watch(error(410, "Expired"))
			.watch(added(pod("a", 1)))
			.list(20)
			.watch(error(410, "Expired"))
			.list(30)
			.watch(() -> {
				this.time.advance(Duration.ofHours(1));
				throw new ServerStatusException(ScriptedSource.status(410, "Expired"));
			})
			.watch(end(40), bookmark(40))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "LIST \"0\" limit 500", "WATCH 10",
				"STREAM \"10\"", "LIST \"10\"", "WATCH 20", "LIST \"20\"", "WATCH 30", "STREAM \"30\"", "WATCH 40");
	}

	@Test
	void stream_idleForTenSeconds_listsByPagesAndIsDisabled() {
		this.source.watchBreaks(new SocketTimeoutException("timeout"), added(pod("a", 1)))
			.list(10)
			.watch(error(410, "Expired"))
			.list(20)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "LIST \"0\" limit 500", "WATCH 10",
				"LIST \"10\"", "WATCH 20");
		assertThat(this.source.idleTimeouts()).startsWith(Duration.ofSeconds(10));
	}

	@Test
	void stream_bookmarkOverdueWhileEventsArrive_listsByPagesAndIsDisabled() {
		this.source.watch(() -> this.source.endless(() -> {
			this.time.advance(Duration.ofSeconds(7));
			return modified(pod("a", 1));
		})).list(10).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "LIST \"0\" limit 500", "WATCH 10");
	}

	@Test
	void stream_refusedForAnyReason_listsByPagesAndReportsIt() {
		this.source.watchFails(500, "InternalError")
			.list(10)
			.watch(error(410, "Expired"))
			.watchFails(403, "Forbidden")
			.list(20)
			.watch(error(410, "Expired"))
			.watchBreaks(new IOException("reset"), added(pod("a", 1)))
			.list(30)
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "LIST \"0\" limit 500", "WATCH 10",
				"STREAM \"10\"", "LIST \"10\"", "WATCH 20", "STREAM \"20\"", "LIST \"20\"", "WATCH 30");
		assertThat(this.recorder.failures).extracting(InformerFailure::kind)
			.containsExactly(Kind.OVERLOADED, Kind.EXPIRED, Kind.FORBIDDEN, Kind.EXPIRED, Kind.UNREACHABLE);
		assertThat(this.recorder.failures).first()
			.satisfies((failure) -> assertThat(failure.message()).endsWith("; listing by pages instead of a stream"));
		assertThat(this.time.waits()).hasSize(2);
	}

	@Test
	void stream_connectionRefused_backsOffAndRetries() {
		this.source.watch(() -> {
			throw new ConnectException("Connection refused");
		}).watch(end(10), bookmark(11)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "STREAM \"\"", "WATCH 11");
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(800));
	}

	@Test
	void stream_versionTooLarge_retriesOnceWithoutVersion() {
		this.source.watch(end(10), error(410, "Expired"))
			.watch(new WatchEvent.Failure<>(
					new ServerStatus(504, "Timeout", "", List.of("ResourceVersionTooLarge"), null)))
			.watch(end(5), bookmark(5))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "STREAM \"10\"", "STREAM \"\"", "WATCH 5");
		assertThat(this.recorder.calls).contains("replace [] at 5 of another epoch");
	}

	@Test
	void stream_breaksTwiceBeforeBookmark_staysEnabled() {
		this.source.watchBreaks(new IOException("reset"), added(pod("a", 1)))
			.list(10)
			.watch(error(410, "Expired"))
			.watchBreaks(new IOException("reset"))
			.list(20)
			.watch(error(410, "Expired"))
			.watch(end(30), bookmark(30))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).endsWith("STREAM \"10\"", "LIST \"10\"", "WATCH 20", "STREAM \"20\"",
				"WATCH 30");
	}

	@Test
	void stream_resetBeforeItsHeaders_backsOffAndRetries() {
		this.source.watch(() -> {
			throw new SocketException("Connection reset");
		}).watch(end(10), bookmark(11)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "STREAM \"\"", "WATCH 11");
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(800));
	}

	@Test
	void stream_neverAnswered_listsByPages() {
		this.source.watch(() -> {
			throw new SocketTimeoutException("timeout");
		}).list(10).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "LIST \"0\" limit 500", "WATCH 10");
	}

	@Test
	void stream_expiredTwice_staysEnabled() {
		this.source.watch(end(10), error(410, "Expired"))
			.watchFails(410, "Expired")
			.watch(error(410, "Expired"))
			.list(20)
			.watch(error(410, "Expired"))
			.watch(end(30), bookmark(30))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).endsWith("STREAM \"10\"", "STREAM \"\"", "LIST \"\" limit 500", "WATCH 20",
				"STREAM \"20\"", "WATCH 30");
	}

	@Test
	void stream_bookmarkWithoutAnnotation_doesNotEndTheList() {
		this.source.watch(added(pod("a", 1)), bookmark(9), added(pod("b", 2))).list(10, pod("c", 3)).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "LIST \"0\" limit 500", "WATCH 10");
		assertThat(this.recorder.calls).startsWith("replace [c] at 10");
	}

	@Test
	void stream_expiredOnReconnect_streamsFromLastVersion() {
		this.source.watch(added(pod("a", 1)), end(10), bookmark(15))
			.watchFails(410, "Expired")
			.watch(added(pod("b", 2)), end(20), bookmark(20))
			.watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "WATCH 15", "STREAM \"15\"", "WATCH 20");
		assertThat(this.recorder.calls).contains("replace [a] at 10", "replace [b] at 20");
		assertThat(this.recorder.relists).containsExactly(RelistReason.EXPIRED);
	}

	@Test
	void stream_endsRightAfterBookmark_backsOff() {
		this.source.watch(end(10)).list(10).watch(LAST_EVENT);
		run();
		assertThat(this.source.requests()).containsExactly("STREAM \"\"", "COMPARE \"\" limit 500", "WATCH 10");
		assertThat(this.time.waits()).containsExactly(Duration.ofMillis(800));
		assertThat(this.recorder.ends).startsWith(WatchEnd.VERY_SHORT);
	}

	private static WatchEvent<V1Pod> end(long resourceVersion) {
		return new WatchEvent.Bookmark<>(Long.toString(resourceVersion), true);
	}

	private Reflector<V1Pod> run() {
		Reflector<V1Pod> reflector = this.recorder.reflector(this.source, this.time,
				(options) -> options.streamingList(true));
		reflector.run();
		return reflector;
	}

}
