/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static dev.informer.test.TestClient.configMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class WriteTests {

	private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final TestClient client = new TestClient(this.kubernetes);

	@Test
	void created_hasFieldsSetByTheServer() {
		TestClient.Answer answer = this.client.post(CONFIG_MAPS, configMap("a", "1"));
		assertThat(answer.code()).isEqualTo(201);
		assertThat(answer.body())
			.matches("\\{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":\\{\"name\":\"a\","
					+ "\"namespace\":\"default\",\"uid\":\"[0-9a-f-]{36}\",\"resourceVersion\":\"[0-9]+\","
					+ "\"creationTimestamp\":\"[0-9-]{10}T[0-9:]{8}Z\",\"managedFields\":\\[\\{\"manager\":\"Java-http-client\","
					+ "\"operation\":\"Update\",\"apiVersion\":\"v1\",\"time\":\"[0-9-]{10}T[0-9:]{8}Z\","
					+ "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":\\{\"f:data\":\\{\"\\.\":\\{},\"f:value\":\\{}}}}]},\"data\":\\{\"value\":\"1\"}}\n");
	}

	@Test
	void existingObject_isAConflict() {
		this.client.post(CONFIG_MAPS, configMap("a", "1"));
		TestClient.Answer answer = this.client.post(CONFIG_MAPS, configMap("a", "1"));
		assertThat(answer.code()).isEqualTo(409);
		assertThat(answer.body()).isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
				+ "\"status\":\"Failure\",\"message\":\"configmaps \\\"a\\\" already exists\",\"reason\":\"AlreadyExists\","
				+ "\"details\":{\"name\":\"a\",\"kind\":\"configmaps\"},\"code\":409}\n");
	}

	@Test
	void generatedName_hasThePrefix() {
		TestClient.Answer answer = this.client.post(CONFIG_MAPS, "{\"metadata\":{\"generateName\":\"gen-\"}}");
		assertThat(answer.json().path("metadata").path("name").asString()).matches("gen-[a-z0-9]{5}");
	}

	@Test
	void createInMissingNamespace_namesTheRemedy() {
		assertThatExceptionOfType(KubernetesStatusException.class)
			.isThrownBy(() -> this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
					Map.of("namespace", "missing", "name", "a"))))
			.withMessageStartingWith("namespaces \"missing\" not found. Create the namespace before its objects: ")
			.withMessageEndingWith("\"Namespace\", \"metadata\", Map.of(\"name\", \"missing\")))")
			.satisfies((ex) -> assertThat(ex.status().path("message").asString())
				.isEqualTo("namespaces \"missing\" not found"));
	}

	@Test
	void missingNamespace_isNotFound() {
		TestClient.Answer answer = this.client.post("/api/v1/namespaces/missing/configmaps", configMap("a", "1"));
		assertThat(answer.code()).isEqualTo(404);
		assertThat(answer.message()).isEqualTo("namespaces \"missing\" not found");
	}

	@Test
	void invalidObjects_areRejected() {
		assertThat(this.client.post(CONFIG_MAPS, configMap("Bad_Name", "1")).code()).isEqualTo(422);
		assertThat(this.client.post(CONFIG_MAPS, "{}").message())
			.isEqualTo("ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is required");
		assertThat(this.client.post(CONFIG_MAPS, "{\"a\":").code()).isEqualTo(400);
		assertThat(this.client.post(CONFIG_MAPS, "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}").message())
			.startsWith("Pod in version \"v1\" cannot be handled as a ConfigMap");
		assertThat(this.client.post(CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\",\"namespace\":\"b\"}}").message())
			.isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
		assertThat(this.client.send("POST", CONFIG_MAPS, "a: 1", "application/yaml").code()).isEqualTo(415);
	}

	@Test
	void staleReplace_isAConflict() {
		this.client.post(CONFIG_MAPS, configMap("a", "1"));
		TestClient.Answer answer = this.client.put(CONFIG_MAPS + "/a",
				"{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}");
		assertThat(answer.code()).isEqualTo(409);
		assertThat(answer.message()).isEqualTo("Operation cannot be fulfilled on configmaps \"a\": the object has been "
				+ "modified; please apply your changes to the latest version and try again");
	}

	@Test
	void replaceOfAMissingObject_isNotFound() {
		assertThat(this.client.put(CONFIG_MAPS + "/a", configMap("a", "1")).code()).isEqualTo(404);
	}

	@Test
	void writeThatChangesNothing_keepsTheVersion() {
		String version = this.client.post(CONFIG_MAPS, configMap("a", "1")).resourceVersion();
		assertThat(this.client.put(CONFIG_MAPS + "/a", configMap("a", "1")).resourceVersion()).isEqualTo(version);
		assertThat(
				this.client.mergePatch(CONFIG_MAPS + "/a", "{\"data\":{\"value\":\"1\",\"b\":null}}").resourceVersion())
			.isEqualTo(version);
		assertThat(this.kubernetes.resourceVersion()).isEqualTo(Long.parseLong(version));
	}

	@Test
	void mergePatch_changesAddsAndRemoves() {
		this.client.post(CONFIG_MAPS, configMap("a", "1"));
		TestClient.Answer answer = this.client.mergePatch(CONFIG_MAPS + "/a",
				"{\"data\":{\"value\":null,\"other\":\"2\"},\"metadata\":{\"labels\":{\"l\":\"1\"}}}");
		assertThat(answer.code()).isEqualTo(200);
		assertThat(answer.json().path("data").propertyNames()).containsExactly("other");
		assertThat(answer.json().path("metadata").path("labels").path("l").asString()).isEqualTo("1");
	}

	@Test
	void jsonPatch_changesFields() {
		this.client.post(CONFIG_MAPS, configMap("a", "1"));
		TestClient.Answer answer = jsonPatch("""
				[{"op":"test","path":"/data/value","value":"1"},{"op":"replace","path":"/data/value","value":"2"},
				 {"op":"add","path":"/metadata/labels","value":{"example.com/x":"y"}}]""");
		assertThat(answer.code()).isEqualTo(200);
		assertThat(answer.json().path("data").path("value").asString()).isEqualTo("2");
		assertThat(jsonPatch("[{\"op\":\"remove\",\"path\":\"/metadata/labels/example.com~1x\"}]").json()
			.path("metadata")
			.has("labels")).isFalse();
	}

	@Test
	void invalidJsonPatch_changesNothing() {
		JsonNode before = this.client.post(CONFIG_MAPS, configMap("a", "1")).json();
		TestClient.Answer answer = jsonPatch("""
				[{"op":"replace","path":"/data/value","value":"2"},{"op":"remove","path":"/data/missing"}]""");
		assertThat(answer.code()).isEqualTo(422);
		assertThat(answer.reason()).isEqualTo("Invalid");
		assertThat(this.client.get(CONFIG_MAPS + "/a").json()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			application/strategic-merge-patch+json | the body of the request was in an unknown format - accepted
			application/apply-patch+cbor | the body of the request was in an unknown format - accepted
			text/plain | 415: Unsupported Media Type
			""")
	void otherPatches_areUnsupported(String type, String message) {
		this.client.post(CONFIG_MAPS, configMap("a", "1"));
		TestClient.Answer answer = this.client.send("PATCH", CONFIG_MAPS + "/a", "{}", type);
		assertThat(answer.code()).isEqualTo(415);
		assertThat(answer.message()).startsWith(message);
	}

	@Test
	void status_isWrittenSeparately() {
		String deployment = """
				{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":%d},\
				"status":{"replicas":%d}}""";
		JsonNode created = this.client.post(DEPLOYMENTS, deployment.formatted(1, 5)).json();
		assertThat(created.path("status").isEmpty()).isTrue();
		JsonNode counted = this.client.put(DEPLOYMENTS + "/web/status", deployment.formatted(7, 6)).json();
		assertThat(counted.path("status").path("replicas").asInt()).isEqualTo(6);
		assertThat(counted.path("spec").path("replicas").asInt()).isEqualTo(1);
		assertThat(counted.path("metadata").path("generation").asInt()).isEqualTo(1);
		JsonNode scaled = this.client.put(DEPLOYMENTS + "/web", deployment.formatted(3, 9)).json();
		assertThat(scaled.path("status").path("replicas").asInt()).isEqualTo(6);
		assertThat(scaled.path("metadata").path("generation").asInt()).isEqualTo(2);
		JsonNode patched = this.client.mergePatch(DEPLOYMENTS + "/web/status", "{\"status\":{\"replicas\":3}}").json();
		assertThat(patched.path("status").path("replicas").asInt()).isEqualTo(3);
	}

	@Test
	void deletion_isAnsweredByResource() {
		JsonNode created = this.client.post(CONFIG_MAPS, configMap("a", "1")).json();
		assertThat(this.client.delete(CONFIG_MAPS + "/a").body())
			.isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\",\"details\":"
					+ "{\"name\":\"a\",\"kind\":\"configmaps\",\"uid\":\""
					+ created.path("metadata").path("uid").asString() + "\"}}\n");
		String serviceAccounts = "/api/v1/namespaces/default/serviceaccounts";
		this.client.post(serviceAccounts, "{\"metadata\":{\"name\":\"a\"}}");
		assertThat(this.client.delete(serviceAccounts + "/a").json().path("kind").asString())
			.isEqualTo("ServiceAccount");
		assertThat(this.client.delete(CONFIG_MAPS + "/a").code()).isEqualTo(404);
	}

	@Test
	void finalizers_delayDeletion() {
		this.client.post(CONFIG_MAPS, "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"example.com/hold\"]}}");
		JsonNode held = this.client.delete(CONFIG_MAPS + "/a").json();
		assertThat(held.path("metadata").has("deletionTimestamp")).isTrue();
		assertThat(this.client.delete(CONFIG_MAPS + "/a").json()).isEqualTo(held);
		JsonNode released = this.client.mergePatch(CONFIG_MAPS + "/a", "{\"metadata\":{\"finalizers\":null}}").json();
		assertThat(released.path("metadata").has("finalizers")).isFalse();
		assertThat(this.client.get(CONFIG_MAPS + "/a").code()).isEqualTo(404);
	}

	@Test
	void preconditions_areChecked() {
		this.client.post(CONFIG_MAPS, configMap("a", "1"));
		TestClient.Answer answer = this.client.send("DELETE", CONFIG_MAPS + "/a",
				"{\"preconditions\":{\"uid\":\"other\"}}", "application/json");
		assertThat(answer.code()).isEqualTo(409);
		assertThat(answer.message()).startsWith("Operation cannot be fulfilled on ConfigMap \"a\": the UID in the "
				+ "precondition (other) does not match the UID in record");
	}

	@Test
	void collection_isDeletedBySelector() {
		this.client.post(CONFIG_MAPS, configMap("a", "web", "1"));
		this.client.post(CONFIG_MAPS, configMap("b", "db", "1"));
		JsonNode deleted = this.client.delete(CONFIG_MAPS + "?labelSelector=app%3Dweb").json();
		assertThat(deleted.path("items").size()).isEqualTo(1);
		assertThat(this.kubernetes.list("configmaps", "default")).hasSize(1);
	}

	@Test
	void namespace_isDeletedWithItsObjects() {
		this.kubernetes.create("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"shop\"}}");
		this.kubernetes.create("""
				{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"shop",
				 "finalizers":["example.com/hold"]}}""");
		TestClient.Answer deleted = this.client.delete("/api/v1/namespaces/shop");
		assertThat(deleted.json().path("status").path("phase").asString()).isEqualTo("Terminating");
		TestClient.Answer refused = this.client.post("/api/v1/namespaces/shop/configmaps", configMap("b", "1"));
		assertThat(refused.code()).isEqualTo(403);
		assertThat(refused.message())
			.isEqualTo("configmaps \"b\" is forbidden: unable to create new content in namespace "
					+ "shop because it is being terminated");
		this.kubernetes.mergePatch("configmaps", "shop", "a", "{\"metadata\":{\"finalizers\":null}}");
		assertThat(this.kubernetes.get("configmaps", "shop", "a")).isEmpty();
		assertThat(this.kubernetes.get("namespaces", null, "shop")).isEmpty();
	}

	@Test
	void defaultNamespace_cannotBeDeleted() {
		assertThat(this.client.delete("/api/v1/namespaces/default").message())
			.isEqualTo("namespaces \"default\" is forbidden: this namespace may not be deleted");
	}

	@Test
	void wrongMethods_areNotAllowed() {
		assertThat(this.client.post("/api/v1/configmaps", configMap("a", "1")).code()).isEqualTo(405);
		assertThat(this.client.put(CONFIG_MAPS, configMap("a", "1")).message())
			.isEqualTo("the server does not allow this method on the requested resource");
	}

	@Test
	void secret_isEncoded() {
		ObjectNode secret = this.kubernetes.create("""
				{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"a":"b"}}""");
		assertThat(secret.path("data").path("a").asString()).isEqualTo("Yg==");
		assertThat(secret.path("type").asString()).isEqualTo("Opaque");
		assertThat(secret.has("stringData")).isFalse();
	}

	@Test
	void javaApi_writesObjectAndStatusTogether() {
		this.kubernetes.create("""
				{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"status":{"phase":"Running"}}""");
		assertThat(phase()).isEqualTo("Running");
		this.kubernetes.mergePatch("pods", "default", "p", "{\"status\":{\"phase\":\"Failed\"}}");
		assertThat(phase()).isEqualTo("Failed");
	}

	@Test
	void javaApi_rejectsLikeTheServer() {
		assertThatExceptionOfType(KubernetesStatusException.class)
			.isThrownBy(() -> this.kubernetes.delete("pods", "default", "missing"))
			.satisfies((ex) -> assertThat(List.of(ex.code(), ex.reason())).containsExactly(404, "NotFound"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.kubernetes.create("{\"kind\":\"Pod\"}"))
			.withMessageContaining("apiVersion");
		assertThatIllegalArgumentException().isThrownBy(() -> this.kubernetes.create("[]"))
			.withMessageContaining("Not a JSON object");
	}

	@Test
	void dryRun_changesNothing() {
		assertThat(this.client.post(CONFIG_MAPS + "?dryRun=All", configMap("a", "1")).code()).isEqualTo(201);
		assertThat(this.client.get(CONFIG_MAPS + "/a").code()).isEqualTo(404);
		this.client.post(CONFIG_MAPS, configMap("a", "1"));
		String list = this.client.get(CONFIG_MAPS).body();
		this.client.put(CONFIG_MAPS + "/a?dryRun=All", configMap("a", "2"));
		this.client.mergePatch(CONFIG_MAPS + "/a?dryRun=All", "{\"data\":{\"value\":\"2\"}}");
		this.client.delete(CONFIG_MAPS + "/a?dryRun=All");
		this.client.delete(CONFIG_MAPS + "?dryRun=All");
		this.client.delete("/api/v1/namespaces/default?dryRun=All");
		assertThat(this.client.get(CONFIG_MAPS).body()).as("neither the objects nor the version").isEqualTo(list);
	}

	private TestClient.Answer jsonPatch(String patch) {
		return this.client.send("PATCH", CONFIG_MAPS + "/a", patch, "application/json-patch+json");
	}

	private String phase() {
		return this.kubernetes.get("pods", "default", "p").orElseThrow().path("status").path("phase").asString();
	}

}
