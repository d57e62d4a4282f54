/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriteException;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for calls that are repeated without a failure: on request, or after a conflict.
 */
class RepeatedCallTests extends AbstractReconcilersTests {

	private static final RetryPolicy TWICE = new RetryPolicy(2, Duration.ofSeconds(1), 2, Duration.ofMinutes(5),
			Duration.ZERO);

	private final List<Integer> attempts = new CopyOnWriteArrayList<>();

	@Test
	void requestedRepetitions_areNoFailures_andDoNotDelayTheRetryOfOne() throws Exception {
		ReconcilerRegistration registration = start((attempt) -> {
			throw (this.attempts.size() <= 10) ? new RetryLaterException("not yet", Duration.ofSeconds(10))
					: new IllegalStateException("for the test");
		});
		for (int i = 1; i <= 10; i++) {
			awaitCalls(registration, i);
			assertNoFailure(registration);
			this.time.advance(Duration.ofSeconds(10));
		}
		awaitCalls(registration, 11);
		assertThat(this.attempts).containsOnly(1);
		assertThat(registration.failing()).hasSize(1);
		assertThat(registration.diagnose("shop", "a").nextCall()).isEqualTo(this.time.now().plusSeconds(1));
	}

	@Test
	void failure_hasItsTimeUntilASuccess() throws Exception {
		ReconcilerRegistration registration = start((attempt) -> {
			if (attempt < 3) {
				throw new IllegalStateException("for the test");
			}
		});
		awaitCalls(registration, 1);
		Instant first = this.time.now();
		this.time.advance(Duration.ofMillis(500));
		assertThat(registration.diagnose("shop", "a").lastFailure()).isEqualTo(first);
		this.time.advance(Duration.ofMillis(500));
		awaitCalls(registration, 2);
		Instant second = this.time.now();
		assertThat(registration.failing()).extracting(ReconcilerRegistration.Failing::lastFailure)
			.containsExactly(second);
		assertThat(registration.diagnose("shop", "a").causes()).extracting(ReconcilerDiagnosis.Cause::message)
			.containsExactly("The last 2 calls have failed, the last one at " + second
					+ " with java.lang.IllegalStateException");
		this.time.advance(Duration.ofMinutes(1));
		awaitCalls(registration, 3);
		assertThat(registration.diagnose("shop", "a").lastFailure()).isNull();
	}

	@Test
	void conflicts_areNoFailures_andUseUpNoRetries() throws Exception {
		ReconcilerRegistration registration = start((attempt) -> {
			if (this.attempts.size() == 9) {
				throw new IllegalStateException("for the test");
			}
			throw new ObjectWriteException(409, "for the test");
		});
		for (int i = 1; i <= 8; i++) {
			awaitCalls(registration, i);
			assertNoFailure(registration);
			// other writers may continue: the delay grows
			this.time.advance(Duration.ofSeconds(1L << (i - 1)));
		}
		awaitCalls(registration, 9);
		assertThat(this.attempts).containsOnly(1);
		assertThat(registration.failing()).hasSize(1);
		assertThat(registration.diagnose("shop", "a").nextCall()).isEqualTo(this.time.now().plusSeconds(1));
		assertThat(this.log.text()).containsOnlyOnce(
				"Reconciler 'configmaps' had a conflict with another writer of shop/a 5 times in a row; retrying in");
		assertThat(this.log.text()).contains("failed 2 more times in the last 96 s (conflict: ObjectWriteException 2)");
	}

	@Test
	void repetitionAfterFailures_isNotListedAsFailing_andKeepsTheAttempt() throws Exception {
		ReconcilerRegistration registration = start((attempt) -> {
			throw (this.attempts.size() == 1) ? new IllegalStateException("for the test")
					: new RetryLaterException("not yet", Duration.ofHours(1));
		});
		awaitCalls(registration, 1);
		assertThat(registration.failing()).hasSize(1);
		this.time.advance(Duration.ofSeconds(1));
		awaitCalls(registration, 2);
		assertNoFailure(registration);
		this.time.advance(Duration.ofHours(1));
		awaitCalls(registration, 3);
		assertThat(this.attempts).containsExactly(1, 2, 2);
	}

	@Test
	void objectThatIsCalledAtItsMinimumInterval_isReported() throws Exception {
		ReconcilerRegistration registration = start((attempt) -> {
			throw new RetryLaterException("at once", Duration.ofMillis(900));
		});
		for (int i = 1; i <= 202; i++) {
			assertThat(registration.looping()).isEqualTo((i <= 201) ? 0 : 1);
			int number = i;
			await().pollDelay(Duration.ZERO)
				.until(() -> this.attempts.size() == number && registration.counts().active() == 0);
			this.time.advance(Duration.ofMillis(900));
		}
		assertThat(this.log.text())
			.containsOnlyOnce("Reconciler 'configmaps' has been called for shop/a 201 times in 180 s");
	}

