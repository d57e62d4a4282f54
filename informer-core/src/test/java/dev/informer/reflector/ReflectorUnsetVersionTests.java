/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.client.ListPage;
import dev.informer.testing.FakeTime;
import dev.informer.testing.ScriptedSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.TestObjects.pod;
import static dev.informer.testing.ScriptedSource.added;
import static dev.informer.testing.ScriptedSource.bookmark;
import static dev.informer.testing.ScriptedSource.modified;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link Reflector} whose lists have the version {@code ""} or {@code "0"}.
 */
class ReflectorUnsetVersionTests {

	private final FakeTime time = FakeTime.autoAdvancing();

	private final ScriptedSource source = new ScriptedSource(this.time);

	private final Recorder recorder = new Recorder();

	@ParameterizedTest
	@ValueSource(strings = { "", "0" })
	void syntheticAdditions_doNotSetTheVersion(String version) {
		list(version);
		this.source.watch(added(pod("a", 7)), added(pod("b", 5)), bookmark(8), added(pod("c", 9)))
			.watch(modified(pod("c", 10)));
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH " + version, "WATCH 9");
		assertThat(this.recorder.calls).startsWith("replace [] at " + version, "upsert a at " + version,
				"upsert b at " + version, "bookmark 8", "upsert c at 9");
	}

	@Test
	void watchEndsWithoutAVersion_listsToFindDeletions() {
		list("");
		this.source.watch(() -> {
			this.time.advance(Duration.ofMinutes(5));
			return this.source.events(added(pod("a", 7)));
		});
		list("");
		this.source.watch(modified(pod("a", 8)));
		run();
		assertThat(this.source.requests()).containsExactly("LIST \"0\" limit 500", "WATCH ", "LIST \"0\" limit 500",
				"WATCH ");
		assertThat(this.recorder.relists).startsWith(RelistReason.UNUSABLE_WATCH);
	}

	private void list(String version) {
		this.source.list((request, sink) -> new ListPage(version, null));
	}

	private void run() {
		this.recorder.reflector(this.source, this.time).run();
	}

}
