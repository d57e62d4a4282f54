/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import com.google.gson.JsonObject;
import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.testing.NoThreadLeft;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaseRun}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class LeaseRunTests {

	private final CountDownLatch acquired = new CountDownLatch(1);

	@Test
	void errorBetweenDecisionAndRequest_doesNotEndTheRun() throws Exception {
		Logger logger = LoggerFactory.getLogger(LeaseRun.class);
		LeaseFailures failures = new LeaseFailures(logger, "Test", Map.of(),
				new LeaseLocation("test", "shop", "app", Map.of(), Duration.ofSeconds(5)), TimeSource.SYSTEM);
		LeaseRun run = new LeaseRun(new Acquisition(), new FreeLease(), new FailingOnce(), failures, TimeSource.SYSTEM);
		run.start(Thread::new, "test");
		try {
			assertThat(this.acquired.await(60, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			run.end();
		}
	}

	/**
	 * Protocol that acquires a Lease.
	 */
	private final class Acquisition implements LeaseProtocol {

		private final LeaseRequest request = new LeaseRequest(Purpose.ACQUIRE, "app", null,
				new LeaseRecord("a", 15, null, null, 0), 0);

		private boolean sent;

		@Override
		public void observe(Map<String, LeaseRecord> leases, long now) {
		}

		@Override
		public @Nullable LeaseRequest next(long now, Instant clock) {
			return this.sent ? null : this.request;
		}

		@Override
		public void succeeded(@Nullable Lease answer, long now) {
			this.sent = true;
			LeaseRunTests.this.acquired.countDown();
		}

		@Override
		public void failed(Failure failure, long now) {
			this.sent = true;
		}

		@Override
		public void release(long now) {
		}

		@Override
		public @Nullable String problem() {
			return null;
		}

		@Override
		public boolean isDone() {
			return false;
		}

		@Override
		public long nanosToNext(long now) {
			return Long.MAX_VALUE;
		}

	}

	/**
	 * Observer whose first call throws, as logging does without memory.
	 */
	private static final class FailingOnce implements LeaseObserver {

		private final AtomicBoolean failed = new AtomicBoolean();

		@Override
		public void update() {
			if (this.failed.compareAndSet(false, true)) {
				throw new OutOfMemoryError("for the test");
			}
		}

		@Override
		public void ended() {
		}

		@Override
		public void requested(Purpose purpose, Duration duration, boolean success) {
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
		public void collect(String name, LeaseRecord record) {
		}

		@Override
		public void watch(Runnable changed, Runnable state) {
		}

		@Override
		public Map<String, LeaseRecord> leases() {
			return Map.of();
		}

		@Override
		public boolean isWatching() {
			return true;
		}

		@Override
		public Optional<LeaseFailure> watchFailure() {
			return Optional.empty();
		}

		@Override
		public void close() {
		}

	}

}