	@Test
	void writesWithoutAnAnswer_areRepeatedLikeOtherFailures() throws Exception {
		this.kubernetes.faults().always(Verb.PATCH, "configmaps", Fault.status(500));
		ReconcilerRegistration registration = start((attempt) -> this.writer.apply(TestObjects.configMap("shop", "b")));
		for (int i = 1; i <= 3; i++) {
			awaitCalls(registration, i);
			awaitNoHold(registration);
			this.time.advance(Duration.ofSeconds(i));
		}
		assertThat(registration.diagnose("shop", "a").causes()).extracting(Cause::reason)
			.containsExactly(Reason.FAILED);
		assertThat(registration.request("shop", "a")).isTrue();
		awaitCalls(registration, 4);
		awaitNoHold(registration);
		assertThat(this.attempts).containsExactly(1, 2, 3, 1);
	}

	@Test
	void objectThatExistsAlready_isAFailure() throws Exception {
		ReconcilerRegistration registration = start(
				(attempt) -> this.writer.create(TestObjects.configMap("shop", "a")));
		awaitCalls(registration, 1);
		assertThat(registration.failing()).hasSize(1);
	}

	@Test
	void conflict_isAnOutcomeOfItsOwn() throws Exception {
		AtomicBoolean conflict = new AtomicBoolean(true);
		add((primary, context) -> {
			if (conflict.getAndSet(false)) {
				change("a", "2");
			}
			primary.getData().put("seen", primary.getData().get("key"));
			this.writer.update(primary);
			return null;
		}, (options) -> options.retry(SOON));
		this.reconcilers.start();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.kubernetes.get("configmaps", "shop", "a")
			.orElseThrow()
			.at("/data/seen")
			.asString()
			.equals("2"));
		awaitIdle();
		assertThat(this.outcomes).startsWith(ReconcileCall.Outcome.CONFLICT)
			.doesNotContain(ReconcileCall.Outcome.FAILURE);
	}

	@Test
	void conflictThatIsACause_isOneAsWell() throws Exception {
		AtomicBoolean conflict = new AtomicBoolean(true);
		add((primary, context) -> {
			if (conflict.getAndSet(false)) {
				throw new IllegalStateException(new ObjectWriteException(409, "another version"));
			}
			return null;
		}, (options) -> options.retry(SOON).notRetryable(List.of(IllegalStateException.class)));
		startSynced();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.outcomes.size() == 2);
		assertThat(this.outcomes).containsExactly(ReconcileCall.Outcome.CONFLICT, ReconcileCall.Outcome.SUCCESS);
	}

	@Test
	void conflictException_isAConflict_alsoAsASubclassOrACause() throws Exception {
		Queue<Exception> failures = new ConcurrentLinkedQueue<>(List.of(new UncheckedIOException(new IOException()),
				new IllegalStateException(new FileNotFoundException()), new IllegalStateException("another")));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(String.valueOf(context.attempt()));
			Exception failure = failures.poll();
			if (failure != null) {
				throw failure;
			}
			return null;
		}, (options) -> options.retry(SOON).conflictExceptions(List.of(IOException.class)));
		startSynced();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.outcomes.size() == 4);
		awaitIdle();
		assertThat(this.outcomes).containsExactly(ReconcileCall.Outcome.CONFLICT, ReconcileCall.Outcome.CONFLICT,
				ReconcileCall.Outcome.FAILURE, ReconcileCall.Outcome.SUCCESS);
		assertThat(this.calls).containsExactly("1", "1", "1", "2");
		assertThat(registration.failing()).isEmpty();
		assertThat(this.log.text()).containsOnlyOnce("Reconciler '").contains("failed on shop/a (attempt 1)");
	}

	@Test
	void retryLater_isNoFailure() throws Exception {
		add((primary, context) -> {
			this.calls.add("called");
			if (this.calls.size() == 1) {
				throw new RetryLaterException("not yet", Duration.ofMillis(1));
			}
			return null;
		});
		this.reconcilers.start();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.calls.size() == 2);
		awaitIdle();
		assertThat(this.outcomes).containsExactly(ReconcileCall.Outcome.LATER, ReconcileCall.Outcome.SUCCESS);
	}

	private void assertNoFailure(ReconcilerRegistration registration) {
		assertThat(registration.failing()).isEmpty();
		assertThat(registration.counts().retrying()).isZero();
		assertThat(registration.counts().failed()).isZero();
		assertThat(registration.counts().scheduled()).isOne();
		assertThat(registration.diagnose("shop", "a").causes()).extracting(Cause::reason)
			.containsExactly(Reason.SCHEDULED);
	}

	/** Wait until the server was asked what became of the last write. */
	private void awaitNoHold(ReconcilerRegistration registration) {
		await().until(() -> {
			this.time.advance(Duration.ofMillis(1));
			return registration.diagnose("shop", "a")
				.causes()
				.stream()
				.noneMatch((cause) -> cause.reason() == Reason.HELD);
		});
	}

	private void awaitCalls(ReconcilerRegistration registration, int number) {
		await().until(() -> this.attempts.size() == number && registration.counts().active() == 0);
	}

	private ReconcilerRegistration start(Body body) {
		create(TestObjects.configMap("shop", "a"));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.attempts.add(context.attempt());
			body.call(context.attempt());
			return null;
		}, (options) -> options.retry(TWICE).minInterval(Duration.ZERO));
		this.reconcilers.start();
		return registration;
	}

	/**
	 * Body of a reconciler.
	 */
	private interface Body {

		void call(int attempt) throws Exception;

	}

}
