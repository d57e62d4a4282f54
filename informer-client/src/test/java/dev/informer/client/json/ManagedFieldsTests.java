/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.internal.LinkedTreeMap;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/**
 * Tests for managed fields, which stay packed until their first access.
 */
class ManagedFieldsTests {

	private static final String FIELDS = """
			{"f:metadata": {"f:labels": {".": {}, "f:größe": {}}, "f:ownerReferences": {"k:{\\"uid\\":\\"u-1\\"}": {}}},
			 "f:spec": {"v:[1,\\"a\\\\\\\\b\\"]": {}}}""";

	private final JsonWireFormat<V1Pod> format = JsonWireFormat.of(V1Pod.class, "v1", "Pod").withManagedFields();

	@Test
	void fields_arePackedUntilFirstAccess() throws IOException {
		Object fields = fieldsOf(FIELDS);
		assertThat(fields).asInstanceOf(type(PackedMap.class)).matches(PackedMap::isPacked);
		assertThat(((Map<?, ?>) fields).containsKey("f:spec")).isTrue();
		assertThat(fields).asInstanceOf(type(PackedMap.class)).matches((map) -> !map.isPacked());
	}

	@Test
	void fieldsThatAreCompared_stayPacked() throws IOException {
		PackedMap fields = (PackedMap) fieldsOf(FIELDS);
		PackedMap empty = (PackedMap) fieldsOf("{}");
		PackedMap inOtherOrder = (PackedMap) fieldsOf("{\"b\":{},\"a\":{}}");
		assertThat(fields.equals(fieldsOf(FIELDS))).isTrue();
		assertThat(fields.equals(empty)).isFalse();
		assertThat(inOtherOrder.equals(fieldsOf("{\"a\":{},\"b\":{}}"))).isTrue();
		assertThat(List.of(fields, empty, inOtherOrder).stream().allMatch(PackedMap::isPacked)).isTrue();
		assertThat(fields.remove("f:spec")).isNotNull();
		assertThat(fields.equals(fieldsOf(FIELDS))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { FIELDS, "{}", "{\"a\":[1,2.5,null,true,\"x\"],\"b\":{\"c\":1e3}}", "[{}]", "\"text\"",
			"true", "17", "{\"\\u0041\":\"\\ud83d\\ude80\"}" })
	void fields_decodeAsWithGson(String json) throws IOException {
		Object expected = new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
			.create()
			.fromJson(json, Object.class);
		Object actual = fieldsOf(json);
		assertThat(actual.equals(expected)).isTrue();
		assertThat(expected.equals(fieldsOf(json))).isTrue();
		assertThat(fieldsOf(json)).hasSameHashCodeAs(expected).hasToString(expected.toString());
		V1ManagedFieldsEntry entry = new V1ManagedFieldsEntry().manager("m").fieldsV1(expected);
		assertThat(entryOf(json)).isEqualTo(entry);
		assertThat(entry).isEqualTo(entryOf(json));
		assertThat(JSON.serialize(entryOf(json))).isEqualTo(JSON.serialize(entry));
	}

	@Test
	@SuppressWarnings("unchecked")
	void fields_areModifiable() throws IOException {
		Map<String, Object> fields = (Map<String, Object>) fieldsOf(FIELDS);
		((Map<String, Object>) Objects.requireNonNull(fields.get("f:metadata"))).remove("f:labels");
		fields.remove("f:spec");
		fields.put("f:status", new LinkedTreeMap<>());
		assertThat(fields).isEqualTo(Map.of("f:metadata",
				Map.of("f:ownerReferences", Map.of("k:{\"uid\":\"u-1\"}", Map.of())), "f:status", Map.of()));
		assertThat(fieldsOf(FIELDS)).isEqualTo(new Gson().fromJson(FIELDS, Object.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"a\":1e999}", "{\"a\":{\"b\":[1e99999999999]}}" })
	void fieldsThatDoNotFit_makeObjectUndecodable(String json) throws IOException {
		CollectingSink<V1Pod> sink = read(json, FIELDS);
		assertThat(sink.objects()).hasSize(1);
		assertThat(sink.undecodable())
			.containsExactly(new UndecodableObject(new ObjectState("shop", "web-1", null, "5"),
					"metadata.managedFields[0].fieldsV1: expected a tree of values"));
	}

	@Test
	void deepFields_makeObjectUndecodable() throws IOException {
		CollectingSink<V1Pod> sink = read("{\"a\":".repeat(600) + "{}" + "}".repeat(600), FIELDS);
		assertThat(sink.objects()).hasSize(1);
		assertThat(sink.undecodable()).extracting((object) -> object.state().name()).containsExactly("web-1");
	}

	private Object fieldsOf(String json) throws IOException {
		return entryOf(json).getFieldsV1();
	}

	private V1ManagedFieldsEntry entryOf(String json) throws IOException {
		CollectingSink<V1Pod> sink = read(json);
		assertThat(sink.undecodable()).isEmpty();
		return sink.objects().get(0).getMetadata().getManagedFields().get(0);
	}

	private CollectingSink<V1Pod> read(String... fields) throws IOException {
		CollectingSink<V1Pod> sink = new CollectingSink<>();
		String[] items = List.of(fields)
			.stream()
			.map((each) -> "{\"metadata\":{\"name\":\"web-1\",\"managedFields\":[{\"fieldsV1\":" + each
					+ ",\"manager\":\"m\"}],\"namespace\":\"shop\",\"resourceVersion\":\"5\"}}")
			.toArray(String[]::new);
		this.format.readList(Bodies.whole(Bodies.list("Pod", items)), sink);
		return sink;
	}

}
