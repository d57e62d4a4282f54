/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.informer.ResourceEvent.Added;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link IncomingEvents}.
 */
class IncomingEventsTests {

	private final KeyedEvent<V1Pod> first = new KeyedEvent<>("ns/a", null, new Added<>(pod("a", 1), true));

	private final KeyedEvent<V1Pod> second = new KeyedEvent<>("ns/b", null, new Added<>(pod("b", 2), false));

	private final List<KeyedEvent<V1Pod>> accepted = new ArrayList<>();

	private final List<Long> times = new ArrayList<>();

	private int failures;

	private final IncomingEvents<V1Pod> incoming = new IncomingEvents<>(this::accept);

	private void accept(KeyedEvent<V1Pod> event, long receivedNanos) {
		if (this.failures > 0 && event == this.second) {
			this.failures--;
			throw new OutOfMemoryError("for the test");
		}
		this.accepted.add(event);
		this.times.add(receivedNanos);
	}

	private void add(List<KeyedEvent<V1Pod>> events, long receivedNanos) {
		this.incoming.accept();
		this.incoming.set(events, receivedNanos, true);
	}

	@Test
	void lastBatch_isAcceptedOnRequest() {
		add(List.of(this.first, this.second), 7);
		assertThat(this.accepted).isEmpty();
		assertThat(this.incoming.isEmpty()).isFalse();
		this.incoming.accept();
		this.incoming.accept();
		assertThat(this.accepted).containsExactly(this.first, this.second);
		assertThat(this.times).containsExactly(7L, 7L);
		assertThat(this.incoming.isEmpty()).isTrue();
	}

	@Test
	void batches_areAcceptedInOrder() {
		add(List.of(this.first), 1);
		add(List.of(this.second), 2);
		assertThat(this.accepted).containsExactly(this.first);
		this.incoming.accept();
		assertThat(this.accepted).containsExactly(this.first, this.second);
		assertThat(this.times).containsExactly(1L, 2L);
	}

	@Test
	void failure_isRepeatedFromTheSameEvent() {
		this.failures = 1;
		add(List.of(this.first, this.second, this.first), 1);
		assertThatThrownBy(this.incoming::accept).isInstanceOf(OutOfMemoryError.class);
		this.incoming.accept();
		assertThat(this.accepted).containsExactly(this.first, this.second, this.first);
	}

	@Test
	void changes_areAcceptedCompletely() {
		add(List.of(this.second, this.first), 1);
		this.incoming.acceptChanges();
		assertThat(this.accepted).containsExactly(this.second, this.first);
	}

	@Test
	void initialList_isAcceptedInParts() {
		add(Collections.nCopies(4500, this.first), 1);
		this.incoming.acceptChanges();
		assertThat(this.accepted).isEmpty();
		this.incoming.acceptPart();
		assertThat(this.accepted).hasSize(2000);
		assertThat(this.incoming.hasInitial()).isTrue();
		this.incoming.acceptPart();
		this.incoming.acceptPart();
		assertThat(this.accepted).hasSize(4500);
		assertThat(this.incoming.isEmpty()).isTrue();
	}

	@Test
	void initialListBesidePendingEvents_isAcceptedCompletely() {
		this.incoming.set(Collections.nCopies(4500, this.first), 1, false);
		this.incoming.acceptChanges();
		assertThat(this.accepted).hasSize(4500);
	}

	@Test
	void clear_discardsTheRest() {
		this.failures = 1;
		add(List.of(this.first, this.second), 1);
		assertThatThrownBy(this.incoming::accept).isInstanceOf(OutOfMemoryError.class);
		this.incoming.clear();
		add(List.of(this.first), 2);
		this.incoming.accept();
		assertThat(this.accepted).containsExactly(this.first, this.first);
	}

	@Test
	void initialList_isKnownBeforeItIsAccepted() {
		add(List.of(this.second), 1);
		assertThat(this.incoming.hasInitial()).isFalse();
		add(List.of(this.second, this.first), 1);
		assertThat(this.incoming.hasInitial()).isTrue();
		this.incoming.accept();
		assertThat(this.incoming.hasInitial()).isFalse();
	}

}
