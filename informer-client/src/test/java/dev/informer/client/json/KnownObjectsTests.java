/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.client.ListSink;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.UndecodableObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListSink#known} while an item is being decoded.
 */
class KnownObjectsTests {

	private static final String SAME = "{\"metadata\":{\"name\":\"same\",\"namespace\":\"shop\","
			+ "\"uid\":\"u-1\",\"resourceVersion\":\"7\"}";

	/** With a generation that would not fit if it were read. */
	private static final String LONGER = SAME.substring(0, SAME.length() - 1)
			+ ",\"labels\":{\"a\":\"b\"},\"managedFields\":[{\"fieldsV1\":{\"f:x\":{}}}],\"generation\":\"many\"}";

	private static final String SORTED = "{\"metadata\":{\"labels\":{\"a\":\"b\"},\"name\":\"same\","
			+ "\"namespace\":\"shop\",\"resourceVersion\":\"7\",\"selfLink\":null,\"uid\":\"u-1\"}";

	private static final String OTHER = SAME.replace("same", "other").replace("u-1", "u-2");

	static Stream<Arguments> types() {
		return Stream.of(Arguments.of(V1Pod.class, "Pod"), Arguments.of(DynamicKubernetesObject.class, "Tenant"),
				Arguments.of(PartialObjectMetadata.class, PartialObjectMetadata.KIND));
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends KubernetesObject> void knownObject_replacesItem(Class<T> type, String kind) throws IOException {
		CollectingSink<T> first = new CollectingSink<>();
		JsonWireFormat<T> format = JsonWireFormat.of(type, "v1", kind);
		format.readList(Bodies.whole(Bodies.list(kind, SAME + "}")), first);
		T known = first.objects().get(0);
		for (String item : List.of(SAME + ",\"spec\":{\"containers\":7,\"x\":[{},[[]]]},\"status\":null}", SAME + "}",
				"{\"spec\":{}," + SAME.substring(1) + ",\"status\":{\"phase\":\"Running\"}}")) {
			KnowingSink<T> sink = new KnowingSink<>(known);
			format.readList(Bodies.trickling(Bodies.list(kind, OTHER + "}", item, item, OTHER + ",\"spec\":{}}")),
					sink);
			assertThat(sink.undecodable).isEmpty();
			assertThat(sink.objects).hasSize(4);
			assertThat(sink.objects.get(1)).isSameAs(known);
			assertThat(sink.objects.get(2)).isSameAs(known);
			assertThat(sink.objects.get(3).getMetadata().getName()).isEqualTo("other");
			assertThat(sink.asked.get(0)).isEqualTo(new ObjectState("shop", "other", "u-2", "7"));
		}
	}

	@Test
	void metadataOfKnownObject_areNotReadToTheirEnd() throws IOException {
		V1Pod known = new V1Pod();
		KnowingSink<V1Pod> sink = new KnowingSink<>(known);
		JsonWireFormat.of(V1Pod.class, "v1", "Pod")
			.readList(Bodies.trickling(Bodies.list("Pod", LONGER + ",\"spec\":7}", OTHER + "}")), sink);
		assertThat(sink.undecodable).isEmpty();
		assertThat(sink.objects).hasSize(2).first().isSameAs(known);
		assertThat(sink.asked).containsExactly(new ObjectState("shop", "same", "u-1", "7"),
				new ObjectState("shop", "other", "u-2", "7"));
	}

	@Test
	void metadataSortedByName_areReadFirst() throws IOException {
		V1Pod known = new V1Pod();
		KnowingSink<V1Pod> sink = new KnowingSink<>(known);
		JsonWireFormat.of(V1Pod.class, "v1", "Pod")
			.readList(Bodies.trickling(Bodies.list("Pod", SORTED + ",\"spec\":7}")), sink);
		assertThat(sink.objects).singleElement().isSameAs(known);
		assertThat(sink.asked).containsExactly(new ObjectState("shop", "same", "u-1", "7"));
	}

	@Test
	void mismatchAfterVersionOfUnknownObject_isReportedWithName() throws IOException {
		KnowingSink<V1Pod> sink = new KnowingSink<>(new V1Pod());
		String item = LONGER.replace("same", "other");
		JsonWireFormat.of(V1Pod.class, "v1", "Pod")
			.readList(Bodies.whole(Bodies.list("Pod", item + "}", OTHER + "}")), sink);
		assertThat(sink.undecodable).containsExactly(new UndecodableObject(new ObjectState("shop", "other", "u-1", "7"),
				"metadata.generation: expected an integer of 64 bits"));
		assertThat(sink.objects).hasSize(1);
	}

	@Test
	void mismatchBeforeMetadata_isReported() throws IOException {
		KnowingSink<V1Pod> sink = new KnowingSink<>(new V1Pod());
		String item = "{\"spec\":7," + SAME.substring(1) + "}";
		JsonWireFormat.of(V1Pod.class, "v1", "Pod").readList(Bodies.whole(Bodies.list("Pod", item)), sink);
		assertThat(sink.undecodable).extracting((object) -> object.state().name()).containsExactly("same");
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends KubernetesObject> void unwantedObject_isSkipped(Class<T> type, String kind) throws IOException {
		CollectingSink<T> sink = new CollectingSink<>() {

			@Override
			public @Nullable Found<T> find(ObjectState state) {
				return "u-1".equals(state.uid()) ? Found.unwanted() : null;
			}

		};
		JsonWireFormat<T> format = JsonWireFormat.of(type, "v1", kind);
		String undecodable = SAME + ",\"spec\":{\"containers\":7,\"x\":[{},[[]]]},\"status\":null}";
		format.readList(Bodies.trickling(Bodies.list(kind, undecodable, OTHER + "}", SAME + "}", OTHER + "}")), sink);
		assertThat(sink.objects()).hasSize(2)
			.allSatisfy((object) -> assertThat(object.getMetadata().getName()).isEqualTo("other"));
		assertThat(sink.undecodable()).isEmpty();
	}

	private static final class KnowingSink<T> implements ListSink<T> {

		private final List<ObjectState> asked = new ArrayList<>();

		private final List<T> objects = new ArrayList<>();

		private final List<UndecodableObject> undecodable = new ArrayList<>();

		private final T known;

		KnowingSink(T known) {
			this.known = known;
		}

		@Override
		public @Nullable Found<T> find(ObjectState state) {
			this.asked.add(state);
			return "same".equals(state.name()) ? new Found<>(this.known) : null;
		}

		@Override
		public void accept(T object) {
			this.objects.add(object);
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
			this.undecodable.add(object);
		}

	}

}
