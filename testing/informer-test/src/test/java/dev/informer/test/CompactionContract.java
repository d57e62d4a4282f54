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
 * Contract of requests for a compacted resource version.
 */
interface CompactionContract extends ContractCases {

	@Test
	default void compactedVersion_isExpired() throws IOException {
		create("a", "x", "1");
		create("b", "x", "1");
		JsonNode page = client().get(configMaps() + "?limit=1").json();
		String version = ContractCases.version(page);
		for (int i = 2; i < 6; i++) {
			change("b", Integer.toString(i));
		}
		server().compact().run();
		assertWatchIsExpired("&resourceVersion=" + version, version);
		assertListIsExpired("resourceVersionMatch=Exact&resourceVersion=" + version);
		assertListIsExpired("limit=5&resourceVersion=" + version);
		assertPageIsExpired(Json.text(page.path("metadata"), "continue"));
		JsonNode list = client().get(configMaps() + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + version)
			.json();
		assertThat(ContractCases.values(list)).containsExactly("1", "5");
		if (server().streamingLists()) {
			assertWatchIsExpired(
					"&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=" + version, version);
			try (WatchReader watch = client().watch(configMaps() + "?watch=true&sendInitialEvents=true"
					+ "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=" + version)) {
				assertThat(watch.event()).isEqualTo("ADDED a 1");
				assertThat(watch.event()).isEqualTo("ADDED b 5");
				assertThat(watch.event()).isEqualTo("BOOKMARK");
			}
		}
	}

	private void assertWatchIsExpired(String query, String version) throws IOException {
		try (WatchReader watch = client().watch(configMaps() + "?watch=true" + query)) {
			assertThat(watch.code()).isEqualTo(200);
			JsonNode event = watch.json();
			assertThat(Json.text(event, "type")).isEqualTo("ERROR");
			JsonNode status = event.path("object");
			assertThat(Json.text(status, "kind")).isEqualTo("Status");
			assertThat(Json.text(status, "reason")).isEqualTo("Expired");
			assertThat(status.path("code").asInt()).isEqualTo(410);
			assertThat(Json.text(status, "message"))
				.matches(server().watchCache() ? "too old resource version: " + version + " \\([0-9]+\\)"
						: "The resourceVersion for the provided watch is too old\\.");
			assertThat(watch.line()).isEqualTo(WatchReader.END);
		}
	}

	private void assertListIsExpired(String query) {
		TestClient.Answer answer = client().get(configMaps() + "?" + query);
		assertThat(answer.code()).isEqualTo(410);
		assertThat(answer.reason()).isEqualTo("Expired");
		assertThat(answer.message()).isEqualTo("The resourceVersion for the provided list is too old.");
	}

	private void assertPageIsExpired(String token) {
		TestClient.Answer answer = client().get(configMaps() + "?limit=1&continue=" + token);
		assertThat(answer.code()).isEqualTo(410);
		assertThat(answer.reason()).isEqualTo("Expired");
		assertThat(answer.message())
			.isEqualTo("The provided continue parameter is too old to display a consistent list "
					+ "result. You can start a new list without the continue parameter, or use the continue token in this "
					+ "response to retrieve the remainder of the results. Continuing with the provided token results in an "
					+ "inconsistent list - objects that were created, modified, or deleted between the time the first chunk "
					+ "was returned and now may show up in the list.");
		String inconsistent = Json.text(answer.json().path("metadata"), "continue");
		JsonNode rest = client().get(configMaps() + "?limit=1&continue=" + inconsistent).json();
		assertThat(ContractCases.names(rest)).containsExactly("b");
		assertThat(ContractCases.values(rest)).containsExactly("5");
	}

}
