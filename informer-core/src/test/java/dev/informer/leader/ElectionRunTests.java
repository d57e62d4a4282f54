/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import com.google.gson.JsonObject;
import dev.informer.TimeSource;
import dev.informer.leader.ElectionRequest.Failure;
import dev.informer.leader.ElectionRequest.Purpose;
import dev.informer.testing.NoThreadLeft;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ElectionRun}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class ElectionRunTests {

	private final CountDownLatch acquired = new CountDownLatch(1);

	@Test
	void errorBetweenDecisionAndRequest_doesNotEndTheElection() throws Exception {
		Election election = new Election(new LeaderElectionOptions("default", "app", "shop", "a",
				Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)), System.nanoTime(), () -> 0);
		ElectionRun run = new ElectionRun(election, new FreeLease(), new FailingOnce(), TimeSource.SYSTEM);
		run.start(Thread::new, "default");
		try {
			assertThat(this.acquired.await(20, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			run.end();
		}
	}

	/**
	 * Observer whose first call throws, as logging does without memory.
	 */
	private final class FailingOnce implements ElectionRun.Observer {

		private final AtomicBoolean failed = new AtomicBoolean();

		@Override
		public void update(@Nullable Term term, @Nullable LeaseRecord observed, boolean settled,
				@Nullable String lostBecause) {
			if (this.failed.compareAndSet(false, true)) {
				throw new OutOfMemoryError("for the test");
			}
			if (term != null) {
				ElectionRunTests.this.acquired.countDown();
			}
		}

		@Override
		public void requested(Purpose purpose, Duration duration, @Nullable Failure failure,
				@Nullable Throwable cause) {
		}

		@Override
		public long nanosToNext(long now) {
			return Long.MAX_VALUE;
		}

	}

	/**
	 * Lease without another holder.
	 */
	private static final class FreeLease implements LeaseClient {

		@Override
		public @Nullable Lease read() {
			return null;
		}

		@Override
		public Lease create(LeaseRecord record) {
			return new Lease(record, new JsonObject());
		}

		@Override
		public Lease update(Lease current, LeaseRecord record) {
			return new Lease(record, new JsonObject());
		}

		@Override
		public void watch(Consumer<@Nullable LeaseRecord> observer, Runnable state) {
		}

		@Override
		public boolean isWatching() {
			return true;
		}

		@Override
		public Optional<ElectionFailure> watchFailure() {
			return Optional.empty();
		}

		@Override
		public void close() {
		}

	}

}
