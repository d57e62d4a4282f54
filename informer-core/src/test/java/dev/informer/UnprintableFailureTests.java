/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.informer.InformerState.Phase;
import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.controller.FakeInformers;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for exceptions of users' code whose own methods throw, or whose causes are a
 * cycle.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class UnprintableFailureTests {

	private final FakeSource source = new FakeSource();

	private final EventLog<V1Pod> log = new EventLog<>();

	private final List<InformerEvent> events = new CopyOnWriteArrayList<>();

	@Test
	void listenerThatThrowsIt_silencesNoEvent() {
		try (SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
				(settings) -> settings.time(FakeTime.autoAdvancingUpTo()).addListener((event) -> {
					throw new UnprintableException();
				}).addListener(this.events::add))) {
			followAndReconnect(informer);
			assertThat(this.events).hasAtLeastOneElementOfType(InformerEvent.Synced.class)
				.hasAtLeastOneElementOfType(InformerEvent.WatchEnded.class)
				.hasAtLeastOneElementOfType(InformerEvent.CacheChanged.class);
		}
	}

	static Stream<Exception> failures() {
		Exception one = new IllegalStateException("one");
		Exception two = new IllegalStateException("two", one);
		one.initCause(two);
		IOException cycle = new IOException(one);
		return Stream.of(new UnprintableException(), new UnprintableIoException(), cycle, two);
	}

	@ParameterizedTest
	@MethodSource("failures")
	void requestThatThrowsIt_isRepeated(Exception failure) {
		FailingSource failing = new FailingSource(this.source, failure);
		try (SharedIndexInformer<V1Pod> informer = FakeInformers.pods(failing, InformerOptions.DEFAULT,
				(settings) -> settings.time(FakeTime.autoAdvancingUpTo()).addListener(this.events::add))) {
			failing.list.set(true);
			failing.watch.set(true);
			followAndReconnect(informer);
			assertThat(this.events).filteredOn(InformerEvent.Failed.class::isInstance).hasSizeGreaterThan(1);
		}
	}

	@Test
	void indexFunctionAndFilterThatThrowIt_loseNoEvent() {
		try (SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
				(settings) -> settings.time(FakeTime.autoAdvancingUpTo()).addListener(this.events::add))) {
			informer.addIndex("broken", (pod) -> {
				throw new UnprintableException();
			});
			informer.addHandler(this.log, (options) -> options.filter((pod) -> {
				throw new UnprintableException();
			}));
			this.source.put("a");
			informer.start();
			awaitAgreement();
		}
	}

	private void followAndReconnect(SharedIndexInformer<V1Pod> informer) {
		informer.addHandler(this.log);
		this.source.put("a");
		informer.start();
		await().until(() -> informer.hasSynced() && this.source.openWatches() == 1);
		this.source.disconnect();
		this.source.put("b");
		awaitAgreement();
		await().untilAsserted(() -> {
			assertThat(this.events.stream()
				.filter(InformerEvent.StateChanged.class::isInstance)
				.map((event) -> ((InformerEvent.StateChanged) event).state())
				.reduce((first, last) -> last)).contains(informer.state());
			assertThat(informer.state().phase()).isEqualTo(Phase.WATCHING);
			assertThat(informer.state().failure()).isNull();
		});
	}

	private void awaitAgreement() {
		await().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(this.source.versions()));
		assertThat(this.log.problems()).isEmpty();
	}

	/**
	 * Source whose next list and watch fail.
	 */
	private record FailingSource(FakeSource source, Exception failure, AtomicBoolean list,
			AtomicBoolean watch) implements ListerWatcher<V1Pod> {

		FailingSource(FakeSource source, Exception failure) {
			this(source, failure, new AtomicBoolean(), new AtomicBoolean());
		}

		@Override
		public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation) throws IOException {
			fail(this.list);
			return this.source.list(request, sink, cancellation);
		}

		@Override
		public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
				throws IOException {
			fail(this.watch);
			return this.source.watch(request, known, cancellation);
		}

		private void fail(AtomicBoolean next) throws IOException {
			if (next.getAndSet(false)) {
				if (this.failure instanceof IOException broken) {
					throw broken;
				}
				throw (RuntimeException) this.failure;
			}
		}

	}

	private static final class UnprintableException extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("for the test");
		}

		@Override
		public String toString() {
			throw new IllegalStateException("for the test");
		}

		@Override
		public @Nullable Throwable getCause() {
			throw new IllegalStateException("for the test");
		}

	}

	private static final class UnprintableIoException extends IOException {

		@Override
		public String getMessage() {
			throw new StackOverflowError("for the test");
		}

		@Override
		public String toString() {
			throw new StackOverflowError("for the test");
		}

		@Override
		public @Nullable Throwable getCause() {
			throw new StackOverflowError("for the test");
		}

	}

}
