/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.net.ConnectException;
import java.time.Duration;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.client.ListPage;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.TestObjects.pod;
import static dev.informer.testing.ScriptedSource.added;
import static dev.informer.testing.ScriptedSource.bookmark;
import static dev.informer.testing.ScriptedSource.deleted;
import static dev.informer.testing.ScriptedSource.modified;
import static dev.informer.testing.ScriptedSource.undecodable;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RollbackCheck} in a {@link Reflector}, after an outage: the cache has
 * {@code a} at 10 and {@code b} at 20, and is at 50.
 */
class RollbackCheckTests {

	private final FakeTime time = FakeTime.autoAdvancing();

	private final ScriptedSource source = new ScriptedSource(this.time);

	private final Recorder recorder = new Recorder();

	@BeforeEach
	void outage() {
		this.source.list(50, pod("a", 10), pod("b", 20)).watch(() -> {
			throw new ConnectException("refused");
		});
	}

	@Test
	void sameObjects_watchesFromLastVersion() {
		this.source.list(70, pod("a", 10), pod("b", 20)).watch(bookmark(80));
		run();
		assertThat(this.source.requests()).endsWith("WATCH 50", "COMPARE \"\" limit 500", "WATCH 50");
	}

	@Test
	void changesAfterLastVersion_areLeftToTheWatch() {
		this.source.list(70, pod("a", 60), pod("c", 65))
			.watch(modified(pod("a", 60)), deleted(pod("b", 61)), added(pod("c", 65)), bookmark(80));
		run();
		assertThat(this.recorder.relists).isEmpty();
		assertThat(this.recorder.calls).endsWith("upsert a at 60", "delete ns/b at 61", "upsert c at 65",
				"bookmark 80");
	}

	@Test
	void olderObject_isRelistedInAnotherEpoch() {
		this.source.list(70, pod("a", 5), pod("b", 20)).list(70, pod("a", 5), pod("b", 20)).watch(bookmark(80));
		run();
		assertRelisted("replace [a, b] at 70 of another epoch");
	}

	@Test
	void deletedObjectThatIsBack_isRelistedInAnotherEpoch() {
		this.source.list(70, pod("a", 10), pod("b", 20), pod("c", 30))
			.list(70, pod("a", 10), pod("b", 20), pod("c", 30))
			.watch(bookmark(80));
		run();
		assertRelisted("replace [a, b, c] at 70 of another epoch");
	}

	@Test
	void objectOnLaterPage_isCompared() {
		this.source.page(70, "more", pod("a", 10))
			.page(70, null, pod("b", 19))
			.list(70, pod("a", 10), pod("b", 19))
			.watch(bookmark(80));
		run();
		assertRelisted("replace [a, b] at 70 of another epoch");
	}

	@Test
	void missingObjectThatTheWatchDoesNotDelete_isRelistedOnceTheWatchHasCaughtUp() {
		this.source.list(70, pod("a", 10))
			.watch(added(pod("c", 60)), bookmark(70))
			.list(71, pod("a", 10), pod("c", 60))
			.watch(bookmark(80));
		run();
		assertRelisted("replace [a, c] at 71 of another epoch");
		assertThat(this.recorder.calls).contains("bookmark 70");
	}

	@Test
	void missingObject_whileTheWatchIsQuiet_isRelistedAfterASecond() {
		Reflector<V1Pod> reflector = reflector();
		this.source.list(70, pod("a", 10)).watch(() -> this.source.endless(() -> {
			this.time.advance(Duration.ofSeconds(1));
			reflector.superviseWatch();
			return null;
		})).list(70, pod("a", 10)).watch(bookmark(80));
		reflector.run();
		assertRelisted("replace [a] at 70 of another epoch");
	}

	@Test
	void missingObjectAtTheSameVersion_isRelistedInAnotherEpoch() {
		this.source.list(50, pod("a", 10)).list(50, pod("a", 10)).watch(bookmark(80));
		run();
		assertRelisted("replace [a] at 50 of another epoch");
	}

	@Test
	void undecodableObject_isRelistedOnce() {
		for (int i = 0; i < 2; i++) {
			this.source.list((request, sink) -> {
				sink.accept(pod("a", 10));
				sink.accept(pod("b", 20));
				sink.acceptUndecodable(undecodable("broken", 30));
				return new ListPage("70", null);
			});
		}
		this.source.watch(bookmark(70)).watch(() -> {
			throw new ConnectException("refused");
		}).list((request, sink) -> {
			sink.accept(pod("a", 10));
			sink.accept(pod("b", 20));
			sink.acceptUndecodable(undecodable("broken", 30));
			return new ListPage("75", null);
		}).watch(bookmark(80));
		run();
		assertThat(this.recorder.relists).containsExactly(RelistReason.ROLLBACK);
		assertThat(this.source.requests()).endsWith("WATCH 70", "COMPARE \"\" limit 500", "WATCH 70");
	}

	private void assertRelisted(String call) {
		assertThat(this.recorder.relists).containsExactly(RelistReason.ROLLBACK);
		assertThat(this.recorder.calls).contains(call);
		assertThat(this.source.requests()).contains("LIST \"\" limit 500");
	}

	private void run() {
		reflector().run();
	}

	private Reflector<V1Pod> reflector() {
		return this.recorder.reflector(this.source, this.time);
	}

}
