/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InformerFactory;
import dev.informer.RetryLaterException;
import dev.informer.SharedIndexInformer;
import dev.informer.test.Verb;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a reconciler sees of its own writes while watches are late.
 */
class OwnWriteHoldTests extends AbstractReconcilersTests {

	@Test
	void secondObject_isNeverCreated_whileWatchIsLate() throws Exception {
		this.watches.maxMillis(300);
		add((primary, context) -> {
			if (context.owned(V1Secret.class).list().isEmpty()) {
				this.writer.create(child(), primary);
				throw new IllegalStateException("fails after each write, so that it is called again at once");
			}
			return null;
		}, (options) -> options.owns(this.secrets).retry(SOON).minInterval(Duration.ZERO));
		this.reconcilers.start();
		for (int i = 0; i < 10; i++) {
			create(configMap("a" + i, "1"));
			change("a" + i, "2");
		}
		awaitAdvancing(() -> this.secrets.hasSynced() && this.secrets.lister().size() >= 10);
		awaitIdle();
		assertThat(this.kubernetes.list("secrets", "shop").size()).isEqualTo(10);
		assertThat(this.outcomes).contains(ReconcileCall.Outcome.FAILURE, ReconcileCall.Outcome.SUCCESS);
	}

	/** Shows that the test above can fail. */
	@Test
	void secondObject_isCreated_withoutHold() throws Exception {
		this.watches.maxMillis(300);
		add((primary, context) -> {
			if (context.owned(V1Secret.class).list().isEmpty()) {
				// the writes of another thread are not known
				CompletableFuture.runAsync(() -> createChild(primary)).get();
				throw new IllegalStateException("fails after each write, so that it is called again at once");
			}
			return null;
		}, (options) -> options.owns(this.secrets).retry(SOON).minInterval(Duration.ZERO));
		this.reconcilers.start();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.kubernetes.list("secrets", "shop").size() > 1);
	}

	@Test
	void deletedObject_isGoneInNextCall() throws Exception {
		this.watches.maxMillis(300);
		List<Integer> children = Collections.synchronizedList(new ArrayList<>());
		ReconcilerRegistration registration = add((primary, context) -> {
			List<V1Secret> owned = context.owned(V1Secret.class).list();
			children.add(owned.size());
			if (!owned.isEmpty()) {
				this.writer.delete(owned.get(0));
				throw new RetryLaterException("called again at once", Duration.ZERO);
			}
			return null;
		}, (options) -> options.owns(this.secrets).minInterval(Duration.ZERO).paused(true));
		this.reconcilers.start();
		V1ConfigMap owner = this.writer.create(configMap("a", "1"));
		V1Secret child = this.writer.create(child(), owner);
		assertThat(this.secrets.awaitAtLeast(child, LONG)).isTrue();
		registration.resume();
		awaitAdvancing(() -> children.contains(0));
		awaitIdle();
		assertThat(children).startsWith(1, 0).filteredOn((size) -> size > 0).hasSize(1);
	}

	@Test
	void createWithoutAnAnswer_isNotRepeated() throws Exception {
		AtomicBoolean lost = new AtomicBoolean();
		InformerFactory breaking = InformerFactory.create(
				() -> this.watches.applyTo(new BrokenAnswers(lost)
					.applyTo(new ClientBuilder().setBasePath(this.kubernetes.url()).build())),
				(settings) -> settings.time(this.time));
		ObjectWriter other = ObjectWriter.of(breaking, "tests");
		this.watches.maxMillis(300);
		try (breaking; Reconcilers others = Reconcilers.of(breaking, other)) {
			SharedIndexInformer<V1ConfigMap> primaries = breaking.informer(V1ConfigMap.class);
			SharedIndexInformer<V1Secret> children = breaking.informer(V1Secret.class);
			ReconcilerRegistration registration = others.add(primaries, (primary, context) -> {
				this.calls.add(context.owned(V1Secret.class).list().size() + "");
				if (context.owned(V1Secret.class).list().isEmpty() && primary.getMetadata().getName().equals("a")) {
					lost.set(true);
					other.create(child(), primary);
				}
				return null;
			}, (options) -> options.owns(children).retry(SOON).minInterval(Duration.ZERO));
			others.start();
			create(configMap("a", "1"));
			awaitAdvancing(() -> this.calls.contains("1"));
			awaitIdle(registration);
			assertThat(this.kubernetes.list("secrets", "shop")).hasSize(1);
		}
	}

	@Test
	void writeOutsideOfTheSelector_isReported_andHoldsNothing() throws Exception {
		AtomicInteger successes = new AtomicInteger();
		ReconcilerRegistration registration = add((primary, context) -> {
			if (successes.getAndIncrement() == 0) {
				V1Secret hidden = child();
				hidden.getMetadata().putLabelsItem("hidden", "true");
				this.writer.create(hidden, primary);
			}
			return null;
		}, (options) -> options.owns(this.secrets));
		this.reconcilers.start();
		create(configMap("a", "1"));
		await().until(() -> successes.get() == 1 && registration.counts().active() == 0);
		assertThat(this.log.text()).containsOnlyOnce("which informer 'secrets' does not select");
		this.kubernetes.clearRequests();
		change("a", "2");
		this.time.advance(ReconcilerOptions.DEFAULT_MIN_INTERVAL);
		await().until(() -> successes.get() == 2);
		assertThat(this.kubernetes.requests(Verb.LIST, "secrets")).isEmpty();
		awaitIdle();
	}

	private void createChild(V1ConfigMap owner) {
		try {
			this.writer.create(child(), owner);
		}
		catch (ObjectWriteException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
