/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.informer.MutationDetection;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.client.TimeSource;
import dev.informer.testing.FakeTime;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MutationDetector} with objects whose adapter waits or fails.
 */
@Timeout(120)
class MutationDetectorTests {

	private final Queue<IllegalStateException> findings = new ConcurrentLinkedQueue<>();

	private final MutationDetector<Widget> detector = new MutationDetector<>(MutationDetection.LOG, TimeSource.SYSTEM,
			this.findings::add);

	@Test
	void adapterWaitsForAHandlerThatModifiesAnObject_bothEnd() throws Exception {
		Widget first = new Widget("first", () -> "1");
		this.detector.record(List.of(new KeyedEvent<>("ns/first", null, new ResourceEvent.Added<>(first, true))));
		ResourceEventHandler<Widget> guilty = this.detector.guard("guilty", (event) -> event.object().size = () -> "2");
		FutureTask<Boolean> handled = new FutureTask<>(() -> {
			guilty.handle(new ResourceEvent.Added<>(first, true));
			return true;
		});
		Thread handler = new Thread(handled);
		Widget waiting = new Widget("waiting", () -> {
			try {
				handler.start();
				return String.valueOf(handled.get(60, TimeUnit.SECONDS));
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.detector.record(List.of(new KeyedEvent<>("ns/waiting", null, new ResourceEvent.Added<>(waiting, true))));
		assertThat(handled.isDone()).isTrue();
		assertThat(this.findings).singleElement()
			.satisfies((finding) -> assertThat(finding).hasMessageContaining("'guilty'"));
		handler.join();
	}

	@Test
	void modificationThatTheCheckOfTheCacheFindsFirst_isOneFinding() throws Exception {
		FakeTime time = FakeTime.manual();
		MutationDetector<Widget> checked = new MutationDetector<>(MutationDetection.LOG, time, this.findings::add);
		Widget first = new Widget("first", () -> "1");
		checked.record(List.of(new KeyedEvent<>("ns/first", null, new ResourceEvent.Added<>(first, true))));
		ResourceEventHandler<Widget> guilty = checked.guard("guilty", (event) -> {
			event.object().size = () -> "2";
			time.advance(Duration.ofSeconds(1));
			checked.check();
		});
		guilty.handle(new ResourceEvent.Added<>(first, true));
		assertThat(this.findings).singleElement()
			.satisfies((finding) -> assertThat(finding).hasMessageContaining("ns/first"));
	}

	@Test
	void adapterThrowsAnError_handlerIsInvokedAllTheSame() throws Exception {
		Widget broken = new Widget("broken", () -> {
			throw new StackOverflowError("for the test");
		});
		this.detector.record(List.of(new KeyedEvent<>("ns/broken", null, new ResourceEvent.Added<>(broken, true))));
		Queue<ResourceEvent<Widget>> handled = new ConcurrentLinkedQueue<>();
		this.detector.guard("handler", handled::add).handle(new ResourceEvent.Added<>(broken, true));
		assertThat(handled).hasSize(1);
		assertThat(this.findings).isEmpty();
	}

	/**
	 * Custom resource with a value that its author's adapter writes.
	 */
	private static final class Widget implements KubernetesObject {

		private final V1ObjectMeta metadata;

		@JsonAdapter(SizeAdapter.class)
		private Supplier<String> size;

		Widget(String name, Supplier<String> size) {
			this.metadata = new V1ObjectMeta().namespace("ns").name(name);
			this.size = size;
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Widget";
		}

	}

	/**
	 * Adapter of a size.
	 */
	static final class SizeAdapter extends TypeAdapter<Supplier<String>> {

		@Override
		public void write(JsonWriter writer, Supplier<String> size) throws IOException {
			writer.value(size.get());
		}

		@Override
		public Supplier<String> read(JsonReader reader) throws IOException {
			String size = reader.nextString();
			return () -> size;
		}

	}

}
