/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

import com.google.gson.JsonObject;
import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.annotations.SerializedName;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import kotlin.Metadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the decoding of users' classes that are written for Gson.
 */
class CustomClassTests {

	private static final String TENANT = """
			{
			  "apiVersion": "example.com/v1",
			  "kind": "Tenant",
			  "metadata": { "name": "a", "labels": { "x": "y" } },
			  "spec": {
			    "flag": true, "number": 7, "big": 9007199254740993, "ratio": 0.25, "small": 3, "tiny": -4, "single": 1.5,
			    "amount": 12.3400, "huge": 123456789012345678901234567890, "boxed": null, "kept": null, "limit": "2Gi", "port": 80,
			    "plain-name": "plain", "alternative": "alt", "since": "2024-05-01T10:00:00.5+02:00", "day": "2024-05-01",
			    "tier": "gold", "other": "SILVER", "unknown": "LEAD", "secret": "c2VjcmV0", "raw": { "a": [1, null] },
			    "any": { "x": [1, "y", true, null, { "z": 1.5 }] }, "matrix": [[1, 2], [3]], "groups": { "g": ["a", "b"] },
			    "nested": { "q": { "count": 1 } }, "names": ["a", "b"], "array": ["x"], "numbers": [1, 2], "keyed": { "1": "one" },
			    "upper": "shout", "range": { "from": 1, "to": 2 }, "selector": { "matchLabels": { "a": "b" } },
			    "self": { "number": 8, "self": { "number": 9 } }, "count": { "count": 5 }
			  },
			  "status": { "conditions": [ { "type": "Ready", "status": "True", "lastTransitionTime": "2024-05-01T10:00:00Z",
			    "message": "m", "reason": "r" } ], "value": { "count": 3 } }
			}
			""";

	private static <T> CollectingSink<T> read(JsonWireFormat<T> format, String... items) throws IOException {
		CollectingSink<T> sink = new CollectingSink<>();
		format.readList(Bodies.whole(Bodies.list("Tenant", items)), sink);
		return sink;
	}

