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
	 * Participant whose first publication throws, as logging does without memory.
	 */
	private final class FailingOnce extends LeaseParticipant {

		private final AtomicBoolean failed = new AtomicBoolean();

		FailingOnce(String url) {
			super("Test", "work", Map.of(),
					new LeaseLocation("test", "shop", "app", Map.of(),
							new LeaseDurations(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2))),
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

				private final Acquisition protocol = new Acquisition();

				@Override
				protected LeaseProtocol protocol() {
					return this.protocol;
				}

				@Override
				protected void update() {
					if (FailingOnce.this.failed.compareAndSet(false, true)) {
						throw new OutOfMemoryError("for the test");
					}
				}

				@Override
				protected void ended() {
				}

				@Override
				protected void logOverdue(int count) {
				}

			};
		}

	}

}
