/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;

import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.SteppedThread;
import dev.informer.testing.SteppedThreads;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers that are started again before all of their last run is over.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class InformerRestartTests {

	private static final int ROUNDS = 20;

	private final SteppedThreads threads = new SteppedThreads();

	private final FakeSource source = new FakeSource().stepped(this.threads);

	private final EventLog<V1Pod> log = new EventLog<>();

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
			(settings) -> settings.threadFactory(this.threads).time(this.threads));

	@BeforeEach
	void start() {
		this.informer.addHandler(this.log);
		this.informer.start();
		releaseAll();
	}

	@AfterEach
	void close() {
		this.threads.start("close", this.informer::close);
		releaseAll();
	}

	@Test
	void threadLeftBehindByStop_endsBeforeTheNextRunBegins() {
		this.source.put("a");
		stop();
		this.informer.start();
		releaseAll();
		this.source.put("a");
		releaseAll();
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("WATCH")).hasSize(2);
		assertThat(this.source.openWatches()).isEqualTo(1);
		assertThat(this.log.replay()).isEqualTo(this.source.versions());
		assertThat(this.log.problems()).isEmpty();
	}

	@Test
	void runWaitingForThePreviousOne_canBeStopped_andTheNextOneWaitsToo() {
		stop();
		this.informer.start();
		stop();
		this.informer.start();
		releaseAll();
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("WATCH")).hasSize(2);
		assertThat(this.source.openWatches()).isEqualTo(1);
	}

	@Test
	void startDuringStop_handlersContinue() {
		SteppedThread stop = this.threads.start("stop", () -> this.informer.stop(Duration.ofSeconds(5)));
		this.threads.step(stop);
		this.informer.start();
		this.source.put("a");
		releaseAll();
		assertThat(stop.isAlive()).isFalse();
		assertThat(this.log.replay()).isEqualTo(this.source.versions());
	}

	/**
	 * Stops the informer, whose threads do not get to see that.
	 */
	private void stop() {
		SteppedThread stop = this.threads.start("stop", () -> this.informer.stop(Duration.ZERO));
		while (stop.isAlive()) {
			this.threads.step(stop);
			this.threads.advanceToNextDeadline();
		}
	}

	private void releaseAll() {
		for (int i = 0; i < ROUNDS; i++) {
			this.threads.all().forEach(this.threads::step);
			this.threads.advance(Duration.ofSeconds(1));
		}
	}

}
