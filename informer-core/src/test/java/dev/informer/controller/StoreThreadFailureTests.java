/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.QueuePolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what becomes of changes that cannot be applied to the store.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class StoreThreadFailureTests {

	private final FakeSource source = new FakeSource();

	private final FakeTime time = FakeTime.autoAdvancingUpTo();

	private final EventLog<V1Pod> log = new EventLog<>();

	private final List<InformerFailure> failures = new CopyOnWriteArrayList<>();

	private final AtomicInteger succeeding = new AtomicInteger();

	private final AtomicInteger failing = new AtomicInteger();

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
			(settings) -> settings.time(this.time).addListener((event) -> {
				if (event instanceof InformerEvent.Failed failed) {
					StoreThreadFailureTests.this.failures.add(failed.failure());
				}
			}));

	@BeforeEach
	void start() {
		this.informer.setTransform((pod) -> new Brittle(pod, this::look));
		this.informer.addHandler(this.log, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		this.source.put("a");
		this.source.put("b");
		this.informer.start();
		awaitAgreement();
		await().until(() -> this.source.openWatches() == 1);
	}

	@AfterEach
	void close() {
		this.informer.close();
	}

	@Test
	void changesThatFailPartWay_areRetriedAsAWhole() {
		this.failing.set(2);
		this.source.put("a");
		this.source.put("c");
		this.source.delete("b");
		this.source.put("d");
		awaitAgreement();
		assertThat(this.failures).hasSize(2).allSatisfy((failure) -> {
			assertThat(failure.message()).endsWith("retrying");
			assertThat(failure.cause()).hasMessage("for the test");
		});
		assertThat(lists()).hasSize(1);
		assertThat(this.log.story()).containsExactlyInAnyOrder("ADDED ns/a", "ADDED ns/b", "ADDED ns/c", "UPDATED ns/a",
				"DELETED ns/b", "ADDED ns/d");
	}

	@Test
	void changesThatFailAtAnyPoint_loseNoEventOfAnyHandler() {
		EventLog<V1Pod> second = new EventLog<>();
		this.informer.addHandler(second, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		await().until(() -> second.events().size() == 2);
		for (int calls = 0; calls <= 12; calls++) {
			this.log.clear();
			second.clear();
			this.succeeding.set(calls);
			this.failing.set(1);
			this.source.put("a");
			this.source.put("c");
			await().until(() -> this.log.events().size() == 2 && second.events().size() == 2);
			this.source.delete("c");
			await().until(() -> this.log.events().size() == 3 && second.events().size() == 3);
			assertThat(List.of(this.log, second)).allSatisfy((each) -> assertThat(each.story())
				.containsExactlyInAnyOrder("UPDATED ns/a", "ADDED ns/c", "DELETED ns/c"));
			this.failing.set(0);
		}
		assertThat(this.failures).hasSizeGreaterThan(4);
		assertThat(lists()).hasSize(1);
	}

	@Test
	void changesThatKeepFailing_areRelisted() {
		this.failing.set(3);
		this.source.put("a");
		this.source.delete("b");
		this.source.put("d");
		awaitAgreement();
		await().untilAsserted(() -> assertThat(lists()).hasSize(2));
		assertThat(this.failures).last().satisfies((failure) -> assertThat(failure.message()).endsWith("relisting"));
		assertThat(this.log.story()).containsExactlyInAnyOrder("ADDED ns/a", "ADDED ns/b", "UPDATED ns/a",
				"DELETED ns/b", "ADDED ns/d");
		this.source.put("e");
		awaitAgreement();
	}

	@Test
	void failedList_isRetried_asAnInitialList() {
		this.informer.stop(Duration.ofSeconds(1));
		this.failing.set(1);
		this.source.put("c");
		this.informer.start();
		awaitAgreement();
		assertThat(this.failures).hasSize(1);
		assertThat(lists()).hasSize(2);
	}

	@Test
	void resync_doesNotDependOnTheMetadata() {
		FakeTime standing = FakeTime.manual();
		try (SharedIndexInformer<V1Pod> resynced = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
				(settings) -> settings.time(standing).addListener((event) -> {
					if (event instanceof InformerEvent.Failed failed) {
						StoreThreadFailureTests.this.failures.add(failed.failure());
					}
				}))) {
			EventLog<V1Pod> resyncs = new EventLog<>();
			resynced.setTransform((pod) -> new Brittle(pod, this::look));
			resynced.addHandler(resyncs, (options) -> options.resyncPeriod(Duration.ofSeconds(10)));
			resynced.start();
			await().until(() -> resyncs.events().size() == 2 && this.source.openWatches() == 2);
			this.failing.set(Integer.MAX_VALUE);
			standing.advance(Duration.ofSeconds(10));
			await().until(() -> resyncs.events().size() == 4);
			assertThat(resyncs.events().subList(2, 4)).allSatisfy((event) -> assertThat(event.resync()).isTrue());
			assertThat(this.failures).isEmpty();
		}
		this.failing.set(0);
	}

	@Test
	void indexFunctionThatThrowsAnError_losesNoEvent() {
		this.informer.addMultiValueIndex("broken", (pod) -> {
			throw new StackOverflowError("for the test");
		});
		this.source.put("a");
		this.source.put("c");
		awaitAgreement();
		assertThat(this.informer.lister().indexValues("broken")).isEmpty();
		assertThat(this.failures).extracting(InformerFailure::kind).containsOnly(InformerFailure.Kind.INDEX_FUNCTION);
		assertThat(lists()).hasSize(1);
	}

	private void look() {
		if (Thread.currentThread().getName().endsWith("-store") && !isCounted(this.succeeding)
				&& isCounted(this.failing)) {
			throw new IllegalStateException("for the test");
		}
	}

	private static boolean isCounted(AtomicInteger left) {
		return left.getAndUpdate((count) -> Math.max(0, count - 1)) > 0;
	}

	private List<String> lists() {
		return this.source.requests().stream().filter((request) -> request.startsWith("LIST")).toList();
	}

	private void awaitAgreement() {
		await().untilAsserted(() -> {
			assertThat(this.log.replay()).isEqualTo(this.source.versions());
			assertThat(this.log.problems()).isEmpty();
			assertThat(this.informer.lister().list()).hasSameSizeAs(this.source.versions().keySet());
		});
	}

	/**
	 * A pod whose metadata cannot be read by the thread of the store now and then.
	 */
	private static final class Brittle extends V1Pod {

		private final Runnable look;

		Brittle(V1Pod pod, Runnable look) {
			this.look = look;
			setMetadata(pod.getMetadata());
			setSpec(pod.getSpec());
		}

		@Override
		public V1ObjectMeta getMetadata() {
			this.look.run();
			return super.getMetadata();
		}

	}

}
