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
 * Contract of deletions.
 */
interface DeletionContract extends ContractCases {

	@Test
	default void deletion_isAnsweredWithAStatus() {
		JsonNode created = create("a", "x", "1");
		assertThat(client().delete(configMaps() + "/a").body())
			.isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\",\"details\":"
					+ "{\"name\":\"a\",\"kind\":\"configmaps\",\"uid\":\"" + Json.text(created.path("metadata"), "uid")
					+ "\"}}\n");
		TestClient.Answer again = client().delete(configMaps() + "/a");
		assertThat(again.code()).isEqualTo(404);
		assertThat(again.message()).isEqualTo("configmaps \"a\" not found");
	}

	@Test
	default void finalizers_delayDeletion() throws IOException {
		JsonNode created = created(configMaps(),
				"{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/hold\"]}}");
		JsonNode held = client().delete(configMaps() + "/a").json();
		assertThat(held.path("metadata").has("deletionTimestamp")).isTrue();
		assertThat(held.path("metadata").path("deletionGracePeriodSeconds").asInt(-1)).isZero();
		assertThat(ContractCases.version(client().delete(configMaps() + "/a").json()))
			.isEqualTo(ContractCases.version(held));
		TestClient.Answer more = client().mergePatch(configMaps() + "/a",
				"{\"metadata\":{\"finalizers\":[\"example.com/hold\",\"example.com/more\"]}}");
		assertThat(more.code()).isEqualTo(422);
		assertThat(more.message()).isEqualTo("ConfigMap \"a\" is invalid: metadata.finalizers: Forbidden: no new "
				+ "finalizers can be added if the object is being deleted, found new finalizers "
				+ "[]string{\"example.com/more\"}");
		JsonNode released = client().mergePatch(configMaps() + "/a", "{\"metadata\":{\"finalizers\":null}}").json();
		assertThat(released.path("metadata").has("finalizers")).isFalse();
		assertThat(client().get(configMaps() + "/a").code()).isEqualTo(404);
		try (WatchReader watch = client()
			.watch(configMaps() + "?watch=true&resourceVersion=" + ContractCases.version(created))) {
			JsonNode marked = watch.json();
			assertThat(Json.text(marked, "type")).isEqualTo("MODIFIED");
			assertThat(marked.path("object").path("metadata").has("deletionTimestamp")).isTrue();
			JsonNode deleted = watch.json();
			assertThat(Json.text(deleted, "type")).isEqualTo("DELETED");
			assertThat(deleted.path("object").path("metadata").path("finalizers").toString())
				.as("the last stored state")
				.isEqualTo("[\"example.com/hold\"]");
			assertThat(Long.parseLong(ContractCases.version(deleted.path("object"))))
				.isGreaterThan(Long.parseLong(ContractCases.version(held)));
		}
	}

	@Test
	default void preconditions_areChecked() {
		String uid = Json.text(create("a", "x", "1").path("metadata"), "uid");
		TestClient.Answer answer = client().send("DELETE", configMaps() + "/a",
				"{\"preconditions\":{\"uid\":\"other\"}}", "application/json");
		assertThat(answer.code()).isEqualTo(409);
		assertThat(answer.message()).isEqualTo("Operation cannot be fulfilled on ConfigMap \"a\": the UID in the "
				+ "precondition (other) does not match the UID in record (" + uid
				+ "). The object might have been deleted and then recreated");
		assertThat(client()
			.send("DELETE", configMaps() + "/a", "{\"preconditions\":{\"uid\":\"" + uid + "\"}}", "application/json")
			.code()).isEqualTo(200);
	}

	@Test
	default void collection_isDeletedBySelector() {
		create("a", "web", "1");
		create("b", "db", "1");
		create("c", "web", "1");
		JsonNode deleted = client().delete(configMaps() + "?labelSelector=app%3Dweb").json();
		assertThat(ContractCases.names(deleted)).containsExactly("a", "c");
		assertThat(ContractCases.names(client().get(configMaps()).json())).containsExactly("b");
	}

	@Test
	default void recreated_hasAnotherUid() {
		JsonNode first = create("a", "x", "1");
		client().delete(configMaps() + "/a");
		JsonNode second = create("a", "x", "1");
		assertThat(Json.text(second.path("metadata"), "uid")).isNotEqualTo(Json.text(first.path("metadata"), "uid"));
		assertThat(Long.parseLong(ContractCases.version(second)))
			.isGreaterThan(Long.parseLong(ContractCases.version(first)));
	}

}
