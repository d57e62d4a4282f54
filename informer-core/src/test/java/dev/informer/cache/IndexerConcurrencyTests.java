/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an {@link Indexer} that is read by several threads while it changes and is
 * given indices.
 */
@Timeout(120)
class IndexerConcurrencyTests {

	private static final int PODS = 30;

	private static final int VERSIONS = 500;

	private final Indexer<V1Pod> indexer = new Indexer<>((description, failure) -> {
	});

	private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean done = new AtomicBoolean();

	private final AtomicLong reads = new AtomicLong();

	/**
	 * The newest version that any reader has seen; no reader may see an older one then.
	 */
	private final AtomicLong seen = new AtomicLong();

	/**
	 * All pods are changed together, by turns in place and by deletion and creation, and
	 * move to another node each time.
	 */
	@Test
	void readersWhileEverythingChanges_seeOneVersionInOrder() throws Exception {
		this.indexer.addIndex("node", (pod) -> List.of(String.valueOf(pod.getSpec().getNodeName())));
		write(1);
		List<Thread> threads = new ArrayList<>();
		threads.add(new Thread(() -> repeat(this::readAll)));
		threads.add(new Thread(() -> repeat(this::readAll)));
		threads.add(new Thread(() -> repeat(this::readIndex)));
		threads.add(new Thread(() -> repeat(this::readKeys)));
		AtomicLong indices = new AtomicLong();
		threads.add(new Thread(() -> repeat(() -> addIndex("late" + indices.incrementAndGet()))));
		threads.forEach(Thread::start);
		for (int version = 2; version <= VERSIONS; version++) {
			write(version);
		}
		this.done.set(true);
		for (Thread thread : threads) {
			thread.join(TimeUnit.SECONDS.toMillis(60));
			assertThat(thread.isAlive()).isFalse();
		}
		assertThat(this.failures).isEmpty();
		assertThat(this.reads).hasValueGreaterThan(100);
		assertThat(this.indexer.resourceVersion("")).isEqualTo(Integer.toString(VERSIONS));
		assertThat(this.indexer.indexValues("node")).containsExactly(node(VERSIONS));
	}

	private void write(int version) {
		Map<String, V1Pod> stored = new LinkedHashMap<>();
		for (int i = 0; i < PODS; i++) {
			stored.put("ns/pod" + i, TestObjects.onNode(TestObjects.pod("pod" + i, version), node(version)));
		}
		Set<String> removed = (version % 2 == 0) ? stored.keySet() : Set.of();
		this.indexer.apply(removed, stored, Map.of("", Integer.toString(version)));
	}

	private static String node(int version) {
		return "node" + version % 3;
	}

	private void repeat(Runnable read) {
		try {
			while (!this.done.get() && this.failures.isEmpty()) {
				read.run();
				this.reads.incrementAndGet();
			}
		}
		catch (Throwable ex) {
			this.failures.add(ex);
		}
	}

	/**
	 * In between two reads everything may move on; one read is of one version.
	 */
	private void readIndex() {
		for (String node : this.indexer.indexValues("node")) {
			long before = this.seen.get();
			List<V1Pod> pods = this.indexer.byIndex("node", node);
			assertThat(pods.size()).isIn(0, PODS);
			if (!pods.isEmpty()) {
				long version = version(pods);
				assertThat(node).isEqualTo(node((int) version));
				note(version, before);
			}
			assertThat(this.indexer.indexKeys("node", node).size()).isIn(0, PODS);
		}
		assertThat(this.indexer.indexValues("node")).hasSize(1);
	}

	private void readKeys() {
		for (String key : this.indexer.keys("")) {
			long before = this.seen.get();
			V1Pod pod = this.indexer.find(key);
			assertThat(pod).as("never absent, though deleted and created in each other batch").isNotNull();
			note(version(List.of(pod)), before);
		}
	}

	private void note(long version, long before) {
		assertThat(version).as("the version that a reader has seen before").isGreaterThanOrEqualTo(before);
		this.seen.accumulateAndGet(version, Math::max);
	}

	private static long version(List<V1Pod> pods) {
		List<String> versions = pods.stream()
			.map((pod) -> Objects.requireNonNull(pod.getMetadata().getResourceVersion()))
			.distinct()
			.toList();
		assertThat(versions).hasSize(1);
		return Long.parseLong(versions.get(0));
	}

	private void addIndex(String name) {
		if (name.length() > 5) {
			return;
		}
		this.indexer.addIndex(name, (pod) -> List.of("all"));
		assertThat(this.indexer.byIndex(name, "all")).hasSize(PODS);
	}

	/**
	 * Expect all pods at one version, which is neither behind the store's before nor
	 * ahead of the store's after that, nor behind what any reader saw before.
	 */
	private void readAll() {
		long seenBefore = this.seen.get();
		int before = Integer.parseInt(this.indexer.resourceVersion(""));
		List<V1Pod> pods = this.indexer.list();
		int after = Integer.parseInt(this.indexer.resourceVersion(""));
		assertThat(pods).hasSize(PODS);
		long version = version(pods);
		assertThat(version).isBetween((long) before, (long) after);
		note(version, seenBefore);
	}

}
