/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.util.List;
import java.util.Map;

import dev.informer.test.store.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class TypedValueTests {

	private static final FieldType STRING = FieldType.scalar(FieldType.Scalar.STRING);

	private static final FieldType SET = FieldType.list(STRING, false, List.of());

	private static final FieldType ITEMS = FieldType
		.list(FieldType.map(Map.of("k", field(STRING), "v", field(STRING)), null, false), false, List.of("k"));

	private static final FieldType STRUCT = FieldType.map(Map.of("set", field(SET), "items", field(ITEMS), "atomic",
			field(FieldType.map(Map.of(), STRING, true)), "map", field(FieldType.map(Map.of(), STRING, false))), null,
			false);

	private static FieldType.Field field(FieldType type) {
		return new FieldType.Field(type, false, null, null);
	}

	private static JsonNode json(String text) {
		return Json.MAPPER.readTree(text);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			["a","b"]     | ["c"]         | ["a","b","c"]
			["a","b"]     | ["b","a"]     | ["b","a"]
			["a","b","c"] | ["c","a"]     | ["b","c","a"]
			["a","b","c"] | ["x","b"]     | ["a","x","b","c"]
			["a"]         | []            | ["a"]
			["a","a"]     | ["a"]         | ["a"]
			["a","a"]     | ["b"]         | ["a","a","b"]
			""")
	void mergedSets_keepTheAppliedOrder(String left, String right, String merged) {
		assertThat(new TypedValue(json(left), SET).merge(new TypedValue(json(right), SET)).value()).hasToString(merged);
	}

	@Test
	void mergedItems_areMergedByKey() {
		TypedValue left = new TypedValue(json("{\"items\":[{\"k\":\"a\",\"v\":\"1\"},{\"k\":\"b\"}]}"), STRUCT);
		TypedValue right = new TypedValue(json("{\"items\":[{\"k\":\"b\",\"v\":\"2\"}]}"), STRUCT);
		assertThat(left.merge(right).value())
			.hasToString("{\"items\":[{\"k\":\"a\",\"v\":\"1\"},{\"k\":\"b\",\"v\":\"2\"}]}");
	}

	@Test
	void fields_areThoseOfItemsAndLeaves() {
		TypedValue value = new TypedValue(json(
				"{\"set\":[\"b\",\"a\"],\"items\":[{\"k\":\"a\",\"v\":\"1\"}],\"atomic\":{\"x\":\"1\"},\"map\":{\"x\":\"1\"}}"),
				STRUCT);
		FieldSet fields = value.fields();
		assertThat(fields.toJson()).hasToString("{\"f:atomic\":{},\"f:items\":{\"k:{\\\"k\\\":\\\"a\\\"}\":{\".\":{},"
				+ "\"f:k\":{},\"f:v\":{}}},\"f:map\":{\"f:x\":{}},\"f:set\":{\"v:\\\"a\\\"\":{},\"v:\\\"b\\\"\":{}}}");
		assertThat(FieldSet.parse(fields.toJson()).toJson()).isEqualTo(fields.toJson());
	}

	@Test
	void keys_areOrderedByTheirValues() {
		FieldType ports = FieldType.list(
				FieldType.map(Map.of("port", field(FieldType.scalar(FieldType.Scalar.NUMBER))), null, false), false,
				List.of("port"));
		TypedValue value = new TypedValue(json("[{\"port\":443},{\"port\":80}]"), ports);
		assertThat(value.fields().toJson().propertyNames()).containsExactly("k:{\"port\":80}", "k:{\"port\":443}");
	}

	@Test
	void removedFields_leaveTheRest() {
		TypedValue value = new TypedValue(
				json("{\"set\":[\"a\",\"b\"],\"items\":[{\"k\":\"a\",\"v\":\"1\"}],\"map\":{\"x\":\"1\"}}"), STRUCT);
		FieldSet removed = FieldSet.parse(json(
				"{\"f:set\":{\"v:\\\"a\\\"\":{}},\"f:items\":{\"k:{\\\"k\\\":\\\"a\\\"}\":{\"f:v\":{}}},\"f:map\":{\"f:x\":{}}}"));
		assertThat(value.without(removed).value())
			.hasToString("{\"set\":[\"b\"],\"items\":[{\"k\":\"a\"}],\"map\":null}");
	}

	@Test
	void changes_areRemovedModifiedOrAdded() {
		FieldChanges changes = FieldChanges.between(
				json("{\"map\":{\"a\":\"1\",\"b\":\"1\"},\"atomic\":{\"x\":\"1\"},\"set\":[\"a\"]}"),
				json("{\"map\":{\"b\":\"2\",\"c\":\"1\"},\"atomic\":{\"y\":\"1\"},\"items\":[{\"k\":\"a\"}]}"), STRUCT);
		assertThat(changes.removed().toJson())
			.hasToString("{\"f:map\":{\"f:a\":{}},\"f:set\":{\".\":{},\"v:\\\"a\\\"\":{}}}");
		assertThat(changes.modified().toJson()).hasToString("{\"f:atomic\":{},\"f:map\":{\"f:b\":{}}}");
		assertThat(changes.added().toJson()).hasToString(
				"{\"f:items\":{\".\":{},\"k:{\\\"k\\\":\\\"a\\\"}\":{\".\":{},\"f:k\":{}}},\"f:map\":{\"f:c\":{}}}");
	}

	@Test
	void setsOfFields_areSubtracted() {
		FieldSet all = FieldSet.parse(json("{\"f:a\":{\".\":{},\"f:b\":{}},\"f:c\":{}}"));
		FieldSet parent = FieldSet.parse(json("{\"f:a\":{}}"));
		assertThat(all.minus(parent).toJson()).as("children stay").hasToString("{\"f:a\":{\"f:b\":{}},\"f:c\":{}}");
		assertThat(all.without(parent).toJson()).as("children go").hasToString("{\"f:c\":{}}");
		assertThat(all.intersection(parent).toJson()).hasToString("{\"f:a\":{}}");
		assertThat(all.minus(all).isEmpty()).isTrue();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"set":["a","a"]}           | .set: duplicate entries for key [="a"]
					{"set":[{}]}                | .set: element 0: associative list without keys has an element that's a map type
					{"items":[{"v":"1"}]}       | .items: element 0: associative list with keys has an element that omits all key fields ["k"] (and doesn't have default values for any key fields)
					{"items":[{"k":"a","v":1}]} | .items[k="a"].v: expected string, got &value.valueUnstructured{Value:1}
					{"other":1}                 | .other: field not declared in schema
					{"map":[]}                  | .map: expected map, got &{[]}
					""")
	void valueThatDoesNotFit_isAViolation(String value, String violation) {
		assertThat(new TypedValue(json(value), STRUCT).violations()).containsExactly(violation);
	}

}
