/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import dev.informer.IndexFunction;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.TestObjects.onNode;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the cost of changes of an {@link Indexer} in the worst case, by the bytes
 * that they allocate: a change copies the path to its entry, so everything that depends
 * on the number of objects or values in another way than by its logarithm shows.
 */
class IndexerCostTests {

	private static final int OBJECTS = 100_000;

	/** More than a change of one object needs, less than one bit per object. */
	private static final long BYTES = 10_000;

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final IllegalStateException failure = new IllegalStateException("for the test");

	private final Indexer<V1Pod> indexer = new Indexer<>((description, failure) -> {
	});

	@Test
	void functionThatThrows_costsNoScanOfTheValues() {
		this.indexer.addIndex("node", (pod) -> {
			if (pod.getSpec().getNodeName().startsWith("broken")) {
				throw this.failure;
			}
			return List.of(pod.getSpec().getNodeName());
		});
		store(IntStream.range(0, OBJECTS).mapToObj((i) -> onNode(pod("pod" + i, 1), "node" + i)).toList());
		// the first failure links the code of its message
		put(onNode(pod("pod6", 2), "broken"));
		assertThat(bytes(() -> put(onNode(pod("pod5", 2), "broken")))).isLessThan(BYTES);
		assertThat(bytes(() -> put(onNode(pod("pod5", 3), "broken")))).isLessThan(BYTES);
		assertThat(bytes(() -> remove("ns/pod5"))).isLessThan(BYTES);
		assertThat(this.indexer.indexValues("node")).hasSize(OBJECTS - 2);
	}

	@Test
	void oneValueOfAllObjects_costsNoCopyOfItsObjects() {
		this.indexer.addIndex("all", (pod) -> List.of("all"));
		store(IntStream.range(0, OBJECTS).mapToObj((i) -> pod("pod" + i, 1)).toList());
		assertThat(bytes(() -> put(pod("pod5", 2)))).isLessThan(BYTES);
		assertThat(bytes(() -> remove("ns/pod5"))).isLessThan(BYTES);
		assertThat(bytes(() -> this.indexer.apply(this.indexer.keys("ns"), Map.of(), Map.of())))
			.isLessThan(OBJECTS * BYTES);
		assertThat(this.indexer.indexValues("all")).isEmpty();
		assertThat(this.indexer.keys("ns")).isEmpty();
	}

	@Test
	void namesAndIndexValuesWithOneHashCode_costAsMuchAsOthers() {
		List<String> texts = textsWithOneHashCode(1 << 14);
		this.indexer.addIndex("node", (pod) -> List.of(pod.getSpec().getNodeName()));
		store(texts.stream().map((text) -> onNode(pod(text, 1), text)).toList());
		for (String text : List.of(texts.get(0), texts.get(texts.size() - 1))) {
			assertThat(bytes(() -> put(onNode(pod(text, 2), "other")))).isLessThan(BYTES);
			assertThat(bytes(() -> put(onNode(pod(text, 3), text)))).isLessThan(BYTES);
			assertThat(this.indexer.indexKeys("node", text)).containsExactly("ns/" + text);
			assertThat(bytes(() -> remove("ns/" + text))).isLessThan(BYTES);
		}
		assertThat(this.indexer.size()).isEqualTo(texts.size() - 2);
	}

	/**
	 * The values that an object keeps are found without a scan of all its values. That is
	 * not visible in bytes: the bound in seconds is that of 10,000 million comparisons.
	 */
	@Test
	void manyValuesOfOneObject_areNotComparedWithEachOther() {
		List<String> values = IntStream.range(0, OBJECTS).mapToObj((i) -> "value" + i).toList();
		List<String> reversed = new ArrayList<>(values);
		Collections.reverse(reversed);
		IndexFunction<V1Pod> function = (pod) -> pod.getMetadata().getResourceVersion().equals("1") ? values : reversed;
		this.indexer.addIndex("values", function);
		put(pod("a", 1));
		long start = THREADS.getCurrentThreadCpuTime();
		put(pod("a", 2));
		remove("ns/a");
		assertThat(THREADS.getCurrentThreadCpuTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
		assertThat(this.indexer.indexValues("values")).isEmpty();
	}

	/**
	 * Return legal names of pods.
	 */
	private static List<String> textsWithOneHashCode(int number) {
		List<String> texts = List.of("");
		while (texts.size() < number) {
			texts = texts.stream().flatMap((text) -> Stream.of(text + "ao", text + "c1")).toList();
		}
		assertThat(texts.stream().map(String::hashCode).distinct()).hasSize(1);
		return texts;
	}

	private void store(List<V1Pod> pods) {
		Map<String, V1Pod> stored = new LinkedHashMap<>();
		pods.forEach((pod) -> stored.put(ObjectKey.of(pod), pod));
		this.indexer.apply(List.of(), stored, Map.of());
	}

	private void put(V1Pod pod) {
		this.indexer.apply(List.of(), Map.of(ObjectKey.of(pod), pod), Map.of());
	}

	private void remove(String key) {
		this.indexer.apply(List.of(key), Map.of(), Map.of());
	}

	private static long bytes(Runnable action) {
		long before = THREADS.getCurrentThreadAllocatedBytes();
		action.run();
		return THREADS.getCurrentThreadAllocatedBytes() - before;
	}

}
