/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;

import dev.informer.test.store.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of creating and replacing objects.
 */
interface WriteContract extends ContractCases {

	String DEPLOYMENT = """
			{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":1,\
			"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},\
			"spec":{"containers":[{"name":"c","image":"example.com/c"}]}}},"status":{"replicas":5}}""";

	@Test
	default void created_hasFieldsSetByTheServer() {
		TestClient.Answer answer = client().post(configMaps(), TestClient.configMap("a", "1"));
		assertThat(answer.code()).isEqualTo(201);
		assertThat(answer.body()).matches("(?s)\\{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":\\{"
				+ "\"name\":\"a\",\"namespace\":\"" + namespace()
				+ "\",\"uid\":\"[0-9a-f-]{36}\",\"resourceVersion\":\"[0-9]+\","
				+ "\"creationTimestamp\":\"[0-9-]{10}T[0-9:]{8}Z\".*},\"data\":\\{\"value\":\"1\"}}\n");
		assertThat(client().get(configMaps() + "/a").json()).isEqualTo(answer.json());
	}

	@Test
	default void createdTwice_isAConflict() {
		create("a", "x", "1");
		TestClient.Answer answer = client().post(configMaps(), TestClient.configMap("a", "2"));
		assertThat(answer.code()).isEqualTo(409);
		assertThat(answer.body()).isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
				+ "\"status\":\"Failure\",\"message\":\"configmaps \\\"a\\\" already exists\",\"reason\":\"AlreadyExists\","
				+ "\"details\":{\"name\":\"a\",\"kind\":\"configmaps\"},\"code\":409}\n");
	}

	@Test
	default void generatedName_hasThePrefix() {
		JsonNode created = created(configMaps(), "{\"metadata\":{\"generateName\":\"gen-\"}}");
		assertThat(Json.text(created.path("metadata"), "name")).matches("gen-[a-z0-9]{5}");
		assertThat(Json.text(created.path("metadata"), "generateName")).isEqualTo("gen-");
	}

	@Test
	default void createdInDryRun_isAnsweredAndNotStored() {
		TestClient.Answer answer = client().post(configMaps() + "?dryRun=All", TestClient.configMap("a", "1"));
		assertThat(answer.code()).isEqualTo(201);
		assertThat(answer.json().path("metadata").has("uid")).isTrue();
		assertThat(answer.json().path("metadata").has("resourceVersion")).isFalse();
		assertThat(client().get(configMaps() + "/a").code()).isEqualTo(404);
		create("a", "x", "1");
		assertThat(client().post(configMaps() + "?dryRun=All", TestClient.configMap("a", "1")).code()).isEqualTo(409);
	}

	@Test
	default void changedInDryRun_isAnsweredAndNotStored() {
		JsonNode stored = create("a", "x", "1");
		String object = configMaps() + "/a";
		String version = ContractCases.version(stored);
		for (TestClient.Answer answer : List.of(client().put(object + "?dryRun=All", TestClient.configMap("a", "2")),
				client().mergePatch(object + "?dryRun=All", "{\"data\":{\"value\":\"2\"}}"),
				client().send("PATCH", object + "?dryRun=All",
						"[{\"op\":\"replace\",\"path\":\"/data/value\",\"value\":\"2\"}]",
						"application/json-patch+json"))) {
			assertThat(answer.code()).isEqualTo(200);
			assertThat(Json.text(answer.json().path("data"), "value")).isEqualTo("2");
			assertThat(answer.resourceVersion()).isEqualTo(version);
		}
		assertThat(client().get(object).json()).isEqualTo(stored);
		assertThat(client().put(configMaps() + "/b?dryRun=All", TestClient.configMap("b", "2")).code()).isIn(201, 404);
		assertThat(client().get(configMaps() + "/b").code()).isEqualTo(404);
	}

	@Test
	default void deletedInDryRun_isAnsweredAndNotDeleted() {
		JsonNode stored = create("a", "x", "1");
		String object = configMaps() + "/a";
		assertThat(client().delete(object + "?dryRun=All").code()).isEqualTo(200);
		String options = "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"dryRun\":[\"All\"]}";
		assertThat(client().send("DELETE", object, options, "application/json").code()).isEqualTo(200);
		TestClient.Answer all = client().delete(configMaps() + "?dryRun=All");
		assertThat(all.code()).isEqualTo(200);
		assertThat(all.json().path("items").toString()).contains("\"name\":\"a\"");
		assertThat(client().send("DELETE", configMaps(), options, "application/json").code()).isEqualTo(200);
		assertThat(client().get(object).json()).isEqualTo(stored);
	}

