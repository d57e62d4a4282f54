/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

import dev.informer.InformerState.Phase;
import dev.informer.controller.FakeInformers;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedIndexInformer#awaitAtLeast} during and after outages.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class AwaitAtLeastOutageTests {

	private final FakeSource source = new FakeSource();

	private final FakeTime time = FakeTime.manual();

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
			(settings) -> settings.time(this.time));

	@BeforeEach
	void start() throws Exception {
		this.source.put("a");
		this.informer.start();
		await().until(() -> this.source.openWatches() == 1);
		this.source.put("a");
		await().until(() -> this.informer.awaitAtLeast(version(), Duration.ZERO));
	}

	@AfterEach
	void close() {
		this.informer.close();
	}

	@Test
	void reachedVersion_isNoAnswerDuringAnOutage_andOneOnceTheServerIsVerified() throws Exception {
		String reached = version();
		this.source.vanish();
		await().until(() -> this.informer.state().phase() == Phase.BACKING_OFF);
		assertThat(this.informer.awaitAtLeast(reached, Duration.ZERO)).isFalse();
		this.time.advance(Duration.ofSeconds(5));
		await().until(() -> this.informer.awaitAtLeast(reached, Duration.ZERO));
	}

	@Test
	void versionOfARolledBackServer_isReachedOnlyWithItsObjects() throws Exception {
		long earlier = this.source.version();
		this.source.put("b");
		await().until(() -> this.informer.awaitAtLeast(version(), Duration.ZERO));
		this.source.rollBack(earlier);
		await().until(() -> this.informer.state().phase() == Phase.BACKING_OFF);
		this.source.put("c");
		String written = version();
		assertThat(this.informer.awaitAtLeast(written, Duration.ZERO)).isFalse();
		await().until(() -> {
			this.time.advance(Duration.ofSeconds(1));
			return this.informer.awaitAtLeast(written, Duration.ZERO);
		});
		assertThat(this.informer.lister().keys()).contains("ns/c").doesNotContain("ns/b");
	}

	private String version() {
		return Long.toString(this.source.version());
	}

}
