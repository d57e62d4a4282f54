/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.FakeTime;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for calls that are repeated without a failure: on request, or after a conflict.
 */
@Timeout(60)
class RepeatedCallTests {

	private static final RetryPolicy TWICE = new RetryPolicy(2, Duration.ofSeconds(1), 2, Duration.ofMinutes(5),
			Duration.ZERO);

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final FakeTime time = FakeTime.manual();

	private final InformerFactory factory = InformerFactory.create(
			() -> new ClientBuilder().setBasePath(this.kubernetes.url()).build(),
			(settings) -> settings.time(this.time));

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, ObjectWriter.of(this.factory, "tests"));

	private final List<Integer> attempts = new CopyOnWriteArrayList<>();

	@BeforeEach
	void create() {
		this.log.setLevel(Level.WARN);
		this.kubernetes.create(TestObjects.namespace("shop"));
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

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
		ObjectWriter writer = ObjectWriter.of(this.factory, "tests");
		this.kubernetes.faults().always(Verb.PATCH, "configmaps", Fault.status(500));
		ReconcilerRegistration registration = start((attempt) -> writer.apply(TestObjects.configMap("shop", "b")));
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
		ObjectWriter writer = ObjectWriter.of(this.factory, "tests");
		ReconcilerRegistration registration = start((attempt) -> writer.create(TestObjects.configMap("shop", "a")));
		awaitCalls(registration, 1);
		assertThat(registration.failing()).hasSize(1);
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
		Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options = (builder) -> builder.retry(TWICE)
			.minInterval(Duration.ZERO);
		ReconcilerRegistration registration = this.reconcilers.add(this.configMaps, (primary, context) -> {
			this.attempts.add(context.attempt());
			body.call(context.attempt());
			return null;
		}, options);
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
