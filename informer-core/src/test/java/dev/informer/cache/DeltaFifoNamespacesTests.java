/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.cache.Delta.Assigned;
import dev.informer.cache.Delta.ReplacedAll;
import dev.informer.cache.Delta.Upserted;
import dev.informer.client.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for namespaces that are assigned to a {@link DeltaFifo} later.
 */
class DeltaFifoNamespacesTests {

	private final DeltaFifo<String> fifo = new DeltaFifo<>(TimeSource.SYSTEM, Set.of());

	@Test
	void hasSynced_withoutNamespaces_onceTheAssignmentIsProcessed() {
		assertThat(this.fifo.hasSynced()).isFalse();
		this.fifo.assign(Set.of());
		assertThat(this.fifo.hasSynced()).isFalse();
		assertThat(pop()).containsExactly(new Assigned<>(Set.of()));
		assertThat(this.fifo.hasSynced()).isTrue();
	}

	@Test
	void hasSynced_onceEachAssignedNamespaceIsListed_andRemainsTrue() {
		assign("x", "y");
		this.fifo.add(list("x"));
		pop();
		assertThat(this.fifo.hasSynced()).isFalse();
		assign("x");
		assertThat(this.fifo.hasSynced()).isTrue();
		assign("x", "z");
		assertThat(this.fifo.hasSynced()).isTrue();
	}

	@Test
	void hasSynced_withoutExcusedNamespaces() {
		assign("x", "y");
		this.fifo.excuse(Set.of("y", "other"));
		assertThat(this.fifo.hasSynced()).isFalse();
		this.fifo.add(list("x"));
		pop();
		assertThat(this.fifo.hasSynced()).isTrue();
	}

	@Test
	void assign_dropsDeltasOfNamespacesThatLeave_andKeepsOthers() {
		assign("x", "y");
		this.fifo.add(upserted("x", "1"));
		this.fifo.add(upserted("y", "2"));
		this.fifo.add(list("y"));
		this.fifo.add(upserted("x", "3"));
		this.fifo.assign(Set.of("x"));
		assertThat(this.fifo.depth()).isEqualTo(2);
		assertThat(pop()).containsExactly(upserted("x", "1"));
		assertThat(pop()).containsExactly(upserted("x", "3"));
		assertThat(pop()).containsExactly(new Assigned<>(Set.of("x")));
	}

	@Test
	void assign_replacesAnEarlierAssignmentThatIsQueued() {
		assign("x", "y");
		this.fifo.assign(Set.of("x"));
		this.fifo.assign(Set.of("x", "y"));
		assertThat(pop()).containsExactly(new Assigned<>(Set.of("x", "y")));
		assertThat(this.fifo.pop((batch) -> {
			throw new AssertionError(batch);
		}, 0)).isTrue();
	}

	@Test
	void add_ofReflectorThatHasEnded_isDropped() {
		assign("x");
		this.fifo.add(upserted("x", "1"), () -> false);
		assertThat(this.fifo.depth()).isZero();
	}

	@Test
	void add_ofReflectorThatHasEnded_endsNoWaitForARelist() {
		assign("x");
		failThreeTimes();
		this.fifo.add(list("x"), () -> false);
		assertThat(this.fifo.isAwaitingRelist()).isTrue();
		this.fifo.add(list("x"), () -> true);
		assertThat(this.fifo.isAwaitingRelist()).isFalse();
	}

	@Test
	void assignment_survivesABatchThatIsGivenUp() {
		assign("x", "y");
		this.fifo.add(upserted("x", "1"));
		this.fifo.assign(Set.of("x"));
		for (int i = 0; i < 3; i++) {
			failPop();
		}
		assertThat(this.fifo.isAwaitingRelist()).isTrue();
		assertThat(pop()).containsExactly(new Assigned<>(Set.of("x")));
	}

	@Test
	void relist_ofNamespaceThatLeaves_isNotAwaited() {
		assign("x", "y");
		failThreeTimes();
		this.fifo.add(list("y"));
		assign("y");
		assertThat(this.fifo.isAwaitingRelist()).isFalse();
	}

	private void failThreeTimes() {
		this.fifo.add(upserted("x", "1"));
		for (int i = 0; i < 3; i++) {
			failPop();
		}
	}

	private void failPop() {
		assertThatThrownBy(() -> this.fifo.pop((batch) -> {
			throw new IllegalStateException("for the test");
		}, 0)).hasMessage("for the test");
	}

	private void assign(String... namespaces) {
		this.fifo.assign(Set.of(namespaces));
		List<Delta<String>> last = List.of();
		while (last.isEmpty() || !(last.get(0) instanceof Assigned<String>)) {
			last = pop();
		}
	}

	private List<Delta<String>> pop() {
		List<Delta<String>> deltas = new ArrayList<>();
		this.fifo.pop((batch) -> deltas.addAll(batch.deltas()), 0);
		assertThat(deltas).isNotEmpty();
		return deltas;
	}

	private static Delta<String> upserted(String namespace, String version) {
		return new Upserted<>(namespace, namespace + "/a", "a" + version, version);
	}

	private static Delta<String> list(String namespace) {
		return new ReplacedAll<>(namespace, Map.of(), Map.of(), Set.of(), true, null, "1", 0);
	}

}
