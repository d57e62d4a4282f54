/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.informer.InformerOptions;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for starts of an informer that fail half way.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class InformerStartFailureTests {

	/** A store, two reflectors, two handlers. */
	private static final int THREADS = 5;

	private final FakeSource source = new FakeSource();

	private final AtomicInteger threadsUntilFailure = new AtomicInteger(Integer.MAX_VALUE);

	private final AtomicInteger connectionFailures = new AtomicInteger();

	private Failure failure = Failure.EXCEPTION;

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.podsByNamespace((namespace) -> {
		if (this.connectionFailures.getAndDecrement() > 0) {
			throw new IllegalStateException("for the test");
		}
		return this.source.in(namespace);
	}, new InformerOptions.Builder(InformerOptions.DEFAULT).namespaces("ns", "other").build(),
			(settings) -> settings.threadFactory(this::newThread));

	private final EventLog<V1Pod> log = new EventLog<>();

	private final EventLog<V1Pod> otherLog = new EventLog<>();

	@AfterEach
	void close() {
		this.informer.close();
	}

	private @Nullable Thread newThread(Runnable task) {
		return (this.threadsUntilFailure.getAndDecrement() == 1) ? this.failure.newThread(task) : new Thread(task);
	}

	static Stream<Arguments> failures() {
		return Stream.of(Failure.values())
			.flatMap(
					(failure) -> IntStream.rangeClosed(1, THREADS).mapToObj((thread) -> Arguments.of(failure, thread)));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void startWithoutThread_leavesNothingBehind_andCanBeRepeated(Failure failure, int thread) throws Exception {
		this.failure = failure;
		this.source.put("a");
		this.informer.addHandler(this.log);
		this.informer.addHandler(this.otherLog);
		this.threadsUntilFailure.set(thread);
		assertThat(catchThrowable(this.informer::start)).isNotNull();
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
		assertThat(this.source.requests()).isEmpty();
		assertThat(this.informer.state().phase()).isEqualTo(Phase.NOT_STARTED);
		startAndFollow();
		this.informer.stop(Duration.ofSeconds(10));
		this.threadsUntilFailure.set(thread);
		assertThat(catchThrowable(this.informer::start)).isNotNull();
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
		assertThat(this.informer.state().phase()).isEqualTo(Phase.STOPPED);
		this.source.put("a");
		startAndFollow();
	}

	private void startAndFollow() throws InterruptedException {
		this.informer.start();
		assertThat(this.informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
		for (EventLog<V1Pod> each : List.of(this.log, this.otherLog)) {
			await().untilAsserted(() -> assertThat(each.replay()).isEqualTo(this.source.versions()));
			assertThat(each.problems()).isEmpty();
		}
		assertThat(NoThreadLeft.informerThreads()).hasSize(THREADS);
	}

	@Test
	void startWithoutConnection_canBeRepeated() throws Exception {
		this.informer.addHandler(this.log);
		this.informer.addHandler(this.otherLog);
		this.connectionFailures.set(1);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(this.informer::start)
			.withMessage("for the test");
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
		startAndFollow();
	}

	@Test
	void handlerWithoutThread_isNotAdded_andCanBeAddedAgain() {
		this.informer.start();
		this.source.put("a");
		await().until(this.informer::hasSynced);
		this.threadsUntilFailure.set(1);
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.informer.addHandler(this.log, (options) -> options.name("audit")));
		assertThat(this.informer.handlers()).isEmpty();
		this.informer.addHandler(this.log, (options) -> options.name("audit"));
		await().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(this.source.versions()));
	}

	/**
	 * Ways in which a thread cannot be started.
	 */
	enum Failure {

		EXCEPTION {

			@Override
			Thread newThread(Runnable task) {
				throw new IllegalStateException("for the test");
			}

		},

		ERROR {

			@Override
			Thread newThread(Runnable task) {
				throw new OutOfMemoryError("for the test");
			}

		},

		NO_THREAD {

			@Override
			@Nullable Thread newThread(Runnable task) {
				return null;
			}

		},

		START {

			@Override
			Thread newThread(Runnable task) {
				return new Thread(task) {

					@Override
					public void start() {
						throw new OutOfMemoryError("unable to create native thread, for the test");
					}

				};
			}

		};

		abstract @Nullable Thread newThread(Runnable task);

	}

}