	@Test
	default void deletedInDryRunWithFinalizer_isAnsweredAndNotMarked() {
		JsonNode stored = created(configMaps(),
				"{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/hold\"]}}");
		String object = configMaps() + "/a";
		JsonNode answer = client().delete(object + "?dryRun=All").json();
		assertThat(answer.path("metadata").has("deletionTimestamp")).isTrue();
		assertThat(client().get(object).json()).isEqualTo(stored);
		client().delete(object);
		JsonNode marked = client().get(object).json();
		assertThat(client().mergePatch(object + "?dryRun=All", "{\"metadata\":{\"finalizers\":null}}").code())
			.isEqualTo(200);
		assertThat(client().get(object).json()).isEqualTo(marked);
		client().mergePatch(object, "{\"metadata\":{\"finalizers\":null}}");
	}

	@Test
	default void namespaceDeletedInDryRun_keepsItsObjects() {
		create("a", "x", "1");
		assertThat(client().delete("/api/v1/namespaces/" + namespace() + "?dryRun=All").code()).isEqualTo(200);
		JsonNode namespace = client().get("/api/v1/namespaces/" + namespace()).json();
		assertThat(Json.text(namespace.path("status"), "phase")).isEqualTo("Active");
		assertThat(client().get(configMaps() + "/a").code()).isEqualTo(200);
	}

	@Test
	default void unknownDryRun_isInvalid() {
		create("a", "x", "1");
		String object = configMaps() + "/a?dryRun=Some";
		assertThat(client().post(configMaps() + "?dryRun=Some", TestClient.configMap("b", "1")).code()).isEqualTo(422);
		assertThat(client().put(object, TestClient.configMap("a", "2")).code()).isEqualTo(422);
		assertThat(client().mergePatch(object, "{}").code()).isEqualTo(422);
		assertThat(client().delete(object).code()).isEqualTo(422);
	}

	@Test
	default void staleReplacement_isAConflict() {
		ObjectNode object = (ObjectNode) create("a", "x", "1");
		String version = change("a", "2");
		TestClient.Answer stale = client().put(configMaps() + "/a", object.toString());
		assertThat(stale.code()).isEqualTo(409);
		assertThat(stale.reason()).isEqualTo("Conflict");
		assertThat(stale.message()).isEqualTo("Operation cannot be fulfilled on configmaps \"a\": the object has been "
				+ "modified; please apply your changes to the latest version and try again");
		Json.childObject(object, "metadata").put("resourceVersion", version);
		assertThat(client().put(configMaps() + "/a", object.toString()).code()).isEqualTo(200);
		assertThat(Json.text(client().get(configMaps() + "/a").json().path("data"), "value")).isEqualTo("1");
	}

	@Test
	default void replacementWithoutVersion_isUnconditional() {
		JsonNode created = create("a", "x", "1");
		JsonNode replaced = client().put(configMaps() + "/a", TestClient.configMap("a", "2")).json();
		assertThat(Json.text(replaced.path("data"), "value")).isEqualTo("2");
		assertThat(replaced.path("metadata").has("labels")).isFalse();
		assertThat(Json.text(replaced.path("metadata"), "uid")).isEqualTo(Json.text(created.path("metadata"), "uid"));
		assertThat(Long.parseLong(ContractCases.version(replaced)))
			.isGreaterThan(Long.parseLong(ContractCases.version(created)));
	}

	@Test
	default void replacementThatChangesNothing_keepsTheVersion() {
		JsonNode created = create("a", "x", "1");
		TestClient.Answer replaced = client().put(configMaps() + "/a", created.toString());
		assertThat(replaced.code()).isEqualTo(200);
		assertThat(replaced.resourceVersion()).isEqualTo(ContractCases.version(created));
	}

	@Test
	default void status_isWrittenSeparately() {
		String deployments = "/apis/apps/v1/namespaces/" + namespace() + "/deployments";
		JsonNode created = created(deployments, DEPLOYMENT);
		assertThat(created.path("status").isEmpty()).isTrue();
		assertThat(generation(created)).isEqualTo(1);
		JsonNode counted = client()
			.mergePatch(deployments + "/web/status", "{\"spec\":{\"replicas\":9},\"status\":{\"replicas\":3}}")
			.json();
		assertThat(counted.path("status").path("replicas").asInt()).isEqualTo(3);
		assertThat(counted.path("spec").path("replicas").asInt()).isEqualTo(1);
		assertThat(generation(counted)).isEqualTo(1);
		JsonNode scaled = client()
			.mergePatch(deployments + "/web", "{\"spec\":{\"replicas\":4},\"status\":{\"replicas\":8}}")
			.json();
		assertThat(scaled.path("spec").path("replicas").asInt()).isEqualTo(4);
		assertThat(scaled.path("status").path("replicas").asInt()).isEqualTo(3);
		assertThat(generation(scaled)).isEqualTo(2);
		JsonNode labelled = client()
			.mergePatch(deployments + "/web", "{\"metadata\":{\"labels\":{\"example.com/x\":\"y\"}}}")
			.json();
		assertThat(generation(labelled)).as("generation counts changes of the spec").isEqualTo(2);
		assertThat(client().get(deployments + "/web/status").json()).isEqualTo(labelled);
	}

	private static long generation(JsonNode object) {
		return object.path("metadata").path("generation").asLong();
	}

}
