/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.informer.IndexFunction;
import dev.informer.InformerEvent;
import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for index functions that use their informer, block, leave an interrupt flag or
 * fail.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class IndexFunctionTests {

	private static final long SECONDS = 10;

	private final FakeSource source = new FakeSource();

	private final Queue<String> failures = new ConcurrentLinkedQueue<>();

	private final EventLog<V1Pod> log = new EventLog<>();

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source,
			new InformerOptions.Builder(InformerOptions.DEFAULT).allowUnsyncedReads(true).build(),
			(settings) -> settings.addListener((event) -> {
				if (event instanceof InformerEvent.Failed failed) {
					this.failures.add(failed.failure().message());
				}
			}));

	@AfterEach
	void close() {
		this.informer.close();
	}

	@Test
	void functionWaitsForAThreadThatUsesTheInformer_whileTheCacheChanges_getsItsResult() {
		IndexFunction<V1Pod> function = (pod) -> List.of(inOtherThread(() -> {
			this.informer.addHandler(new EventLog<>()).remove();
			this.informer.addIndex("of " + pod.getMetadata().getName(), (other) -> "value");
			return "value";
		}));
		this.informer.addMultiValueIndex("waiting", function);
		this.informer.addHandler(this.log);
		this.source.put("a");
		this.informer.start();
		await().until(() -> this.informer.hasSynced());
		this.source.put("b");
		await().until(() -> this.log.events().size() == 2);
		assertThat(this.failures).isEmpty();
		assertThat(this.informer.lister().indexKeys("waiting", "value")).containsExactly("ns/a", "ns/b");
		assertThat(this.informer.lister().indexKeys("of a", "value")).containsExactly("ns/a", "ns/b");
		assertThat(this.informer.lister().indexKeys("of b", "value")).containsExactly("ns/a", "ns/b");
	}

	@Test
	void functionOfAnAddedIndexWaitsForAChangeOfTheCache_changeAndOldObjectAreIndexed() {
		this.source.put("a");
		this.informer.addHandler(this.log);
		this.informer.start();
		await().until(() -> this.informer.hasSynced());
		this.informer.addMultiValueIndex("waiting", (pod) -> {
			if (this.log.events().size() < 2) {
				this.source.put("b");
				await().until(() -> this.log.events().size() == 2);
			}
			return List.of("value");
		});
		assertThat(this.informer.lister().indexKeys("waiting", "value")).containsExactly("ns/a", "ns/b");
		assertThat(this.failures).isEmpty();
	}

	@Test
	void functionAddsAnIndexAndReadsTheLister_bothIndicesAreComplete() {
		this.informer.addMultiValueIndex("outer", (pod) -> {
			String name = "inner of " + pod.getMetadata().getName();
			if (!hasIndex(name)) {
				this.informer.addIndex(name, (other) -> "value");
			}
			return List.of(String.valueOf(this.informer.lister().size()));
		});
		this.source.put("a");
		this.source.put("b");
		this.informer.start();
		await().until(() -> this.informer.hasSynced());
		assertThat(this.informer.lister().indexKeys("outer", "0")).containsExactly("ns/a", "ns/b");
		assertThat(this.informer.lister().indexKeys("inner of a", "value")).containsExactly("ns/a", "ns/b");
		assertThat(this.informer.lister().indexKeys("inner of b", "value")).containsExactly("ns/a", "ns/b");
	}

	@Test
	void functionLeavesAnInterruptFlagOrThrowsAnError_everyObjectIsStored_andDelivered() {
		this.informer.addMultiValueIndex("broken", (pod) -> {
			Thread.currentThread().interrupt();
			if (pod.getMetadata().getName().startsWith("error")) {
				throw new StackOverflowError("for the test");
			}
			return List.of("value");
		});
		this.informer.addHandler(this.log);
		this.source.put("a");
		this.informer.start();
		await().until(() -> this.informer.hasSynced());
		for (int i = 0; i < 5; i++) {
			this.source.put("b" + i);
			this.source.put("error" + i);
			int expected = 3 + 2 * i;
			await().untilAsserted(() -> assertThat(this.log.story()).hasSize(expected));
		}
		assertThat(this.informer.lister().size()).isEqualTo(11);
		assertThat(this.informer.lister().indexKeys("broken", "value")).containsExactly("ns/a", "ns/b0", "ns/b1",
				"ns/b2", "ns/b3", "ns/b4");
		assertThat(this.failures).hasSize(5).allMatch((failure) -> failure.contains("'broken' failed for ns/error"));
	}

	/**
	 * The thread belongs to the application: only its code may clear the flag.
	 */
	@Test
	void flagOfTheThreadThatAddsAnIndex_isHiddenFromTheFunction_andKept() {
		this.source.put("a");
		this.informer.start();
		await().until(() -> this.informer.hasSynced());
		Thread.currentThread().interrupt();
		this.informer.addIndex("flag", (pod) -> String.valueOf(Thread.currentThread().isInterrupted()));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.informer.lister().indexValues("flag")).containsExactly("false");
		assertThat(this.failures).isEmpty();
	}

	private boolean hasIndex(String name) {
		try {
			this.informer.lister().indexValues(name);
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private static <R> R inOtherThread(Callable<R> call) {
		FutureTask<R> task = new FutureTask<>(call);
		Thread thread = new Thread(task, "other thread of the test");
		thread.setDaemon(true);
		thread.start();
		try {
			return task.get(SECONDS, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException("The other thread had no result", ex);
		}
	}

}
