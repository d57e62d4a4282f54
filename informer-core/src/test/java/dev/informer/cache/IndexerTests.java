/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.client.ObjectKey;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.TestObjects.onNode;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Indexer}.
 */
class IndexerTests {

	private final List<String> failures = new ArrayList<>();

	private final Indexer<V1Pod> indexer = new Indexer<>(
			(description, failure) -> this.failures.add(description + ": " + failure.getMessage()));

	@Test
	void index_followsAddUpdateAndDelete_andForgetsEmptyValues() {
		this.indexer.addIndex("node", (pod) -> List.of(pod.getSpec().getNodeName()));
		put(onNode(pod("a", 1), "n1"));
		put(onNode(pod("b", 2), "n1"));
		assertThat(this.indexer.indexKeys("node", "n1")).containsExactlyInAnyOrder("ns/a", "ns/b");
		put(onNode(pod("a", 3), "n2"));
		assertThat(this.indexer.indexValues("node")).containsExactlyInAnyOrder("n1", "n2");
		assertThat(this.indexer.byIndex("node", "n2")).extracting((pod) -> pod.getMetadata().getResourceVersion())
			.containsExactly("3");
		remove("ns/b");
		assertThat(this.indexer.indexValues("node")).containsExactly("n2");
		assertThat(this.indexer.byIndex("node", "n1")).isEmpty();
	}

	@Test
	void index_withSeveralValues_findsObjectUnderEach() {
		this.indexer.addIndex("letters", (pod) -> Arrays.asList(pod.getMetadata().getUid().split("")));
		put(pod("a", "xyz", 1));
		put(pod("a", "yzw", 2));
		assertThat(this.indexer.indexValues("letters")).containsExactlyInAnyOrder("y", "z", "w");
		remove("ns/a");
		assertThat(this.indexer.indexValues("letters")).isEmpty();
	}

	@Test
	void index_ofAnObject_findsWhatHasAValueInCommonWithItOnce() {
		this.indexer.addIndex("letters", (pod) -> Arrays.asList(pod.getMetadata().getUid().split("")));
		put(pod("a", "xyz", 1));
		put(pod("b", "yz", 2));
		put(pod("c", "w", 3));
		assertThat(this.indexer.index("letters", pod("d", "yz", 4))).extracting((pod) -> pod.getMetadata().getName())
			.containsExactlyInAnyOrder("a", "b");
		assertThat(this.indexer.index("letters", pod("d", "q", 4))).isEmpty();
	}

	@Test
	void indexKeys_areSorted() {
		this.indexer.addIndex("all", (pod) -> List.of("all"));
		for (String name : List.of("d", "a", "c", "b")) {
			put(pod(name, 1));
		}
		assertThat(this.indexer.indexKeys("all", "all")).containsExactly("ns/a", "ns/b", "ns/c", "ns/d");
	}

	@Test
	void addIndex_later_indexesExistingObjects() {
		put(onNode(pod("a", 1), "n1"));
		this.indexer.addIndex("node", (pod) -> List.of(pod.getSpec().getNodeName()));
		assertThat(this.indexer.byIndex("node", "n1")).hasSize(1);
	}

