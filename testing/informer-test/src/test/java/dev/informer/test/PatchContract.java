/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import dev.informer.test.store.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of merge patches and JSON patches.
 */
interface PatchContract extends ContractCases {

	String MERGE = "application/merge-patch+json";

	String JSON = "application/json-patch+json";

	@Test
	default void mergePatch_setsAndRemoves() {
		create("a", "x", "1");
		JsonNode patched = client().mergePatch(configMaps() + "/a", """
				{"metadata":{"labels":{"app":null,"new":"y"}},"data":{"more":"2"}}""").json();
		assertThat(patched.path("metadata").path("labels").toString()).isEqualTo("{\"new\":\"y\"}");
		assertThat(patched.path("data").toString()).isEqualTo("{\"more\":\"2\",\"value\":\"1\"}");
	}

	@Test
	default void patchOfAnotherUid_isInvalid_andOfAnotherVersionAConflict() {
		create("a", "x", "1");
		TestClient.Answer successor = client().mergePatch(configMaps() + "/a", """
				{"metadata":{"uid":"f6a5ae7b-0b8b-4c0a-8f0b-1d3c5e7a9b2c"},"data":{"value":"2"}}""");
		assertThat(successor.code()).isEqualTo(422);
		assertThat(successor.message()).isEqualTo("ConfigMap \"a\" is invalid: metadata.uid: Invalid value: "
				+ "\"f6a5ae7b-0b8b-4c0a-8f0b-1d3c5e7a9b2c\": field is immutable");
		TestClient.Answer older = client().mergePatch(configMaps() + "/a",
				"""
						{"metadata":{"uid":"f6a5ae7b-0b8b-4c0a-8f0b-1d3c5e7a9b2c","resourceVersion":"1"},"data":{"value":"2"}}""");
		assertThat(older.code()).isEqualTo(409);
	}

	@Test
	default void patchThatChangesNothing_keepsTheVersion() {
		String version = ContractCases.version(create("a", "x", "1"));
		assertThat(change("a", "1")).isEqualTo(version);
		assertThat(patch(JSON, "[]").resourceVersion()).isEqualTo(version);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"op":"add","path":"/data/b","value":"2"}                 | {"b":"2","value":"1"}
			{"op":"replace","path":"/data/value","value":"2"}         | {"value":"2"}
			{"op":"replace","path":"/data/missing","value":"2"}       | {"missing":"2","value":"1"}
			{"op":"add","path":"/metadata/labels/x~1y","value":"2"}   | {"value":"1"}
			{"op":"copy","from":"/data/value","path":"/data/copy"}    | {"copy":"1","value":"1"}
			{"op":"move","from":"/data/value","path":"/data/moved"}   | {"moved":"1"}
			{"op":"test","path":"/data/value","value":"1"}            | {"value":"1"}
			{"op":"test","path":"/data/missing","value":null}         | {"value":"1"}
			{"op":"test","path":"/data/value","value":"2"}            | -
			{"op":"test","path":"/data/missing","value":"1"}          | -
			{"op":"remove","path":"/data/missing"}                    | -
			{"op":"add","path":"/missing/b","value":"2"}              | -
			{"op":"move","from":"/data/missing","path":"/data/b"}     | -
			{"op":"other","path":"/data/value"}                       | -
			{"path":"/data/value"}                                    | -
			""")
	default void jsonPatch_isAppliedOrRejected(String operation, String data) {
		create("a", "x", "1");
		TestClient.Answer answer = patch(JSON, "[" + operation + "]");
		if (!data.equals("-")) {
			assertThat(answer.json().path("data").toString()).isEqualTo(data);
		}
		else {
			assertThat(answer.code()).isEqualTo(422);
			assertThat(answer.reason()).isEqualTo("Invalid");
		}
	}

	@Test
	default void invalidJsonPatch_isRejectedAsAWhole() {
		create("a", "x", "1");
		TestClient.Answer answer = patch(JSON, """
				[{"op":"replace","path":"/data/value","value":"2"},{"op":"remove","path":"/data/missing"}]""");
		assertThat(answer.body()).isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
				+ "\"status\":\"Failure\",\"message\":\"the server rejected our request due to an error in our request\","
				+ "\"reason\":\"Invalid\",\"details\":{},\"code\":422}\n");
		assertThat(Json.text(client().get(configMaps() + "/a").json().path("data"), "value")).isEqualTo("1");
	}

	@Test
	default void jsonPatchOfAnArray_insertsByPosition() {
		created(configMaps(), "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/b\"]}}");
		JsonNode patched = patch(JSON, """
				[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/c"},
				 {"op":"add","path":"/metadata/finalizers/0","value":"example.com/a"},
				 {"op":"remove","path":"/metadata/finalizers/1"}]""").json();
		assertThat(patched.path("metadata").path("finalizers").toString())
			.isEqualTo("[\"example.com/a\",\"example.com/c\"]");
		assertThat(patch(JSON, "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers/7\"}]").code()).isEqualTo(422);
		assertThat(patch(JSON, "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]").json()
			.path("metadata")
			.has("finalizers")).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"metadata":{"resourceVersion":"1"},"data":{"value":"2"}} | application/merge-patch+json
			[{"op":"replace","path":"/metadata/resourceVersion","value":"1"}] | application/json-patch+json
			""")
	default void patchOfAnotherVersion_isAConflict(String patch, String type) {
		create("a", "x", "1");
		TestClient.Answer answer = patch(type, patch);
		assertThat(answer.code()).isEqualTo(409);
		assertThat(answer.reason()).isEqualTo("Conflict");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					application/merge-patch+json | {  | 400 | invalid JSON patch
					application/merge-patch+json | `` | 400 | invalid JSON patch
					application/merge-patch+json | [] | 400 | error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}
					application/json-patch+json  | [  | 400 | invalid JSON patch
					application/json-patch+json  | {} | 400 | error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp
					text/plain                   | {} | 415 | 415: Unsupported Media Type
					""")
	default void malformedPatch_isRejected(String type, String patch, int code, String message) {
		create("a", "x", "1");
		TestClient.Answer answer = patch(type, patch);
		assertThat(answer.code()).isEqualTo(code);
		assertThat(answer.message()).isEqualTo(message);
	}

	private TestClient.Answer patch(String type, String patch) {
		return client().send("PATCH", configMaps() + "/a", patch, type);
	}

}
