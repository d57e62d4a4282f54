/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import dev.informer.test.store.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of paged lists.
 */
interface PagingContract extends ContractCases {

	@Test
	default void pages_haveOneResourceVersion() {
		for (String name : List.of("a", "b", "c", "d")) {
			create(name, "x", "1");
		}
		JsonNode first = client().get(configMaps() + "?limit=3").json();
		assertThat(ContractCases.names(first)).containsExactly("a", "b", "c");
		assertThat(first.path("metadata").path("remainingItemCount").asInt()).isEqualTo(1);
		change("d", "2");
		create("e", "x", "1");
		JsonNode second = client().get(configMaps() + "?limit=3&continue=" + continueToken(first)).json();
		assertThat(ContractCases.names(second)).containsExactly("d");
		assertThat(ContractCases.values(second)).containsExactly("1");
		assertThat(ContractCases.version(second)).isEqualTo(ContractCases.version(first));
		assertThat(second.path("metadata").has("continue")).isFalse();
		assertThat(second.path("metadata").has("remainingItemCount")).isFalse();
	}

	@Test
	default void pagesOfASelection_doNotCountTheRest() {
		for (String name : List.of("a", "b", "c", "d")) {
			create(name, name.equals("b") ? "other" : "x", "1");
		}
		JsonNode first = client().get(configMaps() + "?limit=2&labelSelector=app%3Dx").json();
		assertThat(ContractCases.names(first)).containsExactly("a", "c");
		assertThat(first.path("metadata").has("remainingItemCount")).isFalse();
		JsonNode second = client().get(configMaps() + "?limit=2&labelSelector=app%3Dx&continue=" + continueToken(first))
			.json();
		assertThat(ContractCases.names(second)).containsExactly("d");
	}

	@Test
	default void limitWithVersionZero_isIgnoredByTheWatchCache() {
		for (String name : List.of("a", "b", "c")) {
			create(name, "x", "1");
		}
		String query = "?resourceVersion=0&limit=2";
		JsonNode list = client().get(configMaps() + query).json();
		if (server().watchCache()) {
			assertThat(continueToken(list)).isEmpty();
		}
		else {
			assertThat(ContractCases.names(list)).containsExactly("a", "b");
			assertThat(continueToken(list)).isNotEmpty();
		}
	}

	@Test
	default void continuation_allowsOnlyVersionZero() {
		create("a", "x", "1");
		create("b", "x", "1");
		JsonNode first = client().get(configMaps() + "?limit=1").json();
		String next = configMaps() + "?limit=1&continue=" + continueToken(first);
		TestClient.Answer refused = client().get(next + "&resourceVersion=" + ContractCases.version(first));
		assertThat(refused.code()).isEqualTo(400);
		assertThat(refused.message()).isEqualTo("specifying resource version is not allowed when using continue");
		assertThat(ContractCases.names(client().get(next + "&resourceVersion=0").json())).containsExactly("b");
		TestClient.Answer invalid = client().get(next + "&resourceVersionMatch=NotOlderThan");
		assertThat(invalid.code()).isEqualTo(422);
		assertThat(invalid.message()).isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: [resourceVersionMatch: "
				+ "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, "
				+ "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]");
		assertThat(invalid.json().path("details").path("causes").size()).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			!!                             | illegal base64 data at input byte 0
			garbage                        | invalid character 'g' looking for beginning of value
			{"v":"x","rv":3,"start":"a"}   | server does not recognize this encoded version x
			""")
	default void malformedToken_isRejected(String token, String reason) {
		String encoded = token.startsWith("!") ? "%21%21"
				: Base64.getUrlEncoder().withoutPadding().encodeToString(token.getBytes(StandardCharsets.UTF_8));
		TestClient.Answer answer = client().get(configMaps() + "?limit=1&continue=" + encoded);
		assertThat(answer.code()).isEqualTo(400);
		assertThat(answer.message()).isEqualTo("invalid continue token: continue key is not valid: " + reason);
	}

	private static String continueToken(JsonNode list) {
		return Json.text(list.path("metadata"), "continue");
	}

}