	@Test
	void addIndex_twice_isRefusedByName() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.indexer.addIndex(Indexer.NAMESPACE_INDEX, (pod) -> List.of()))
			.withMessageContaining("'namespace'");
	}

	@Test
	void byIndex_unknown_isRefusedByName() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.indexer.byIndex("nodes", "n1"))
			.withMessageContaining("'nodes'")
			.withMessageContaining("[namespace]");
	}

	@Test
	void indexFunction_throws_objectIsStoredAndLeavesTheIndex() {
		this.indexer.addIndex("node", (pod) -> {
			if (pod.getMetadata().getResourceVersion().equals("2")) {
				throw new IllegalStateException("no node");
			}
			return List.of("n1");
		});
		put(pod("a", 1));
		put(pod("a", 2));
		assertThat(this.indexer.list()).hasSize(1);
		assertThat(this.indexer.byIndex("node", "n1")).isEmpty();
		assertThat(this.failures).containsExactly(
				"Index function 'node' failed for ns/a; the object is stored, but not under this index: no node");
		put(pod("a", 3));
		assertThat(this.indexer.byIndex("node", "n1")).hasSize(1);
		remove("ns/a");
		assertThat(this.indexer.indexValues("node")).isEmpty();
	}

	@Test
	void indexFunction_throwsForWhatItOnceIndexed_oldEntriesGo() {
		AtomicBoolean broken = new AtomicBoolean();
		this.indexer.addIndex("node", (pod) -> {
			if (broken.get()) {
				throw new IllegalStateException("broken now");
			}
			return List.of("n1", "n2");
		});
		put(pod("a", 1));
		broken.set(true);
		remove("ns/a");
		assertThat(this.indexer.indexValues("node")).isEmpty();
	}

	@Test
	void indexFunction_isCalledOncePerStoredObject_andNotForRemovedOnes() {
		List<String> calls = new ArrayList<>();
		this.indexer.addIndex("node", (pod) -> {
			calls.add(pod.getMetadata().getName() + pod.getMetadata().getResourceVersion());
			return List.of("n1");
		});
		put(pod("a", 1));
		put(pod("a", 2));
		remove("ns/a");
		assertThat(calls).containsExactly("a1", "a2");
	}

	@Test
	void indexFunction_withOtherValuesForAModifiedObject_oldEntriesGo() {
		this.indexer.addIndex("node", (pod) -> List.of(pod.getSpec().getNodeName(), "twice", "twice"));
		V1Pod modified = onNode(pod("a", 1), "n1");
		put(modified);
		modified.getSpec().setNodeName("n2");
		put(onNode(pod("a", 2), "n3"));
		assertThat(this.indexer.indexValues("node")).containsExactlyInAnyOrder("n3", "twice");
		remove("ns/a");
		assertThat(this.indexer.indexValues("node")).isEmpty();
	}

	@Test
	@SuppressWarnings("NullAway")
	void indexFunction_givesNothingOrNull_isReportedAndTheObjectIsStored() {
		this.indexer.addIndex("nothing", (pod) -> null);
		this.indexer.addIndex("null", (pod) -> Arrays.asList("n1", null));
		put(pod("a", 1));
		assertThat(this.indexer.find("ns/a")).isNotNull();
		assertThat(this.indexer.indexValues("nothing")).isEmpty();
		assertThat(this.indexer.indexValues("null")).isEmpty();
		assertThat(this.failures).hasSize(2).allMatch((failure) -> failure.contains("ns/a"));
	}

	@Test
	void apply_changesContentsIndicesAndVersion() {
		this.indexer.addIndex("node", (pod) -> List.of(pod.getSpec().getNodeName()));
		put(onNode(pod("a", 1), "n1"));
		V1Pod other = onNode(pod("b", 2), "n2");
		this.indexer.apply(List.of("ns/a"), Map.of("ns/b", other), Map.of("", "9"));
		assertThat(this.indexer.list()).containsExactly(other);
		assertThat(this.indexer.indexValues("node")).containsExactly("n2");
		assertThat(this.indexer.resourceVersion("")).isEqualTo("9");
		assertThat(this.indexer.keys("ns")).containsExactly("ns/b");
	}

	@Test
	void keys_haveAnOrderThatDependsOnNothingElse() {
		put(pod("a", 1));
		put(pod("b", 2));
		put(pod("c", 3));
		List<String> keys = this.indexer.keys("");
		remove("ns/a");
		remove("ns/c");
		put(pod("c", 4));
		put(pod("a", 5));
		assertThat(this.indexer.keys("")).isEqualTo(keys).containsExactlyInAnyOrder("ns/a", "ns/b", "ns/c");
	}

	@Test
	void apply_isVisibleCompletelyOrNotAtAll() throws Exception {
		int size = 500;
		AtomicBoolean done = new AtomicBoolean();
		CountDownLatch reading = new CountDownLatch(4);
		ExecutorService readers = Executors.newFixedThreadPool(4);
		try {
			replaceAll(generation(0, size));
			List<Future<Integer>> reads = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				reads.add(readers.submit(() -> {
					int count = 0;
					reading.countDown();
					while (!done.get() || count == 0) {
						List<V1Pod> pods = this.indexer.byIndex(Indexer.NAMESPACE_INDEX, "ns");
						assertThat(pods).hasSize(size);
						assertThat(pods.stream().map((pod) -> pod.getMetadata().getResourceVersion()).distinct())
							.hasSize(1);
						count++;
					}
					return count;
				}));
			}
			reading.await();
			for (int generation = 1; generation <= 200; generation++) {
				replaceAll(generation(generation, size));
			}
			done.set(true);
			for (Future<Integer> read : reads) {
				assertThat(read.get(60, TimeUnit.SECONDS)).isPositive();
			}
		}
		finally {
			done.set(true);
			readers.shutdownNow();
			assertThat(readers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		}
	}

	private void replaceAll(Map<String, V1Pod> pods) {
		this.indexer.apply(this.indexer.keys(""), pods, Map.of());
	}

	private static Map<String, V1Pod> generation(int generation, int size) {
		Map<String, V1Pod> pods = new HashMap<>();
		for (int i = 0; i < size; i++) {
			V1Pod pod = pod("pod" + generation + "-" + i, generation);
			pods.put(ObjectKey.of(pod), pod);
		}
		return pods;
	}

	private void put(V1Pod pod) {
		this.indexer.apply(List.of(), Map.of(ObjectKey.of(pod), pod), Map.of());
	}

	private void remove(String key) {
		this.indexer.apply(List.of(key), Map.of(), Map.of());
	}

}
