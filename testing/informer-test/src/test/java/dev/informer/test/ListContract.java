/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of the content and resource version of lists.
 */
interface ListContract extends ContractCases {

	String MALFORMED = """
			resourceVersion=abc | 400 | invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax
			limit=abc | 400 | strconv.ParseInt: parsing "abc": invalid syntax
			labelSelector=a%3D%3D%3D | 400 | unable to parse requirement: found '=', expected: identifier
			labelSelector=a+b | 400 | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt
			labelSelector=a+in+(b | 400 | unable to parse requirement: found '', expected: ',' or ')'
			labelSelector=%2C | 400 | found ',', expected: !, identifier, or 'end of string'
			fieldSelector=metadata.name | 400 | invalid selector: 'metadata.name'; can't understand 'metadata.name'
			fieldSelector=foo%3Dbar | 400 | "foo" is not a known field selector: only "metadata.name", "metadata.namespace"
			resourceVersionMatch=Exact | 422 | ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided
			resourceVersion=0&resourceVersionMatch=Exact | 422 | ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"
			resourceVersion=5&resourceVersionMatch=Foo | 422 | ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""
			sendInitialEvents=true | 422 | ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list
			""";

	@Test
	default void builtInItems_haveNeitherKindNorVersion() {
		create("a", "x", "1");
		TestClient.Answer answer = client().get(configMaps());
		assertThat(answer.body())
			.startsWith("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""
					+ answer.resourceVersion() + "\"},\"items\":[{\"metadata\":{\"name\":\"a\",\"namespace\":\""
					+ namespace() + "\",\"uid\":\"")
			.endsWith("},\"data\":{\"value\":\"1\"}}]}\n");
	}

	@Test
	default void noObjects_areAnEmptyList() {
		assertThat(client().get(path("secrets")).body()).endsWith("\"},\"items\":[]}\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "?resourceVersion=0", "?resourceVersion=%s",
			"?resourceVersion=%s&resourceVersionMatch=NotOlderThan",
			"?resourceVersion=0&resourceVersionMatch=NotOlderThan", "?resourceVersion=%s&resourceVersionMatch=Exact" })
	default void list_isNotOlderThanRequested(String query) {
		create("a", "x", "1");
		String version = change("a", "2");
		TestClient.Answer answer = client().get(configMaps() + query.formatted(version));
		assertThat(answer.code()).isEqualTo(200);
		if (!query.contains("=0")) {
			assertThat(ContractCases.values(answer.json())).containsExactly("2");
			assertThat(Long.parseLong(answer.resourceVersion())).isGreaterThanOrEqualTo(Long.parseLong(version));
		}
	}

	@Test
	default void exactVersion_isReadFromThePast() {
		create("a", "x", "1");
		String before = currentVersion();
		change("a", "2");
		created(configMaps(), TestClient.configMap("b", "1"));
		TestClient.Answer past = client().get(configMaps() + "?resourceVersionMatch=Exact&resourceVersion=" + before);
		assertThat(ContractCases.values(past.json())).containsExactly("1");
		assertThat(past.resourceVersion()).isEqualTo(before);
	}

	@Test
	default void limitWithAVersionAndNoMatch_isReadFromThePast() {
		create("a", "x", "1");
		String before = currentVersion();
		change("a", "2");
		TestClient.Answer past = client().get(configMaps() + "?limit=9&resourceVersion=" + before);
		assertThat(ContractCases.values(past.json())).containsExactly("1");
		assertThat(past.resourceVersion()).isEqualTo(before);
		// Answered from the watch cache, which may be behind etcd for a moment
		awaitExternal().untilAsserted(() -> assertThat(ContractCases
			.values(client().get(configMaps() + "?limit=9&resourceVersionMatch=NotOlderThan&resourceVersion=" + before)
				.json()))
			.containsExactly("2"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "&resourceVersionMatch=Exact" })
	default void futureVersion_isTooLarge(String match) {
		TestClient.Answer answer = client().get(configMaps() + "?resourceVersion=999999999" + match);
		assertThat(answer.code()).isEqualTo(504);
		assertThat(answer.reason()).isEqualTo("Timeout");
		assertThat(answer.message()).matches("Timeout: Too large resource version: 999999999, current: [0-9]+");
		JsonNode details = answer.json().path("details");
		assertThat(details.path("causes").path(0).path("reason").asString()).isEqualTo("ResourceVersionTooLarge");
		assertThat(details.path("causes").path(0).path("message").asString()).isEqualTo("Too large resource version");
		assertThat(details.path("retryAfterSeconds").asInt()).isEqualTo(server().watchCache() ? 1 : 0);
		assertThat(answer.retryAfter()).isEqualTo(server().watchCache() ? "1" : "");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = MALFORMED)
	default void malformedList_isRejected(String query, int code, String message) {
		TestClient.Answer answer = client().get(configMaps() + "?" + query);
		assertThat(answer.code()).isEqualTo(code);
		assertThat(answer.message()).isEqualTo(message);
		assertThat(answer.reason()).isEqualTo((code == 400) ? "BadRequest" : "Invalid");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			labelSelector=app%3Dearly | a b
			labelSelector=app!%3Dearly | c d
			labelSelector=app+in+(early,late) | a b c d
			labelSelector=app+notin+(late),app | a b
			labelSelector=!app | ''
			labelSelector=app%3D%3Dlate,!other | c d
			fieldSelector=metadata.name%3Db | b
			fieldSelector=metadata.name!%3Db,metadata.namespace!%3Dmissing | a c d
			labelSelector=app%3Dlate&fieldSelector=metadata.name%3Db | ''
			""")
	default void selector_selectsObjects(String query, String expected) {
		for (String name : List.of("d", "a", "c", "b")) {
			create(name, (name.compareTo("c") < 0) ? "early" : "late", "1");
		}
		assertThat(String.join(" ", ContractCases.names(client().get(configMaps() + "?" + query).json())))
			.isEqualTo(expected);
	}

	@Test
	default void unknownFieldOfPods_hasAnotherMessage() {
		TestClient.Answer answer = client().get(path("pods") + "?fieldSelector=status.foo%3Dbar");
		assertThat(answer.code()).isEqualTo(400);
		assertThat(answer.message()).isEqualTo("field label not supported: status.foo");
	}

	@Test
	default void listOfAMissingNamespace_isEmpty() {
		TestClient.Answer answer = client().get("/api/v1/namespaces/missing/configmaps");
		assertThat(answer.code()).isEqualTo(200);
		assertThat(ContractCases.names(answer.json())).isEmpty();
	}

}
