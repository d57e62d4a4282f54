/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;

import dev.informer.test.TestClient.WatchReader;
import dev.informer.test.store.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of streaming lists, on servers with and without them.
 */
interface StreamingListContract extends ContractCases {

	String OFF = "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature "
			+ "gate is enabled";

	String INVALID = "ListOptions.meta.k8s.io \"\" is invalid: ";

	@Test
	default void streamingList_marksTheEndOfInitialEvents() throws IOException {
		create("a", "x", "1");
		create("b", "x", "1");
		String version = currentVersion();
		try (WatchReader watch = stream("true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan")) {
			if (!server().streamingLists()) {
				assertRefused(watch);
				return;
			}
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			assertThat(watch.event()).isEqualTo("ADDED b 1");
			String line = watch.line();
			assertThat(line)
				.matches("\\{\"type\":\"BOOKMARK\",\"object\":\\{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\","
						+ "\"metadata\":\\{\"resourceVersion\":\"[0-9]+\","
						+ "\"annotations\":\\{\"k8s.io/initial-events-end\":\"true\"}}}}");
			assertThat(Long.parseLong(ContractCases.version(Json.MAPPER.readTree(line).path("object"))))
				.isGreaterThanOrEqualTo(Long.parseLong(version));
			change("a", "2");
			assertThat(watch.event()).isEqualTo("MODIFIED a 2");
		}
	}

	@Test
	default void emptyStreamingList_isABookmarkWithGosEmptyObject() throws IOException {
		try (WatchReader watch = client().watch(path("pods")
				+ "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")) {
			if (server().streamingLists()) {
				assertThat(watch.line())
					.startsWith("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",")
					.endsWith(
							"\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}},\"spec\":{\"containers\":null},"
									+ "\"status\":{}}}");
			}
			else {
				assertRefused(watch);
			}
		}
	}

	@Test
	default void withoutBookmarks_initialEventsHaveNoEnd() throws IOException {
		create("a", "x", "1");
		try (WatchReader watch = stream("true&resourceVersionMatch=NotOlderThan&resourceVersion=" + currentVersion())) {
			if (!server().streamingLists()) {
				assertRefused(watch);
				return;
			}
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			create("b", "x", "1");
			assertThat(watch.event()).isEqualTo("ADDED b 1");
		}
	}

	@Test
	default void initialEventsNotRequested_areNotSent() throws IOException {
		create("a", "x", "1");
		client().get(configMaps() + "?resourceVersion=" + currentVersion());
		try (WatchReader watch = stream("false&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan")) {
			if (!server().streamingLists()) {
				assertRefused(watch);
				return;
			}
			create("b", "x", "1");
			assertThat(watch.event()).isEqualTo("ADDED b 1");
		}
	}

	@Test
	default void streamingListOfAFutureVersion_isTooLarge() throws IOException {
		try (WatchReader watch = stream(
				"true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999999")) {
			if (!server().streamingLists()) {
				assertRefused(watch);
				return;
			}
			assertThat(watch.code()).isEqualTo(200);
			JsonNode event = watch.json();
			assertThat(Json.text(event, "type")).isEqualTo("ERROR");
			JsonNode status = event.path("object");
			assertThat(status.path("code").asInt()).isEqualTo(504);
			assertThat(Json.text(status, "message"))
				.matches("Timeout: Too large resource version: 999999999, current: [0-9]+");
			assertThat(Json.text(status.path("details").path("causes").path(0), "reason"))
				.isEqualTo("ResourceVersionTooLarge");
		}
	}

	@Test
	default void streamingListWithoutMatch_isInvalid() {
		TestClient.Answer answer = client().get(configMaps() + "?watch=true&sendInitialEvents=true");
		String match = "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to "
				+ "NotOlderThan";
		assertThat(answer.code()).isEqualTo(422);
		assertThat(answer.message())
			.isEqualTo(INVALID + (server().streamingLists() ? match : "[" + match + ", " + OFF + "]"));
	}

	private WatchReader stream(String query) {
		return client().watch(configMaps() + "?watch=true&sendInitialEvents=" + query);
	}

	private static void assertRefused(WatchReader watch) {
		assertThat(watch.code()).isEqualTo(422);
		assertThat(Json.text(watch.json(), "message")).isEqualTo(INVALID + OFF);
	}

}
