/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Reconcilers} that are stopped, or whose informers are.
 */
class ReconcilerStopTests extends AbstractReconcilersTests {

	@Test
	void stop_interruptsCalls_andKeepsWhatIsPending() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(context.attempt() + primary.getMetadata().getName());
			if (this.calls.size() == 1) {
				begun.countDown();
				new CountDownLatch(1).await();
			}
			return null;
		}, (options) -> options.concurrency(1));
		startSynced();
		create(configMap("a", "1"));
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		create(configMap("b", "1"));
		await().until(() -> registration.counts().pending() == 1);
		assertThat(registration.calls()).singleElement()
			.satisfies((call) -> assertThat(call.key()).isEqualTo("shop/a"));
		assertThat(this.reconcilers.stop(Duration.ZERO)).isFalse();
		await().until(() -> registration.calls().isEmpty());
		assertThat(registration.counts())
			.satisfies((counts) -> assertThat(counts.pending() + counts.limited()).isEqualTo(2));
		assertThat(registration.diagnose()).extracting(Cause::reason).contains(Reason.STOPPED);
		this.reconcilers.start();
		awaitIdle();
		assertThat(this.calls).startsWith("1a").contains("1b").hasSize(3);
		assertThat(this.reconcilers.stop(LONG)).isTrue();
	}

	@Test
	void callThatStops_doesNotWaitForItself() throws Exception {
		List<Boolean> ended = Collections.synchronizedList(new ArrayList<>());
		ReconcilerRegistration registration = add((primary, context) -> {
			ended.add(this.reconcilers.stop(ChronoUnit.FOREVER.getDuration()));
			return null;
		});
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> !ended.isEmpty() && registration.calls().isEmpty());
		assertThat(ended).containsExactly(true);
	}

	@Test
	void stopOfTheInformers_reportsNoUndeliveredEvents() throws Exception {
		add((primary, context) -> null, (options) -> options.owns(this.secrets));
		startSynced();
		assertThat(this.factory.suspendHandlers(LONG)).isTrue();
		create(configMap("a", "1"));
		create(secret("shop", "s"));
		await().until(() -> this.configMaps.lister().size() == 1 && this.secrets.lister().size() == 1);
		this.factory.stop(Duration.ZERO);
		this.factory.close();
		assertThat(this.log.text()).doesNotContain("undelivered");
	}

}
