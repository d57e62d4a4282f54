/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;

import dev.informer.client.CredentialsException;
import dev.informer.client.TimeSource;
import dev.informer.client.connection.Credentials.Credential;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RenewableCredentials}.
 */
@Timeout(120)
class RenewableCredentialsTests {

	private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

	private final MovableTime time = new MovableTime();

	private final AtomicInteger runs = new AtomicInteger();

	private volatile @Nullable Duration lifetime;

	private volatile boolean failing;

	private volatile CountDownLatch gate = new CountDownLatch(0);

	private final RenewableCredentials credentials = new RenewableCredentials(this::obtain, this.time);

	private Credential obtain() throws IOException {
		int run = this.runs.incrementAndGet();
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
		if (this.failing) {
			throw new CredentialsException("run " + run + " failed");
		}
		Duration lifetime = this.lifetime;
		return new Credential("Bearer " + run, null, (lifetime != null) ? this.time.now().plus(lifetime) : null);
	}

	@Test
	void credentialWithoutExpiry_isObtainedOnce() throws IOException {
		assertThat(authorization()).isEqualTo("Bearer 1");
		this.time.move(Duration.ofDays(30));
		assertThat(authorization()).isEqualTo("Bearer 1");
	}

	@Test
	void credentialCloseToItsExpiry_isRenewedInTheBackground() throws IOException {
		this.lifetime = Duration.ofMinutes(15);
		assertThat(authorization()).isEqualTo("Bearer 1");
		this.time.move(Duration.ofMinutes(12));
		assertThat(authorization()).isEqualTo("Bearer 1");
		assertThat(this.runs).hasValue(1);
		this.gate = new CountDownLatch(1);
		this.time.move(Duration.ofSeconds(90));
		assertThat(authorization()).isEqualTo("Bearer 1");
		this.gate.countDown();
		await().until(() -> authorization().equals("Bearer 2"));
	}

	@Test
	void expiredCredential_isNeverUsed() throws IOException {
		this.lifetime = Duration.ofMinutes(15);
		assertThat(authorization()).isEqualTo("Bearer 1");
		this.time.move(Duration.ofMinutes(15));
		assertThat(authorization()).isEqualTo("Bearer 2");
	}

	@Test
	void failureInTheBackground_keepsTheCredentialUntilItExpires() throws IOException {
		this.lifetime = Duration.ofMinutes(15);
		assertThat(authorization()).isEqualTo("Bearer 1");
		this.failing = true;
		this.time.move(Duration.ofMinutes(14));
		assertThat(authorization()).isEqualTo("Bearer 1");
		await().until(this.credentials::isRenewalFailing);
		assertThat(this.runs).hasValue(2);
		assertThat(authorization()).isEqualTo("Bearer 1");
		this.time.move(Duration.ofMinutes(1));
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(this::authorization)
			.withMessage("run 3 failed");
		this.failing = false;
		this.time.move(RenewableCredentials.MIN_INTERVAL);
		assertThat(authorization()).isEqualTo("Bearer 4");
		assertThat(this.credentials.isRenewalFailing()).isFalse();
	}

	@Test
	void rejectedCredential_isReplacedOnceForAllRequests() throws Exception {
		Credential first = this.credentials.get(() -> false);
		this.time.move(Duration.ofMinutes(1));
		this.gate = new CountDownLatch(1);
		ExecutorService requests = Executors.newFixedThreadPool(20);
		try {
			List<Future<Credential>> answers = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				answers.add(requests.submit(() -> this.credentials.replace(first, () -> false)));
			}
			await().until(() -> this.runs.get() == 2);
			this.gate.countDown();
			for (Future<Credential> answer : answers) {
				assertThat(answer.get().authorization()).isEqualTo("Bearer 2");
			}
			assertThat(this.runs).hasValue(2);
			assertThat(this.credentials.replace(first, () -> false).authorization()).isEqualTo("Bearer 2");
		}
		finally {
			requests.shutdownNow();
		}
	}

	@Test
	void credentialThatIsRejectedAtOnce_isNotReplacedEndlessly() throws IOException {
		Credential first = this.credentials.get(() -> false);
		assertThat(this.credentials.replace(first, () -> false)).isSameAs(first);
		this.time.move(RenewableCredentials.MIN_INTERVAL);
		Credential second = this.credentials.replace(first, () -> false);
		assertThat(this.credentials.replace(second, () -> false)).isSameAs(second);
		assertThat(this.runs).hasValue(2);
	}

	@Test
	void clockThatWasSetBack_doesNotDelayTheNextAttempt() throws IOException {
		this.failing = true;
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(this::authorization);
		this.failing = false;
		this.time.setClock(START.minus(Duration.ofHours(2)));
		this.time.move(RenewableCredentials.MIN_INTERVAL);
		assertThat(authorization()).isEqualTo("Bearer 2");
	}

	@Test
	void cancelledRequest_stopsWaiting() {
		this.gate = new CountDownLatch(1);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.credentials.get(() -> true))
			.withMessage("Canceled");
		this.gate.countDown();
	}

	@Test
	void unexpectedFailure_isReportedWithoutItsMessage() {
		RenewableCredentials broken = new RenewableCredentials(() -> {
			throw new IllegalStateException("secret");
		}, this.time);
		assertThatExceptionOfType(CredentialsException.class).isThrownBy(() -> broken.get(() -> false))
			.withMessageContaining("IllegalStateException")
			.withMessageNotContaining("secret");
	}

	private String authorization() throws IOException {
		return String.valueOf(this.credentials.get(() -> false).authorization());
	}

	private static final class MovableTime implements TimeSource {

		private volatile Instant now = START;

		private volatile long nanos;

		void move(Duration time) {
			this.nanos += time.toNanos();
			this.now = this.now.plus(time);
		}

		void setClock(Instant now) {
			this.now = now;
		}

		@Override
		public Instant now() {
			return this.now;
		}

		@Override
		public long nanoTime() {
			return this.nanos;
		}

		@Override
		public void await(Condition condition, long nanos) {
			throw new UnsupportedOperationException();
		}

	}

}
