/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Reconcilers#awaitIdle} and {@link ReconcilerRegistration#awaitIdle}.
 */
class ReconcilerIdleTests extends AbstractReconcilersTests {

	@Test
	void reconcilerWithoutObjects_isIdleWhenSynced() throws Exception {
		FutureTask<Boolean> idle = idle(add((primary, context) -> null));
		this.reconcilers.start();
		assertThat(idle.get(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void reconcilerWhoseObjectIsDeleted_isIdle() throws Exception {
		create(configMap("a", "1"));
		ReconcilerRegistration registration = add((primary, context) -> null, (options) -> options.paused(true));
		this.reconcilers.start();
		await().until(() -> registration.counts().pending() == 1);
		FutureTask<Boolean> idle = idle(registration);
		this.kubernetes.delete("configmaps", "shop", "a");
		assertThat(idle.get(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void reconcilerThatWrites_isIdleWhenCachesHaveIt() throws Exception {
		this.secrets.start();
		assertThat(this.secrets.awaitSynced(LONG)).isTrue();
		create(configMap("a", "1"));
		FutureTask<Boolean> idle = idle(add((primary, context) -> {
			if (context.owned(V1Secret.class).list().isEmpty()) {
				this.writer.create(child(), primary);
			}
			return null;
		}, (options) -> options.owns(this.secrets)));
		this.reconcilers.start();
		awaitAdvancing(idle::isDone);
		assertThat(idle.get()).isTrue();
		assertThat(this.secrets.lister().size()).isOne();
	}

	@Test
	void awaitIdle_waitsForAllReconcilers_thatAreNotPaused() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		add((primary, context) -> {
			this.calls.add("one");
			end.await();
			return null;
		}, (options) -> options.name("one"));
		ReconcilerRegistration two = add((primary, context) -> {
			this.calls.add("two");
			return null;
		}, (options) -> options.name("two").paused(true));
		assertThat(this.reconcilers.find("two")).containsSame(two);
		assertThat(this.reconcilers.find("three")).isEmpty();
		create(configMap("a", "1"));
		this.reconcilers.start();
		await().until(() -> this.calls.contains("one"));
		assertThat(this.reconcilers.awaitIdle(Duration.ZERO)).isFalse();
		end.countDown();
		assertThat(this.reconcilers.awaitIdle(LONG)).isTrue();
		two.resume();
		assertThat(this.reconcilers.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("one", "two");
	}

	private static FutureTask<Boolean> idle(ReconcilerRegistration registration) {
		FutureTask<Boolean> idle = new FutureTask<>(() -> registration.awaitIdle(ChronoUnit.FOREVER.getDuration()));
		Thread thread = new Thread(idle, "idle");
		thread.setDaemon(true);
		thread.start();
		// it waits for a condition of the reconciler, or for a handler
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		return idle;
	}

}
