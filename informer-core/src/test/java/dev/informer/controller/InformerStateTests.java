/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.informer.InformerFailedException;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the state of an informer after each step of its life.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class InformerStateTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final FakeSource source = new FakeSource();

	private final CountDownLatch busy = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
			(settings) -> {
			});

	@AfterEach
	void close() {
		this.released.countDown();
		this.informer.close();
	}

	@Test
	void lifeWithoutFailure() throws Exception {
		expect(Phase.NOT_STARTED, false);
		this.informer.start();
		assertThat(this.informer.state().phase()).isNotIn(Phase.NOT_STARTED, Phase.STOPPED);
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.informer.state().phase()).isEqualTo(Phase.WATCHING));
		this.informer.stop(LONG);
		expect(Phase.STOPPED, true);
		this.informer.start();
		assertThat(this.informer.state().phase()).isIn(Phase.LISTING, Phase.CONNECTING, Phase.WATCHING);
		this.informer.close();
		expect(Phase.STOPPED, true);
		assertThatIllegalStateException().isThrownBy(this.informer::start);
		expect(Phase.STOPPED, true);
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
	}

	@Test
	void closeWithoutStart() throws Exception {
		this.informer.close();
		expect(Phase.STOPPED, false);
		assertThat(this.informer.awaitSynced(Duration.ofDays(1))).isFalse();
		assertThat(this.informer.awaitAtLeast("1", Duration.ofDays(1))).isFalse();
	}

	@Test
	void permanentFailure() throws Exception {
		this.source.failList(400, "BadRequest");
		this.informer.start();
		await().untilAsserted(() -> assertThat(this.informer.state().phase()).isEqualTo(Phase.FAILED));
		assertThat(this.informer.state().failingSince()).isNotNull();
		assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> this.informer.awaitSynced(LONG));
		assertThat(this.informer.hasSynced()).isFalse();
		this.informer.stop(LONG);
		expect(Phase.STOPPED, false);
		this.informer.start();
		assertThat(this.informer.state().phase()).isIn(Phase.LISTING, Phase.CONNECTING, Phase.WATCHING);
		assertThat(this.informer.state().failure()).isNull();
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
	}

	@Test
	void startAfterPermanentFailure_isNeverFailed() throws Exception {
		for (int round = 0; round < 300; round++) {
			this.source.failList(400, "BadRequest");
			this.informer.start();
			await().until(() -> this.informer.state().phase() == Phase.FAILED);
			this.informer.stop(LONG);
			this.informer.start();
			for (Phase phase = null; phase != Phase.WATCHING;) {
				phase = this.informer.state().phase();
				assertThat(phase).isIn(Phase.LISTING, Phase.CONNECTING, Phase.WATCHING);
			}
			this.informer.stop(LONG);
		}
	}

	@Test
	void closeAfterPermanentFailure() throws Exception {
		this.source.failList(400, "BadRequest");
		this.informer.start();
		await().untilAsserted(() -> assertThat(this.informer.state().phase()).isEqualTo(Phase.FAILED));
		this.informer.close();
		expect(Phase.STOPPED, false);
		assertThat(this.informer.awaitSynced(LONG)).isFalse();
	}

	@Test
	void stopAndStart_whileCodeOfTheUserDoesNotReturn() throws Exception {
		this.informer.setTransform((pod) -> {
			this.busy.countDown();
			boolean interrupted = false;
			while (this.released.getCount() > 0) {
				try {
					this.released.await();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
			return pod;
		});
		this.source.put("a");
		this.informer.start();
		this.busy.await();
		assertThat(this.informer.state().phase()).isEqualTo(Phase.LISTING);
		this.informer.stop(Duration.ZERO);
		expect(Phase.STOPPED, false);
		this.informer.start();
		assertThat(this.informer.state().phase()).isEqualTo(Phase.LISTING);
		this.released.countDown();
		assertThat(this.informer.awaitSynced(LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.informer.state().phase()).isEqualTo(Phase.WATCHING));
		assertThat(this.informer.lister().list()).hasSize(1);
	}

	@Test
	void severalNamespaces_areFailingSinceTheFirstFailure_alsoWhenTheClockIsSet() {
		FakeTime time = FakeTime.manual();
		Moment first = time.moment();
		time.advance(Duration.ofSeconds(5));
		time.setClock(Duration.ofHours(-2));
		Moment second = time.moment();
		InformerState longer = new InformerState(Phase.BACKING_OFF, first, null, first, null);
		InformerState shorter = new InformerState(Phase.BACKING_OFF, second, null, second, null);
		assertThat(ReflectorSet.worst(List.of(longer, shorter))).isEqualTo(longer);
		assertThat(ReflectorSet.worst(List.of(shorter, longer))).isEqualTo(longer);
	}

	private void expect(Phase phase, boolean synced) {
		InformerState state = this.informer.state();
		assertThat(state.phase()).isEqualTo(phase);
		assertThat(state.failure()).isNull();
		assertThat(state.failingSince()).isNull();
		assertThat(state.nextAttempt()).isNull();
		assertThat(this.informer.statesByNamespace()).containsOnlyKeys("").containsValue(state);
		assertThat(this.informer.hasSynced()).isEqualTo(synced);
	}

}
