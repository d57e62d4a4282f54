/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.informer.leader.LeaderElectionOptions;
import dev.informer.leader.LeaderElector;
import dev.informer.shard.ShardMember;
import dev.informer.shard.ShardingOptions;
import dev.informer.shard.SlotKey;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeaseParticipant}: start, renewal and stop of elections and members,
 * in which code of the user throws or is slow, on the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(300)
class LeaseParticipantTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final LoggerContext loggers = (LoggerContext) LoggerFactory.getILoggerFactory();

	LeaseParticipantTests() {
		this.kubernetes.create(TestObjects.namespace("shop"));
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void eachStepOfAnElectionThrowsOnce_worksAfterwards(boolean error) throws Exception {
		int step = 1;
		while (isSurvived(new Fault(step, error), election("step-" + step))) {
			step++;
		}
		// otherwise nothing has been shown
		assertThat(step).isGreaterThan(15);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void eachStepOfAMemberThrowsOnce_worksAfterwards(boolean error) throws Exception {
		int step = 1;
		while (isSurvived(new Fault(step, error), member("step-" + step))) {
			step++;
		}
		// otherwise nothing has been shown
		assertThat(step).isGreaterThan(15);
	}

	/**
	 * Start and stop two times, and require that it works in between.
	 * @return whether the fault has occurred
	 */
	private boolean isSurvived(Fault fault, ParticipantFactory factory) throws Exception {
		Participant participant = factory.create("a", fault::thread, () -> {
			fault.step();
			return client();
		}, fault::step);
		Participant other = factory.create("b", Thread::new, this::client, () -> {
		});
		TurboFilter filter = fault.loggerFilter();
		this.loggers.addTurboFilter(filter);
		try {
			for (int run = 0; run < 2; run++) {
				start(participant, fault);
				await().until(participant::works);
				await().until(() -> participant.failure().isEmpty());
				stop(participant, fault);
				assertThat(participant.works()).isFalse();
			}
			this.loggers.getTurboFilterList().remove(filter);
			other.start();
			await().until(other::works);
			assertThat(participant.works()).isFalse();
		}
		finally {
			this.loggers.getTurboFilterList().remove(filter);
			participant.stop(Duration.ZERO);
			other.stop(Duration.ZERO);
		}
		return fault.hasOccurred();
	}

	private static void start(Participant participant, Fault fault) {
		try {
			participant.start();
		}
		catch (RuntimeException | Error ex) {
			assertThat(ex).isSameAs(fault.throwable());
			assertThat(participant.works()).isFalse();
			assertThat(participant.failure())
				.hasValueSatisfying((failure) -> assertThat(failure.message()).contains("could not start", "Fault"));
			participant.start();
		}
	}

	private static void stop(Participant participant, Fault fault) throws InterruptedException {
		try {
			participant.stop(Duration.ofSeconds(5));
		}
		catch (RuntimeException | Error ex) {
			assertThat(ex).isSameAs(fault.throwable());
		}
	}

	@Test
	void stopThatIsInterrupted_electionCanBeStartedAgain() throws Exception {
		restartAfterInterrupt(election("app"));
	}

	@Test
	void stopThatIsInterrupted_memberCanBeStartedAgain() throws Exception {
		restartAfterInterrupt(member("app"));
	}

	private void restartAfterInterrupt(ParticipantFactory factory) throws InterruptedException {
		Participant participant = factory.create("a", Thread::new, this::client, () -> {
		});
		participant.start();
		try {
			for (int i = 0; i < 2; i++) {
				await().until(participant::works);
				Thread.currentThread().interrupt();
				assertThatExceptionOfType(InterruptedException.class)
					.isThrownBy(() -> participant.stop(Duration.ofSeconds(5)));
				Thread.interrupted();
				assertThat(participant.works()).isFalse();
				participant.start();
			}
			await().until(participant::works);
		}
		finally {
			participant.stop(Duration.ZERO);
		}
	}

	@Test
	void listenerThatIsSlowDuringAStop_doesNotAffectTheNextRunOfAnElection() throws Exception {
		restartWithSlowListener(election("app"));
	}

	@Test
	void listenerThatIsSlowDuringAStop_doesNotAffectTheNextRunOfAMember() throws Exception {
		restartWithSlowListener(member("app"));
	}

	private void restartWithSlowListener(ParticipantFactory factory) throws Exception {
		AtomicBoolean block = new AtomicBoolean();
		CountDownLatch blocked = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		List<Thread> slow = new ArrayList<>();
		Participant participant = factory.create("a", Thread::new, this::client, () -> {
			if (block.compareAndSet(true, false)) {
				slow.add(Thread.currentThread());
				blocked.countDown();
				awaitUninterruptibly(released);
			}
		});
		participant.start();
		try {
			await().until(participant::works);
			block.set(true);
			assertThat(blocked.await(60, TimeUnit.SECONDS)).isTrue();
			participant.stop(Duration.ZERO);
			participant.start();
			await().until(participant::works);
			released.countDown();
			slow.get(0).join();
			assertThat(participant.works()).isTrue();
		}
		finally {
			released.countDown();
			participant.stop(Duration.ZERO);
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			awaitUninterruptibly(latch);
		}
	}

	private ApiClient client() {
		return new ApiClient().setBasePath(this.kubernetes.url());
	}

	private static ParticipantFactory election(String name) {
		return (identity, threads, client, listener) -> {
			LeaderElector elector = new LeaderElector(new LeaderElectionOptions("default", name, "shop", identity,
					Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(100)), client, threads);
			elector.addListener((event) -> listener.run());
			return new Participant(elector, () -> {
				boolean begun = elector.begin();
				if (begun) {
					elector.end();
				}
				return begun && elector.isLeader();
			});
		};
	}

	private static ParticipantFactory member(String name) {
		return (identity, threads, client, listener) -> {
			ShardMember member = new ShardMember(new ShardingOptions(name, "shop", identity, 16, SlotKey.OBJECT,
					Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(100)), client, threads);
			member.addListener((event) -> listener.run());
			return new Participant(member, () -> member.owned().size() == 16);
		};
	}

	/**
	 * Factory of a participant whose listener is called with each notification.
	 */
	private interface ParticipantFactory {

		Participant create(String identity, ThreadFactory threads, Supplier<ApiClient> client, Runnable listener);

	}

	/**
	 * Participant in an election or a group, and whether it has what it takes part for.
	 */
	private record Participant(LeaseParticipant lease, BooleanSupplier holds) {

		void start() {
			this.lease.start();
		}

		void stop(Duration timeout) throws InterruptedException {
			this.lease.stop(timeout);
		}

		boolean works() {
			return this.holds.getAsBoolean();
		}

		Optional<LeaseFailure> failure() {
			return this.lease.failure();
		}

	}

	/**
	 * Throws once, in a step with a number.
	 */
	private static final class Fault {

		private final AtomicInteger steps = new AtomicInteger();

		private final int failing;

		private final Throwable throwable;

		Fault(int failing, boolean error) {
			this.failing = failing;
			this.throwable = error ? new FaultError() : new FaultException();
		}

		Throwable throwable() {
			return this.throwable;
		}

		boolean hasOccurred() {
			return this.steps.get() >= this.failing;
		}

		void step() {
			if (this.steps.incrementAndGet() == this.failing) {
				if (this.throwable instanceof Error error) {
					throw error;
				}
				throw (RuntimeException) this.throwable;
			}
		}

		/**
		 * Create a thread; the creation and its start are a step each.
		 */
		Thread thread(Runnable action) {
			step();
			return new Thread(action) {

				@Override
				public void start() {
					step();
					super.start();
				}

			};
		}

		TurboFilter loggerFilter() {
			return new TurboFilter() {

				@Override
				public FilterReply decide(@Nullable Marker marker, Logger logger, Level level, @Nullable String format,
						Object @Nullable [] params, @Nullable Throwable cause) {
					String name = logger.getName();
					if (level.isGreaterOrEqual(Level.INFO)
							&& (name.endsWith("LeaderElector") || name.endsWith("ShardMember"))) {
						step();
					}
					return FilterReply.NEUTRAL;
				}

			};
		}

	}

	private static final class FaultException extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("for the test");
		}

	}

	private static final class FaultError extends Error {

		@Override
		public String getMessage() {
			throw new IllegalStateException("for the test");
		}

	}

}
