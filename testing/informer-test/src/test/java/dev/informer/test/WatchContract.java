/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.informer.test.TestClient.WatchReader;
import dev.informer.test.store.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of watches.
 */
interface WatchContract extends ContractCases {

	String POD = """
			{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},\
			"spec":{"containers":[{"name":"c","image":"example.com/c"}]}}""";

	@Test
	default void version_isTheStartOfTheWatch() throws IOException {
		create("a", "x", "1");
		String version = currentVersion();
		String changed = change("a", "2");
		client().delete(configMaps() + "/a");
		String deleted = currentVersion();
		try (WatchReader watch = watch("&resourceVersion=" + version)) {
			assertThat(watch.code()).isEqualTo(200);
			assertThat(watch.line())
				.startsWith("{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\","
						+ "\"metadata\":{\"name\":\"a\",\"namespace\":\"" + namespace() + "\",\"uid\":\"")
				.contains("\"resourceVersion\":\"" + changed + "\"")
				.endsWith("},\"data\":{\"value\":\"2\"}}}");
			JsonNode event = watch.json();
			assertThat(Json.text(event, "type")).isEqualTo("DELETED");
			assertThat(Json.text(event.path("object").path("data"), "value")).isEqualTo("2");
			assertThat(Long.parseLong(ContractCases.version(event.path("object"))))
				.as("the version of the deletion, not of the last state")
				.isGreaterThan(Long.parseLong(changed))
				.isLessThanOrEqualTo(Long.parseLong(deleted));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "&resourceVersion=0" })
	default void noVersion_startsWithExistingObjects(String query) throws IOException {
		create("a", "x", "1");
		client().get(configMaps() + "?resourceVersion=" + currentVersion());
		try (WatchReader watch = watch(query)) {
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			create("b", "x", "1");
			assertThat(watch.event()).isEqualTo("ADDED b 1");
		}
	}

	@Test
	default void futureVersion_isAcceptedAndSendsNothing() throws IOException {
		try (WatchReader watch = watch("&timeoutSeconds=1&resourceVersion=999999999")) {
			assertThat(watch.code()).isEqualTo(200);
			create("a", "x", "1");
			assertThat(watch.line()).isEqualTo(WatchReader.END);
		}
	}

	@Test
	default void objectLeavingAndEnteringASelection_keepsItsUid() throws IOException {
		String uid = Json.text(create("a", "web", "1").path("metadata"), "uid");
		String version = currentVersion();
		relabel("other", "2");
		relabel("other", "3");
		relabel("web", "4");
		relabel("web", "5");
		client().delete(configMaps() + "/a");
		try (WatchReader watch = watch("&labelSelector=app%3Dweb&resourceVersion=" + version)) {
			List<JsonNode> events = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				events.add(watch.json());
			}
			assertThat(events).extracting(WatchContract::summary)
				.containsExactly("DELETED web 1", "ADDED web 4", "MODIFIED web 5", "DELETED web 5");
			assertThat(events).extracting((event) -> Json.text(event.path("object").path("metadata"), "uid"))
				.containsOnly(uid);
			assertThat(events).extracting((event) -> Long.parseLong(ContractCases.version(event.path("object"))))
				.isSorted()
				.doesNotHaveDuplicates();
		}
	}

	private void relabel(String label, String value) {
		client().mergePatch(configMaps() + "/a",
				"{\"metadata\":{\"labels\":{\"app\":\"" + label + "\"}},\"data\":{\"value\":\"" + value + "\"}}");
	}

	private static String summary(JsonNode event) {
		JsonNode object = event.path("object");
		return Json.text(event, "type") + " " + Json.text(object.path("metadata").path("labels"), "app") + " "
				+ Json.text(object.path("data"), "value");
	}

	@Test
	default void otherNamespacesAndNames_areNotSent() throws IOException {
		String version = currentVersion();
		try (WatchReader watch = watch("&fieldSelector=metadata.name%3Db&resourceVersion=" + version)) {
			created("/api/v1/namespaces/default/configmaps", TestClient.configMap("b-" + namespace(), "1"));
			create("a", "x", "1");
			create("b", "x", "1");
			assertThat(watch.event()).isEqualTo("ADDED b 1");
		}
	}

	@Test
	default void bookmarks_comeFromTheWatchCacheOnly() throws IOException {
		String version = client().get(path("pods")).resourceVersion();
		try (WatchReader watch = client().watch(path("pods")
				+ "?watch=true&allowWatchBookmarks=true&timeoutSeconds=4&labelSelector=no%3Done&resourceVersion="
				+ version)) {
			String changed = ContractCases.version(created(path("pods"), POD));
			String line = watch.line();
			if (server().watchCache()) {
				assertThat(line)
					.matches("\\{\"type\":\"BOOKMARK\",\"object\":\\{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
							+ "\"metadata\":\\{\"resourceVersion\":\"[0-9]+\"},\"spec\":\\{\"containers\":null},"
							+ "\"status\":\\{}}}");
				assertThat(Long.parseLong(ContractCases.version(Json.MAPPER.readTree(line).path("object"))))
					.isGreaterThanOrEqualTo(Long.parseLong(changed));
			}
			else {
				assertThat(line).isEqualTo(WatchReader.END);
			}
		}
	}

	@Test
	default void bookmarks_areSentOnRequestOnly() throws IOException {
		String version = currentVersion();
		try (WatchReader watch = watch("&timeoutSeconds=3&resourceVersion=" + version)) {
			create("a", "x", "1");
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			assertThat(watch.line()).isEqualTo(WatchReader.END);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					resourceVersion=abc | 500 | resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax
					labelSelector=a%3D%3D%3D | 400 | unable to parse requirement: found '=', expected: identifier
					fieldSelector=foo%3Dbar | 400 | "foo" is not a known field selector: only "metadata.name", "metadata.namespace"
					resourceVersion=5&resourceVersionMatch=NotOlderThan | 422 | ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided
					""")
	default void malformedWatch_isRejected(String query, int code, String message) {
		TestClient.Answer answer = client().get(configMaps() + "?watch=true&" + query);
		assertThat(answer.code()).isEqualTo(code);
		assertThat(answer.message()).isEqualTo(message);
	}

	private WatchReader watch(String query) {
		return client().watch(configMaps() + "?watch=true" + query);
	}

}
