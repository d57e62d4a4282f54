/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

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
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.create(TestObjects.namespace("shop"));
			FailingOnce participant = new FailingOnce(kubernetes.url());
			participant.start();
			try {
				assertThat(this.acquired.await(60, TimeUnit.SECONDS)).isTrue();
			}
			finally {
				participant.stop(Duration.ZERO);
			}
		}
	}

	/**
	 * Protocol that acquires a Lease.
	 */
	private final class Acquisition extends LeaseProtocol {

		private boolean acquired;

		Acquisition(LeaseDurations durations) {
			super(new OwnLease("app", "a", durations, ""), durations, () -> 0.5);
		}

		@Override
		public boolean observe(Map<String, LeaseRecord> leases, long now) {
			return false;
		}

		@Override
		public boolean isSettled(long now) {
			return true;
		}

		@Override
		public @Nullable String problem() {
			return null;
		}

		@Override
		protected void update(long now) {
		}

		@Override
		protected long nanosToRequest(long now) {
			return this.acquired ? Long.MAX_VALUE : 0;
		}

		@Override
		protected @Nullable LeaseRequest write(long now, Instant clock) {
			return this.lease.write(null, 0, "", now, clock);
		}

		@Override
		protected void found(@Nullable Lease answer, long sentAt, long now) {
			this.lease.answered(answer);
		}

		@Override
		protected void written(Purpose purpose, LeaseRecord record, long sentAt, long now) {
			this.acquired = true;
			LeaseRunTests.this.acquired.countDown();
		}

		@Override
		protected void failed(LeaseRequest request, Failure failure, long now) {
		}

	}

	/**
	 * Participant whose first publication throws, as logging does without memory.
	 */
	private final class FailingOnce extends LeaseParticipant {

		private static final LeaseDurations DURATIONS = new LeaseDurations(Duration.ofSeconds(15),
				Duration.ofSeconds(10), Duration.ofSeconds(2));

		private final AtomicBoolean failed = new AtomicBoolean();

		FailingOnce(String url) {
			super("Test", "work", Map.of(), new LeaseLocation("test", "shop", "app", Map.of(), DURATIONS),
					() -> new ApiClient().setBasePath(url), Thread::new);
		}

		@Override
		public String identity() {
			return "a";
		}

		@Override
		protected int running() {
			return 0;
		}

		@Override
		protected State newState() {
			return new State() {

				private final Acquisition protocol = new Acquisition(DURATIONS);

				@Override
				protected LeaseProtocol protocol() {
					return this.protocol;
				}

				@Override
				protected void publish(@Nullable Term lost, @Nullable Term gained, String lostBecause) {
					if (FailingOnce.this.failed.compareAndSet(false, true)) {
						throw new OutOfMemoryError("for the test");
					}
				}

				@Override
				protected void logOverdue(int count) {
				}

			};
		}

	}

}
