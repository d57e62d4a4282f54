/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.nio.charset.StandardCharsets;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.store.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JsonPatchTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"a":1}           | {"op":"add","path":"/b","value":{"c":[]}}         | {"a":1,"b":{"c":[]}}
			{"a":1}           | {"op":"add","path":"/a","value":null}             | {"a":null}
			{"a":[1,3]}       | {"op":"add","path":"/a/1","value":2}              | {"a":[1,2,3]}
			{"a":[1,2]}       | {"op":"add","path":"/a/-","value":3}              | {"a":[1,2,3]}
			{"a":[1,2]}       | {"op":"add","path":"/a/2","value":3}              | {"a":[1,2,3]}
			{"a":{"b":1}}     | {"op":"add","path":"","value":{"c":2}}            | {"c":2}
			{"a~b":{"c/d":1}} | {"op":"replace","path":"/a~0b/c~1d","value":2}    | {"a~b":{"c/d":2}}
			{"":{"0":1}}      | {"op":"remove","path":"//0"}                      | {"":{}}
			{"a":[1,2,3]}     | {"op":"remove","path":"/a/0"}                     | {"a":[2,3]}
			{"a":[1,2,3]}     | {"op":"replace","path":"/a/2","value":4}          | {"a":[1,2,4]}
			{"a":1}           | {"op":"replace","path":"/b","value":2}            | {"a":1,"b":2}
			{"a":{"b":1}}     | {"op":"move","from":"/a/b","path":"/c"}           | {"a":{},"c":1}
			{"a":[1,2,3]}     | {"op":"move","from":"/a/0","path":"/a/2"}         | {"a":[2,3,1]}
			{"a":1}           | {"op":"move","from":"/a","path":"/a"}             | {"a":1}
			{"a":{"b":[1]}}   | {"op":"copy","from":"/a/b","path":"/a/c"}         | {"a":{"b":[1],"c":[1]}}
			{"a":{"b":[1,2]}} | {"op":"test","path":"/a","value":{"b":[1.0,2]}}   | {"a":{"b":[1,2]}}
			{"a":1}           | {"op":"test","path":"/b","value":null}            | {"a":1}
			""")
	void validOperation_isApplied(String target, String operation, String expected) {
		assertThat(apply(target, "[" + operation + "]")).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'op':'remove','path':'/b'}", "{'op':'remove','path':'/list/2'}",
			"{'op':'remove','path':'/list/-'}", "{'op':'add','path':'/b/c','value':1}",
			"{'op':'add','path':'/list/3','value':1}", "{'op':'add','path':'/list/x','value':1}",
			"{'op':'add','path':'/a/b','value':1}", "{'op':'add','path':'/b'}", "{'op':'add','path':'b','value':1}",
			"{'op':'add','value':1}", "{'op':'replace','path':'/list/2','value':1}",
			"{'op':'move','from':'/b','path':'/c'}", "{'op':'move','from':'/object','path':'/object/inner'}",
			"{'op':'copy','from':'/b','path':'/c'}", "{'op':'copy','path':'/c'}",
			"{'op':'test','path':'/a','value':'1'}", "{'op':'test','path':'/b','value':1}", "{'op':'remove','path':''}",
			"{'op':'add','path':'','value':[]}", "{'op':'other','path':'/a'}", "{'path':'/a'}", "7" })
	void invalidOperation_isUnprocessable(String operation) {
		assertThatExceptionOfType(KubernetesStatusException.class)
			.isThrownBy(() -> apply("{\"a\":1,\"list\":[1,2],\"object\":{}}", "[" + operation.replace('\'', '"') + "]"))
			.withMessage("the server rejected our request due to an error in our request")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(422));
	}

	@Test
	void operations_areAppliedInOrder() {
		assertThat(apply("{}", """
				[{"op":"add","path":"/a","value":[]},{"op":"add","path":"/a/-","value":{}},
				 {"op":"copy","from":"/a/0","path":"/a/-"},{"op":"add","path":"/a/1/b","value":1},
				 {"op":"test","path":"/a","value":[{},{"b":1}]}]""")).isEqualTo("{\"a\":[{},{\"b\":1}]}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{} | error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp
			[  | invalid JSON patch
			""")
	void malformedPatch_isRejected(String patch, String message) {
		assertThatExceptionOfType(KubernetesStatusException.class).isThrownBy(() -> apply("{}", patch))
			.withMessage(message)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(400));
	}

	private static String apply(String target, String patch) {
		return JsonPatch.parse(patch.getBytes(StandardCharsets.UTF_8)).apply(Json.tree(target)).toString();
	}

}
