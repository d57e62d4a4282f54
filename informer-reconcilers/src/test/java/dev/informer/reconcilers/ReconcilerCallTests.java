/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.informer.HandlerRegistration;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Reconcilers}: when a method is called, and with what.
 */
class ReconcilerCallTests extends AbstractReconcilersTests {

	@Test
	void callThatBeginsBeforeTheInformerReportsItsSync_isNotLost() throws Exception {
		create(configMap("a", "1"));
		CountDownLatch called = new CountDownLatch(1);
		add((primary, context) -> {
			this.calls.add(String.valueOf(primary.getMetadata().getName()));
			called.countDown();
			return null;
		});
		// the informer logs its sync after that of its handlers, and before its own
		Logger logger = (Logger) LoggerFactory.getLogger(SharedIndexInformer.class);
		AppenderBase<ILoggingEvent> slow = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent event) {
				if (event.getFormattedMessage().startsWith("Informer 'configmaps' synced")) {
					// a thread that was started late takes the events now
					ReconcilerCallTests.this.configMaps.handlers().forEach(HandlerRegistration::resume);
					try {
						called.await(1, TimeUnit.SECONDS);
					}
					catch (InterruptedException ex) {
						Thread.currentThread().interrupt();
					}
				}
			}

		};
		slow.start();
		logger.addAppender(slow);
		logger.setLevel(Level.INFO);
		try {
			this.reconcilers.start();
			awaitAdvancing(() -> this.calls.contains("a"));
		}
		finally {
			logger.detachAppender(slow);
			logger.setLevel(null);
		}
	}

	@Test
	void reconciler_isCalledWithCopiesOfExistingAndLaterStates() throws Exception {
		create(configMap("a", "1"));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName() + primary.getData().get("key") + context.triggers());
			primary.getData().put("key", "modified");
			return null;
		});
		this.reconcilers.start();
		assertThat(registration.awaitIdle(LONG)).isTrue();
		create(configMap("b", "1"));
		await().until(() -> this.calls.size() == 2);
		change("a", "2");
		awaitAdvancing(() -> this.calls.size() == 3);
		assertThat(this.calls).containsExactly("a1[INITIAL_LIST]", "b1[PRIMARY]", "a2[PRIMARY]");
		assertThat(this.configMaps.lister().get("shop", "a").orElseThrow().getData()).containsEntry("key", "2");
	}

	@Test
	void deletedObject_isNotReconciled() throws Exception {
		create(configMap("a", "1"));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return Duration.ofMillis(200);
		});
		this.reconcilers.start();
		awaitAdvancing(() -> this.calls.size() > 1);
		this.kubernetes.delete("configmaps", "shop", "a");
		awaitAdvancing(() -> registration.diagnose("shop", "a")
			.causes()
			.stream()
			.map(Cause::reason)
			.toList()
			.containsAll(List.of(Reason.NOT_IN_CACHE, Reason.UP_TO_DATE)));
		assertThat(registration.counts().scheduled()).isZero();
		assertThat(registration.request("shop", "a")).isFalse();
	}

	@Test
	void call_waitsForAllInformers() throws Exception {
		create(configMap("a", "1"));
		this.kubernetes.faults().always(Verb.LIST, "secrets", Fault.status(500));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add("called");
			return null;
		}, (options) -> options.owns(this.secrets));
		this.reconcilers.start();
		await().until(() -> registration.counts().pending() == 1
				&& !this.kubernetes.requests(Verb.LIST, "secrets").isEmpty());
		assertThat(reasons(registration, "a")).contains(Reason.NOT_SYNCED);
		assertThat(this.calls).isEmpty();
		this.kubernetes.faults().clear();
		awaitAdvancing(() -> this.calls.size() == 1);
		awaitIdle();
	}

	@Test
	void delay_isFollowedByACall() throws Exception {
		AtomicInteger delays = new AtomicInteger();
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(context.triggers().toString());
			return (delays.incrementAndGet() < 3) ? Duration.ofMillis(10) : Duration.ofHours(1);
		});
		startSynced();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.calls.size() == 3);
		awaitIdle();
		assertThat(this.calls).containsExactly("[PRIMARY]", "[DELAY]", "[DELAY]");
		assertThat(registration.counts().scheduled()).isOne();
		ReconcilerDiagnosis diagnosis = registration.diagnose("shop", "a");
		assertThat(diagnosis.causes()).extracting(Cause::reason).containsExactly(Reason.SCHEDULED);
		assertThat(diagnosis.nextCall()).isAfter(this.time.now().plus(Duration.ofMinutes(59)));
	}

	@Test
	void request_andRequestAll_callWithoutAChange() throws Exception {
		create(configMap("a", "1"));
		create(configMap("b", "1"));
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName() + context.triggers());
			return null;
		});
		this.reconcilers.start();
		awaitIdle();
		this.calls.clear();
		assertThat(registration.request("shop", "a")).isTrue();
		awaitIdle();
		assertThat(this.calls).containsExactly("a[REQUEST]");
		registration.requestAll();
		awaitIdle();
		assertThat(this.calls).containsExactlyInAnyOrder("a[REQUEST]", "a[REQUEST]", "b[REQUEST]");
	}

	@Test
	void pause_letsNoCallBegin() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.paused(true));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> registration.counts().pending() == 1);
		assertThat(registration.isPaused()).isTrue();
		assertThat(registration.diagnose()).extracting(Cause::message)
			.contains("The reconciler was paused by its options");
		registration.resume();
		await().until(() -> this.calls.size() == 1);
	}

}
