/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEventReader;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the sizes of objects, of which lists and watches inform a meter.
 */
class ObjectMeterTests {

	private static final String BODY = ",\"apiVersion\":\"v1\",\"kind\":\"%s\",\"spec\":{\"nodeName\":\"\u00e4\"},"
			+ "\"status\":{ \"phase\" : \"x\" } }";

	private static final String ONE = "{\"metadata\":{\"name\":\"one\",\"namespace\":\"shop\",\"uid\":\"u-1\","
			+ "\"resourceVersion\":\"7\",\"managedFields\":[{\"fieldsV1\":{\"f:x\":{}}}]}" + BODY;

	private static final String TWO = ONE.replace("one", "two").replace("u-1", "u-2");

	private static final String UNWANTED = ONE.replace("one", "unwanted");

	static Stream<Arguments> types() {
		return Stream.of(Arguments.of(V1Pod.class, "Pod"), Arguments.of(DynamicKubernetesObject.class, "Tenant"),
				Arguments.of(PartialObjectMetadata.class, PartialObjectMetadata.KIND));
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends KubernetesObject> void items_haveTheBytesOfTheirJson(Class<T> type, String kind) throws IOException {
		String one = ONE.formatted(kind);
		JsonWireFormat<T> format = JsonWireFormat.of(type, "v1", kind);
		CollectingSink<T> first = new CollectingSink<>();
		format.readList(Bodies.whole(Bodies.list(kind, one)), first);
		String undecodable = "{\"metadata\":{\"name\":\"broken\",\"generation\":\"many\"},\"spec\":{\"containers\":7}}";
		String body = Bodies.list(kind, one, " " + TWO.formatted(kind) + " ", UNWANTED.formatted(kind),
				(type == DynamicKubernetesObject.class) ? "7" : undecodable, one);
		for (InputStream response : List.of(Bodies.whole(body), Bodies.trickling(body))) {
			MeteredSink<T> sink = new MeteredSink<>(first.objects().get(0));
			format.readList(response, sink);
			int length = bytes(one);
			assertThat(sink.metered).containsExactly("one " + length, "two " + length, "one " + length);
			assertThat(sink.objects()).hasSize(3).first().isSameAs(first.objects().get(0));
			assertThat(sink.undecodable()).hasSize(1);
		}
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends KubernetesObject> void changes_haveTheBytesOfTheirJson(Class<T> type, String kind) throws IOException {
		String one = ONE.formatted(kind);
		MeteredSink<T> meter = new MeteredSink<>(null);
		String events = "{\"type\":\"ADDED\",\"object\":" + one + "}\n{\"object\":" + one.replace(" ", "")
				+ ",\"type\":\"MODIFIED\"} {\"type\":\"DELETED\",\"object\":" + one + "}{\"type\":\"ADDED\",\"object\":"
				+ UNWANTED.formatted(kind)
				+ "}{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}";
		try (WatchEventReader<T> reader = JsonWireFormat.of(type, "v1", kind)
			.readWatch(Bodies.trickling(events), meter)) {
			List<WatchEvent<T>> read = new ArrayList<>();
			WatchEvent<T> event;
			while ((event = reader.next()) != null) {
				read.add(event);
			}
			assertThat(read).hasSize(5);
		}
		// the copy of an object that precedes its type has escapes
		assertThat(meter.metered).containsExactly("one " + bytes(one),
				"one " + bytes(one.replace(" ", "").replace("\u00e4", "\\u00E4")));
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends KubernetesObject> void meterThrows_endsTheResponse(Class<T> type, String kind) throws IOException {
		CollectingSink<T> sink = new CollectingSink<>() {

			@Override
			public ObjectLookup.Meter<T> meter() {
				return (object, bytes) -> {
					throw new IllegalStateException("enough");
				};
			}

		};
		JsonWireFormat<T> format = JsonWireFormat.of(type, "v1", kind);
		String one = ONE.formatted(kind);
		assertThatIllegalStateException()
			.isThrownBy(() -> format.readList(Bodies.trickling(Bodies.list(kind, one, one)), sink));
		try (WatchEventReader<T> reader = format
			.readWatch(Bodies.trickling("{\"type\":\"ADDED\",\"object\":" + one + "}"), sink)) {
			assertThatIllegalStateException().isThrownBy(reader::next);
		}
		assertThat(sink.objects()).isEmpty();
		assertThat(sink.undecodable()).isEmpty();
	}

	private static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

	private static final class MeteredSink<T extends KubernetesObject> extends CollectingSink<T>
			implements ObjectLookup.Meter<T> {

		private final List<String> metered = new ArrayList<>();

		private final @Nullable T known;

		MeteredSink(@Nullable T known) {
			this.known = known;
		}

		@Override
		public @Nullable Found<T> find(ObjectState state) {
			if ("unwanted".equals(state.name())) {
				return Found.unwanted();
			}
			return (this.known != null && "one".equals(state.name())) ? new Found<>(this.known) : null;
		}

		@Override
		public ObjectLookup.Meter<T> meter() {
			return this;
		}

		@Override
		public void received(T object, long bytes) {
			this.metered.add(object.getMetadata().getName() + " " + bytes);
		}

	}

}