	@Test
	void customClass_decodesAsWithGson() throws IOException {
		Tenant expected = ModelSamples.GSON.fromJson(TENANT, Tenant.class);
		CollectingSink<Tenant> sink = read(JsonWireFormat.of(Tenant.class, "example.com/v1", "Tenant"), TENANT, TENANT);
		assertThat(sink.undecodable()).isEmpty();
		assertThat(sink.objects()).hasSize(2)
			.allSatisfy((tenant) -> assertThat(tenant).usingRecursiveComparison().isEqualTo(expected));
		Tenant tenant = sink.objects().get(0);
		assertThat(tenant.spec.any).isEqualTo(expected.spec.any);
		assertThat(tenant.spec.kept).isNull();
		assertThat(tenant.spec.number).isEqualTo(7);
		assertThat(tenant.spec.unknown).isNull();
		assertThat(tenant.spec.upper).isEqualTo("SHOUT");
		assertThat(tenant.spec.ignored).isEqualTo("default");
		assertThat(tenant.spec.range).isEqualTo(new Range(1, 2));
		assertThat(tenant.status.value.count).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"number\":\"7\"", "\"number\":7.0", "\"number\":null", "\"big\":\"8\"", "\"big\":1e3",
			"\"flag\":\"true\"", "\"plain-name\":7", "\"plain-name\":1.50", "\"plain-name\":true", "\"ratio\":\"1.5\"",
			"\"limit\":2", "\"port\":80.0", "\"port\":8e1", "\"port\":-1", "\"port\":\"80.0\"", "\"amount\":\"12.50\"",
			"\"alt2\":\"x\"", "\"tier\":null", "\"array\":null", "\"names\":[\"a\"],\"names\":[\"b\"]" })
	void valueThatGsonAccepts_isDecoded(String property) throws IOException {
		String item = "{\"apiVersion\":\"v1\",\"kind\":\"Tenant\",\"metadata\":{\"name\":\"a\"},\"spec\":{" + property
				+ "}}";
		Tenant expected = ModelSamples.GSON.fromJson(item, Tenant.class);
		CollectingSink<Tenant> sink = read(JsonWireFormat.of(Tenant.class, "v1", "Tenant"), item);
		assertThat(sink.objects()).singleElement()
			.satisfies((tenant) -> assertThat(tenant).usingRecursiveComparison().isEqualTo(expected));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"small\":70000", "\"tiny\":128", "\"single\":1e39", "\"ratio\":1e309", "\"ratio\":\"x\"",
			"\"amount\":\"x\"", "\"huge\":1.5", "\"huge\":1e999999999", "\"tier\":[]", "\"day\":\"x\"", "\"raw\":7",
			"\"range\":[]", "\"matrix\":[[\"x\"]]", "\"groups\":{\"g\":7}", "\"number\":\"x\"", "\"array\":{}",
			"\"port\":80.5", "\"port\":1e99", "\"port\":true", "\"port\":[]" })
	void valueThatDoesNotFit_isUndecodable(String property) throws IOException {
		String item = "{\"spec\":{" + property + "},\"metadata\":{\"name\":\"a\"}}";
		CollectingSink<Tenant> sink = read(JsonWireFormat.of(Tenant.class, "v1", "Tenant"), item, TENANT);
		assertThat(sink.undecodable()).singleElement().satisfies((undecodable) -> {
			assertThat(undecodable.state().name()).isEqualTo("a");
			assertThat(undecodable.reason()).startsWith("spec." + property.substring(1, property.indexOf('"', 1)))
				.contains(": expected ");
		});
		assertThat(sink.objects()).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					"range":{"from":1,"to":"secret"}     | spec.range.to: expected an integer of 32 bits
					"ranges":[[{"from":1},{"from":[]}]]  | spec.ranges[0][1].from: expected an integer of 32 bits
					"keyed":{"1":"a","01":"b"}           | spec.keyed.01: expected the name that a key of java.lang.Integer is written as
					"ratios":{"1":"a"}                   | spec.ratios.1: expected the name that a key of java.lang.Double is written as
					""")
	void valueThatDoesNotFit_isNamedWithItsPath(String property, String reason) throws IOException {
		String item = "{\"spec\":{" + property + "},\"metadata\":{\"name\":\"a\"}}";
		CollectingSink<Tenant> sink = read(JsonWireFormat.of(Tenant.class, "v1", "Tenant"), item);
		assertThat(sink.undecodable()).singleElement()
			.satisfies((undecodable) -> assertThat(undecodable.reason()).isEqualTo(reason));
	}

	@Test
	void classWithoutVersionAndKind_isDecoded() throws IOException {
		assertThat(
				read(JsonWireFormat.of(Bare.class, "v1", "Bare"), "{\"kind\":\"Bare\",\"metadata\":{\"name\":\"a\"}}")
					.objects())
			.singleElement()
			.satisfies((bare) -> assertThat(bare.metadata.getName()).isEqualTo("a"));
	}

	@Test
	void undecodableClass_isRejectedWithRemedy() {
		assertRejected(WithoutMetadata.class, "has no field \"metadata\"");
		assertRejected(WithoutName.class, "has no field \"name\"");
		assertRejected(AsRecord.class, "it is a record. Use a static class");
		assertRejected(KubernetesObject.class, "is an interface");
		assertRejected(Versioned.class, "its type S is not resolved");
		assertRejected(WithoutConstructor.class, ": it has no constructor without arguments. Use a static class");
		assertRejected(Inner.class, ": it is an inner class. Use a static class");
		assertRejected(Adapted.class, ": an adapter or creator decodes it, not its fields. Use a static class");
		assertRejected(WithKotlinClass.class, "WithKotlinClass.spec: the Kotlin class " + KotlinSpec.class.getName()
				+ " has no constructor without arguments");
		assertRejected(WithInstant.class, "WithInstant.when: Gson has no adapter");
		assertRejected(WithRepeatedName.class, "\"value\"");
	}

	private static void assertRejected(Class<?> type, String words) {
		assertThatIllegalArgumentException().isThrownBy(() -> JsonWireFormat.of(type, "v1", "Any"))
			.withMessageContaining(type.getName())
			.withMessageContaining(words);
	}

	static class Versioned<S, T> {

		private @Nullable String apiVersion;

		private @Nullable String kind;

		V1ObjectMeta metadata = new V1ObjectMeta();

		@SuppressWarnings("NullAway.Init")
		S spec;

		@SuppressWarnings("NullAway.Init")
		T status;

	}

	static final class Tenant extends Versioned<TenantSpec, Status<Count>> {

		private Tenant() {
		}

	}

	static class TenantSpec {

		static String shared = "untouched";

		transient String ignored = "default";

		boolean flag;

		int number = 42;

		long big;

		double ratio;

		short small;

		byte tiny;

		float single;

		@Nullable BigDecimal amount;

		@Nullable BigInteger huge;

		@Nullable Integer boxed = 1;

		@Nullable String kept = "default";

		@Nullable Quantity limit;

		@Nullable IntOrString port;

		@SerializedName("plain-name")
		@Nullable String plain;

		@SerializedName(value = "preferred", alternate = { "alternative", "alt2" })
		@Nullable String preferred;

		@Nullable OffsetDateTime since;

		@Nullable LocalDate day;

		@Nullable Tier tier;

		@Nullable Tier other;

		@Nullable Tier unknown = Tier.GOLD;

		byte @Nullable [] secret;

		@Nullable JsonObject raw;

		@Nullable Object any;

		@Nullable List<List<Integer>> matrix;

		@Nullable Map<String, List<String>> groups;

		@Nullable Map<String, ? extends Map<String, Object>> nested;

		@Nullable Set<String> names;

		String @Nullable [] array;

		int @Nullable [] numbers;

		@Nullable Map<Integer, String> keyed;

		@Nullable SortedMap<Double, String> ratios;

		@JsonAdapter(UpperCase.class)
		@Nullable String upper;

		@Nullable Range range;

		Range @Nullable [][] ranges;

		@Nullable V1LabelSelector selector;

		@Nullable TenantSpec self;

		@Nullable Count count;

	}

	static class Status<V extends Count> {

		List<V1Condition> conditions = List.of();

		@SuppressWarnings("NullAway.Init")
		V value;

	}

	static final class Count {

		final int count;

		private Count() {
			this.count = Integer.parseInt("0");
		}

	}

	record Range(int from, int to) {
	}

	enum Tier {

		@SerializedName("gold")
		GOLD,

		SILVER

	}

	static class UpperCase extends TypeAdapter<String> {

		@Override
		public String read(JsonReader in) throws IOException {
			return in.nextString().toUpperCase();
		}

		@Override
		public void write(JsonWriter out, String value) throws IOException {
			out.value(value);
		}

	}

	static class Bare {

		V1ObjectMeta metadata = new V1ObjectMeta();

	}

	static class WithoutMetadata {

	}

	static class WithoutName {

		Count metadata = new Count();

	}

	record AsRecord(V1ObjectMeta metadata) {
	}

	static class WithoutConstructor {

		V1ObjectMeta metadata = new V1ObjectMeta();

		WithoutConstructor(int value) {
		}

	}

	class Inner {

		V1ObjectMeta metadata = new V1ObjectMeta();

	}

	@JsonAdapter(AnyAdapter.class)
	static class Adapted {

		V1ObjectMeta metadata = new V1ObjectMeta();

	}

	static class AnyAdapter extends TypeAdapter<Adapted> {

		@Override
		public void write(JsonWriter out, Adapted value) throws IOException {
			out.nullValue();
		}

		@Override
		public Adapted read(JsonReader in) throws IOException {
			in.skipValue();
			return new Adapted();
		}

	}

	static class WithKotlinClass {

		V1ObjectMeta metadata = new V1ObjectMeta();

		@Nullable KotlinSpec spec;

	}

	@Metadata
	static class KotlinSpec {

		KotlinSpec(int value) {
		}

	}

	static class WithInstant {

		V1ObjectMeta metadata = new V1ObjectMeta();

		@Nullable Instant when;

	}

	static class WithRepeatedName {

		V1ObjectMeta metadata = new V1ObjectMeta();

		int value;

		@SerializedName("value")
		int other;

	}

}
