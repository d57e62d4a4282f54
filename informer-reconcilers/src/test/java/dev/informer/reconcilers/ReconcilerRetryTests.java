/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.RetryPolicy;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for calls of {@link Reconcilers} that fail, or take too long.
 */
class ReconcilerRetryTests extends AbstractReconcilersTests {

	@Test
	void failure_isRetriedWithItsTriggers() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(context.attempt() + context.triggers().toString());
			if (context.attempt() < 3) {
				throw new IllegalStateException("not yet");
			}
			return null;
		}, (options) -> options.retry(SOON).minInterval(Duration.ZERO));
		startSynced();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.calls.size() == 3);
		awaitIdle();
		assertThat(this.calls).containsExactly("1[PRIMARY]", "2[PRIMARY]", "3[PRIMARY]");
		change("a", "2");
		awaitAdvancing(() -> this.calls.size() == 6);
		assertThat(this.calls).endsWith("1[PRIMARY]", "2[PRIMARY]", "3[PRIMARY]");
		awaitIdle();
		assertThat(registration.counts().retrying()).isZero();
	}

	@Test
	void notRetryableFailure_waitsForAChange() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getData().get("key"));
			throw new UnsupportedOperationException();
		}, (options) -> options.retry(SOON).notRetryable(List.of(UnsupportedOperationException.class)));
		this.reconcilers.start();
		create(configMap("a", "1"));
		awaitAdvancing(() -> registration.counts().failed() == 1);
		awaitIdle();
		change("a", "2");
		awaitAdvancing(() -> this.calls.size() == 2);
		awaitIdle();
		assertThat(this.calls).containsExactly("1", "2");
	}

	@Test
	void retryAfter_delaysTheRetry() throws Exception {
		AtomicBoolean busy = new AtomicBoolean(true);
		ReconcilerRegistration registration = add((primary, context) -> {
			if (busy.getAndSet(false)) {
				this.kubernetes.faults().next(1, Verb.CREATE, "secrets", Fault.tooManyRequests(Duration.ofMinutes(4)));
				this.writer.create(child(), primary);
			}
			return null;
		}, (options) -> options.retry(SOON));
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> registration.counts().retrying() == 1);
		assertThat(registration.diagnose("shop", "a").nextCall()).isAfter(this.time.now().plus(Duration.ofMinutes(3)));
	}

	@Test
	void timeout_interruptsTheCall() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add("called");
			if (context.attempt() == 1) {
				new CountDownLatch(1).await();
			}
			return null;
		}, (options) -> options.timeout(Duration.ofMinutes(1)).retry(SOON));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> this.calls.size() == 1);
		this.time.advance(Duration.ofMinutes(1));
		await().until(() -> registration.counts().retrying() == 1);
		this.time.advance(SOON.delay());
		await().until(() -> this.calls.size() == 2);
		awaitIdle();
		assertThat(this.outcomes).containsExactly(ReconcileCall.Outcome.FAILURE, ReconcileCall.Outcome.SUCCESS);
	}

	@Test
	void failingObjects_areNamedWithTheClassOfTheirError() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			if ("invalid".equals(primary.getData().get("key"))) {
				throw new IllegalArgumentException("secret");
			}
			throw new IllegalStateException("secret");
		}, (options) -> options.notRetryable(List.of(IllegalArgumentException.class))
			.retry(new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMinutes(1), 1, Duration.ofMinutes(1),
					Duration.ZERO)));
		this.reconcilers.start();
		create(configMap("a", "1"));
		create(configMap("b", "invalid"));
		await().until(() -> registration.failing().size() == 2);
		assertThat(registration.failing())
			.extracting(ReconcilerRegistration.Failing::key, ReconcilerRegistration.Failing::failures,
					ReconcilerRegistration.Failing::error, ReconcilerRegistration.Failing::repeated)
			.containsExactly(tuple("shop/b", 1, IllegalArgumentException.class.getName(), false),
					tuple("shop/a", 1, IllegalStateException.class.getName(), true));
		assertThat(reasons(registration, "b")).containsExactly(Reason.FAILED);
		assertThat(reasons(registration, "a")).containsExactly(Reason.RETRYING);
		assertThat(reasons(registration, "missing")).containsExactly(Reason.NOT_IN_CACHE);
		assertThat(registration.diagnose("shop", "a").causes().get(0).message()).contains("IllegalStateException")
			.doesNotContain("secret");
	}

}
