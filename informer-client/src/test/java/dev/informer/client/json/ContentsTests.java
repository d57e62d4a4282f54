/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.client.model.CompactList;
import dev.informer.client.model.CompactMap;
import dev.informer.client.type.ValueType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ContentsTests {

	private static final Gson WRITER = new GsonBuilder().serializeNulls().create();

	static Stream<Class<? extends KubernetesObject>> models() {
		return ModelSamples.models();
	}

	@ParameterizedTest
	@MethodSource("models")
	<T extends KubernetesObject> void decodedModels_differInEachChangedValueOnly(Class<T> type) throws IOException {
		JsonObject json = new ModelSamples(7, 0).objectOf(type);
		json.getAsJsonObject("metadata").addProperty("name", "web-1");
		T object = decode(type, json);
		T same = decode(type, json);
		assertThat(object).isNotSameAs(same);
		assertThat(ValueType.equal(object, same)).isTrue();
		List<Runnable> changes = new ArrayList<>();
		collectChanges(json, changes);
		Random random = new Random(1);
		for (int i = 0; i < 5; i++) {
			JsonObject before = json.deepCopy();
			changes.get(random.nextInt(changes.size())).run();
			if (!json.equals(before)) {
				assertThat(ValueType.equal(decode(type, before), decode(type, json))).as("%s and %s", before, json)
					.isFalse();
			}
		}
	}

	private static <T> T decode(Class<T> type, JsonObject json) throws IOException {
		CollectingSink<T> sink = new CollectingSink<>();
		JsonWireFormat.of(type, "v1", "Any")
			.withManagedFields()
			.readList(Bodies.whole(Bodies.list("Any", WRITER.toJson(json))), sink);
		assertThat(sink.undecodable()).isEmpty();
		return sink.objects().get(0);
	}

	/**
	 * Collect changes of the values at any depth that keep their types.
	 */
	private static void collectChanges(JsonElement json, List<Runnable> changes) {
		if (json instanceof JsonArray array) {
			array.forEach((element) -> collectChanges(element, changes));
			changes.add(() -> array.add(array.get(0)));
		}
		else if (json instanceof JsonObject object) {
			for (String name : object.keySet()) {
				JsonElement value = object.get(name);
				collectChanges(value, changes);
				if (value instanceof JsonPrimitive primitive && primitive.isBoolean()) {
					changes.add(() -> object.addProperty(name, !primitive.getAsBoolean()));
				}
				if (value instanceof JsonPrimitive primitive && primitive.isNumber()) {
					changes.add(() -> object.addProperty(name, (primitive.getAsInt() == 7) ? 8 : 7));
				}
			}
		}
	}

	static Stream<Arguments> equalValues() {
		return Stream
			.<Supplier<@Nullable Object>>of(() -> null, () -> "a", () -> 7L, () -> Double.NaN, () -> bytes(1),
					() -> new int[][] { { 1 }, {} }, () -> new Object[] { bytes(1), null },
					() -> new ArrayList<>(Arrays.asList(bytes(1), null)),
					() -> new LinkedHashSet<>(List.of(new Plain("a", bytes(1)))),
					() -> new HashMap<>(Map.of(1, bytes(1), 2, new Plain("a"))), () -> new Quantity("100m"),
					() -> new IntOrString("http"), () -> OffsetDateTime.parse("2026-01-01T00:00:00Z"),
					() -> new V1Patch("[]"), () -> new V1Status().code(1), () -> new Plain("a", bytes(1)),
					() -> new Throwing("a"), () -> new Partial("a", "b"), () -> new Pair("a", bytes(1)),
					() -> new NoDefault(bytes(3)), () -> secret("v1"), () -> untyped(1), () -> new Derived("a", 2),
					() -> Thread.State.NEW)
			.map((value) -> arguments(value.get(), value.get()));
	}

	@ParameterizedTest
	@MethodSource("equalValues")
	void sameContents_areEqual(@Nullable Object one, @Nullable Object other) {
		assertThat(ValueType.equal(one, other)).isTrue();
	}

	static Stream<Arguments> differentValues() {
		return Stream.of(arguments("a", null), arguments(null, "a"), arguments("a", "b"), arguments(7L, 7),
				arguments(bytes(1), bytes(2)), arguments(bytes(1), new byte[] { 1, 2 }),
				arguments(bytes(1), new Byte[] { 1 }), arguments(List.of(), Map.of()), arguments(List.of(), Set.of()),
				arguments(List.of("a", "b"), List.of("b", "a")), arguments(List.of("a"), List.of("a", "b")),
				arguments(Map.of("a", 1), Map.of("b", 1)), arguments(Map.of("a", 1), Map.of("a", 2)),
				arguments(CompactMap.of(new @Nullable Object[] { "a", null }), Map.of("b", 1)),
				arguments(new Plain("a"), new Plain("b")), arguments(new Plain("a", bytes(1)), new Plain("a")),
				arguments(new Plain("a"), new Partial("a", "b")),
				arguments(new Partial("a", "b"), new Partial("a", "c")),
				arguments(new Pair("a", bytes(1)), new Pair("a", bytes(2))),
				arguments(new NoDefault(bytes(3)), new NoDefault(bytes(4))),
				arguments(new Derived("a", 2), new Derived("b", 2)),
				arguments(new Derived("a", 2), new Derived("a", 3)), arguments(new V1Patch("[]"), new V1Patch("{}")),
				arguments(secret("v1"), secret("v2")), arguments(untyped(1), untyped(2)),
				arguments(new Quantity("1"), new Quantity("2")),
				arguments(new V1ConfigMap(), new V1ConfigMap().data(Map.of("a", "1"))),
				arguments(new V1ConfigMap().data(Map.of()), new V1ConfigMap().data(null)),
				arguments(Thread.State.NEW, Thread.State.BLOCKED), arguments((Runnable) () -> {
				}, (Runnable) () -> {
				}));
	}

	@ParameterizedTest
	@MethodSource("differentValues")
	void differentContents_areDifferent(@Nullable Object one, @Nullable Object other) {
		assertThat(ValueType.equal(one, other)).isFalse();
		assertThat(ValueType.equal(other, one)).isFalse();
	}

	@Test
	void compactAndOrdinaryCollections_areEqual() {
		assertThat(ValueType.equal(new CompactList<>(new Object[] { bytes(1) }), List.of(bytes(1)))).isTrue();
		assertThat(ValueType.equal(Map.of("a", bytes(1)), CompactMap.of(new Object[] { "a", bytes(1) }))).isTrue();
	}

	@Test
	void equalsThatThrows_countsAsDifferent() {
		for (Throwable failure : List.of(new IllegalStateException(), new StackOverflowError(), new OutOfMemoryError(),
				new NoClassDefFoundError(), new Exception())) {
			V1Pod one = new V1Pod().spec(null).metadata(new V1ObjectMeta());
			Plain plain = new Plain("a");
			plain.value = new Failing(failure);
			Plain other = new Plain("a");
			other.value = new Failing(failure);
			assertThat(ValueType.equal(plain, other)).isFalse();
			assertThat(ValueType.equal(List.of(one, plain), List.of(one, other))).isFalse();
		}
	}

	@Test
	void cycle_countsAsDifferent() {
		Plain one = new Plain("a");
		one.value = one;
		Plain other = new Plain("a");
		other.value = other;
		assertThat(ValueType.equal(one, one)).isTrue();
		assertThat(ValueType.equal(one, other)).isFalse();
	}

	@Test
	void packedMaps_areComparedWithoutParsing() {
		PackedMap one = new PackedMap("{\"a\":{}}".getBytes());
		PackedMap same = new PackedMap("{\"a\":{}}".getBytes());
		PackedMap other = new PackedMap("{\"a\":[]}".getBytes());
		assertThat(ValueType.equal(one, same)).isTrue();
		assertThat(one.isPacked()).isTrue();
		assertThat(ValueType.equal(one, other)).isFalse();
		assertThat(ValueType.equal(one, Map.of("a", Map.of()))).isTrue();
	}

	private static byte[] bytes(int value) {
		return new byte[] { (byte) value };
	}

	private static V1Secret secret(String value) {
		return new V1Secret().metadata(new V1ObjectMeta().name("a")).putDataItem("key", value.getBytes());
	}

	private static DynamicKubernetesObject untyped(int value) {
		JsonObject raw = new JsonObject();
		raw.addProperty("value", value);
		return new DynamicKubernetesObject(raw);
	}

	static class Plain {

		@Nullable String name;

		byte @Nullable [] bytes;

		@Nullable Object value;

		transient Object ignored = new Object();

		Plain() {
		}

		Plain(String name, byte... bytes) {
			this.name = name;
			this.bytes = bytes;
		}

	}

	static class Derived extends Plain {

		int number;

		Derived() {
		}

		Derived(String name, int number) {
			super(name);
			this.number = number;
		}

	}

	/**
	 * Model with an {@code equals} that throws.
	 */
	static class Throwing extends Plain {

		Throwing() {
		}

		Throwing(String name) {
			super(name);
		}

		@Override
		public boolean equals(@Nullable Object other) {
			throw new IllegalStateException();
		}

		@Override
		public int hashCode() {
			return 0;
		}

	}

	/**
	 * Model with an {@code equals} that compares only a part.
	 */
	static class Partial {

		@Nullable String id;

		@Nullable String status;

		Partial() {
		}

		Partial(String id, String status) {
			this.id = id;
			this.status = status;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Partial partial && String.valueOf(this.id).equals(partial.id);
		}

		@Override
		public int hashCode() {
			return String.valueOf(this.id).hashCode();
		}

	}

	record Pair(String name, byte[] bytes) {
	}

	static class NoDefault {

		private final byte[] bytes;

		NoDefault(byte[] bytes) {
			this.bytes = bytes;
		}

	}

	static class Failing {

		private final Throwable failure;

		Failing(Throwable failure) {
			this.failure = failure;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			throw sneaky(this.failure);
		}

		@Override
		public int hashCode() {
			return 0;
		}

		@SuppressWarnings("unchecked")
		private static <E extends Throwable> E sneaky(Throwable failure) throws E {
			throw (E) failure;
		}

	}

}
