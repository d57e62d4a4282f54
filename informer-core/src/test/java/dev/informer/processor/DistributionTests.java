/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.TimeSource;
import dev.informer.testing.FakeGate;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for distributions that fail, as with an {@code OutOfMemoryError} in one queue.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class DistributionTests {

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final FakeGate gate = new FakeGate(1);

	private final List<List<String>> calls = new ArrayList<>();

	private final List<HandlerRegistration> handlers = new ArrayList<>();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void failureInOneQueue_isResumedThereAndInThoseBehind() throws Exception {
		this.gate.open(0);
		add((options) -> options.queue(QueuePolicy.KEEP_ALL));
		add((options) -> options.gate(this.gate));
		add((options) -> options.queue(QueuePolicy.KEEP_ALL));
		V1Pod first = pod("a", 1);
		distribute(HandlerFixture.keyed(List.of(new Added<>(first, false))));
		List<KeyedEvent<V1Pod>> events = HandlerFixture
			.keyed(List.of(new Added<>(pod("b", 1), false), new Updated<>(first, pod("a", 2), false)));
		this.gate.onAccess(() -> {
			throw new OutOfMemoryError("for the test");
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> distribute(events));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> distribute(events));
		this.gate.onAccess(() -> {
		});
		add((options) -> options.queue(QueuePolicy.KEEP_ALL));
		distribute(events);
		distribute(HandlerFixture.keyed(List.of(new Added<>(pod("c", 1), false))));
		this.fixture.start();
		for (HandlerRegistration handler : this.handlers) {
			assertThat(handler.awaitIdle(LONG)).isTrue();
			assertThat(handler.pending()).isZero();
		}
		assertThat(this.calls.get(0)).containsExactly("a@1", "b@1", "a@2", "c@1");
		assertThat(this.calls.get(1)).containsExactly("a@2", "b@1", "c@1");
		assertThat(this.calls.get(2)).containsExactly("a@1", "b@1", "a@2", "c@1");
		assertThat(this.calls.get(3)).as("of the handler that was added after the cut").containsExactly("c@1");
	}

	private void add(Consumer<HandlerOptions.Builder<V1Pod>> options) {
		List<String> received = new CopyOnWriteArrayList<>();
		this.calls.add(received);
		HandlerOptions.Builder<V1Pod> builder = new HandlerOptions.Builder<>();
		options.accept(builder);
		this.handlers.add(this.fixture.processor()
			.add((event) -> received
				.add(event.object().getMetadata().getName() + "@" + event.object().getMetadata().getResourceVersion()),
					builder.build()));
	}

	private void distribute(List<KeyedEvent<V1Pod>> events) {
		this.fixture.processor().distribute(events, 0, Map::of, true);
	}

}
