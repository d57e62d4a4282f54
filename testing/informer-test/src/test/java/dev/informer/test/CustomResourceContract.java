/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.util.List;

import dev.informer.test.TestClient.WatchReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of custom resources and their definitions.
 */
interface CustomResourceContract extends ContractCases {

	String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	/**
	 * Define a resource in the group of the test and wait until it is served.
	 * @return the path of its objects
	 */
	private String define() {
		return define("\"subresources\":{\"status\":{}},");
	}

	private String define(String subresources) {
		created(DEFINITIONS, """
				{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
				 "metadata":{"name":"tenants.%1$s"},
				 "spec":{"group":"%1$s","scope":"Namespaced","names":{"plural":"tenants","kind":"Tenant"},
				  "versions":[{"name":"v1","served":true,"storage":true,%2$s
				   "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}"""
			.formatted(group(), subresources));
		String path = "/apis/" + group() + "/v1/namespaces/" + namespace() + "/tenants";
		awaitExternal().until(() -> client().get(path).code() == 200);
		awaitExternal().untilAsserted(() -> {
			JsonNode conditions = client().get(DEFINITIONS + "/tenants." + group()).json().path("status");
			assertThat(conditions.path("conditions").toString())
				.contains("\"type\":\"Established\",\"status\":\"True\"");
		});
		return path;
	}

	private String group() {
		return namespace() + ".example.com";
	}

	private JsonNode createTenant(String path) {
		return created(path,
				"""
						{"apiVersion":"%s/v1","kind":"Tenant","metadata":{"name":"t"},"spec":{"z":1,"a":2},"data":1,"status":{"x":1}}"""
					.formatted(group()));
	}

	@Test
	default void requestWithoutNamespace_isNotFound() {
		String path = define();
		String all = "/apis/" + group() + "/v1/tenants";
		String tenant = "{\"apiVersion\":\"%s/v1\",\"kind\":\"Tenant\",\"metadata\":{\"name\":\"t\"}}"
			.formatted(group());
		created(path, tenant);
		for (TestClient.Answer answer : List.of(client().post(all, tenant), client().send("DELETE", all, null, ""),
				client().put(all + "/t", tenant), client().get(all + "/t"))) {
			assertThat(answer.code()).isEqualTo(404);
		}
		assertThat(client().get(all).code()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1e999", "-1e999", "1e400", "[{\"b\":1e309}]" })
	default void numberOfMoreThan64Bits_isRejected(String number) {
		String path = define();
		String tenant = "{\"apiVersion\":\"%s/v1\",\"kind\":\"Tenant\",\"metadata\":{\"name\":\"t\"},\"spec\":{\"a\":%s}}"
			.formatted(group(), number);
		assertThat(client().post(path, tenant).code()).isEqualTo(400);
		created(path, tenant.replace(number, "1e308"));
		assertThat(client().send("PATCH", path + "/t", tenant, "application/merge-patch+json").code()).isEqualTo(400);
	}

	@Test
	default void customItems_haveKindAndVersionAndSortedKeys() {
		String path = define();
		assertThat(client().get(path).body())
			.startsWith("{\"apiVersion\":\"" + group() + "/v1\",\"items\":[],\"kind\":\"TenantList\",\"metadata\":{"
					+ "\"continue\":\"\",\"resourceVersion\":\"");
		JsonNode created = createTenant(path);
		assertThat(created.propertyNames()).containsExactly("apiVersion", "data", "kind", "metadata", "spec");
		TestClient.Answer list = client().get(path);
		assertThat(list.json().path("items").path(0)).isEqualTo(created);
		assertThat(list.body())
			.startsWith("{\"apiVersion\":\"" + group() + "/v1\",\"items\":[{\"apiVersion\":\"" + group()
					+ "/v1\",\"data\":1,\"kind\":\"Tenant\",\"metadata\":{\"creationTimestamp\":\"")
			.contains("\"spec\":{\"a\":2,\"z\":1}")
			.endsWith("\"kind\":\"TenantList\",\"metadata\":{\"continue\":\"\",\"resourceVersion\":\""
					+ list.resourceVersion() + "\"}}\n");
		TestClient.Answer metadata = client().send("GET", path, null, "", "Accept", RepresentationContract.LIST);
		assertThat(metadata.json().path("items").path(0).propertyNames()).containsExactly("kind", "apiVersion",
				"metadata");
		assertThat(metadata.json().path("metadata").propertyNames()).containsExactly("resourceVersion");
	}

	@Test
	default void statusThatIsNotDefined_isNotFound() {
		String path = define("");
		createTenant(path);
		TestClient.Answer status = client().mergePatch(path + "/t/status", "{\"status\":{\"x\":2}}");
		assertThat(status.code()).isEqualTo(404);
		assertThat(status.message()).isEqualTo("tenants." + group() + " \"t\" not found");
	}

	@Test
	default void customObjects_areWrittenByCustomResourceRules() {
		String path = define();
		createTenant(path);
		String object = "{\"apiVersion\":\"" + group()
				+ "/v1\",\"kind\":\"Tenant\",\"metadata\":{\"name\":\"t\"},\"spec\":{\"z\":2}}";
		TestClient.Answer replaced = client().put(path + "/t", object);
		assertThat(replaced.code()).isEqualTo(422);
		assertThat(replaced.message()).isEqualTo("tenants." + group() + " \"t\" is invalid: metadata.resourceVersion: "
				+ "Invalid value: 0: must be specified for an update");
		JsonNode patched = client().mergePatch(path + "/t", "{\"spec\":{\"z\":3},\"status\":{\"x\":2}}").json();
		assertThat(patched.path("metadata").path("generation").asInt()).isEqualTo(2);
		assertThat(patched.has("status")).isFalse();
		JsonNode status = client().mergePatch(path + "/t/status", "{\"spec\":{\"z\":9},\"status\":{\"ok\":true}}")
			.json();
		assertThat(status.path("metadata").path("generation").asInt()).isEqualTo(2);
		assertThat(status.path("spec").path("z").asInt()).isEqualTo(3);
		assertThat(status.path("status").path("ok").asBoolean()).isTrue();
		TestClient.Answer strategic = client().send("PATCH", path + "/t", "{}",
				"application/strategic-merge-patch+json");
		assertThat(strategic.code()).isEqualTo(415);
		assertThat(strategic.reason()).isEqualTo("UnsupportedMediaType");
		assertThat(strategic.message()).startsWith("the body of the request was in an unknown format - accepted media "
				+ "types include: application/json-patch+json, application/merge-patch+json");
		TestClient.Answer field = client().get(path + "?fieldSelector=spec.z%3D1");
		assertThat(field.code()).isEqualTo(400);
		assertThat(field.message()).isEqualTo("field label not supported: spec.z");
	}

	@Test
	default void deletedDefinition_deletesObjectsAndEndsWatches() throws IOException {
		String path = define();
		createTenant(path);
		try (WatchReader watch = client().watch(path + "?watch=true")) {
			assertThat(watch.line()).startsWith("{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"" + group()
					+ "/v1\",\"data\":1,\"kind\":\"Tenant\",\"metadata\":{\"creationTimestamp\":");
			assertThat(client().delete(DEFINITIONS + "/tenants." + group()).code()).isEqualTo(200);
			assertThat(watch.event()).isEqualTo("DELETED t");
			assertThat(watch.event()).isEqualTo(WatchReader.END);
		}
		awaitExternal().untilAsserted(() -> assertThat(client().get(path).body()).isEqualTo("404 page not found\n"));
	}

	@Test
	default void customStreamingList_hasASortedBookmark() throws IOException {
		String path = define();
		try (WatchReader watch = client().watch(path
				+ "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
			if (server().streamingLists()) {
				assertThat(watch.line()).matches("\\{\"type\":\"BOOKMARK\",\"object\":\\{\"apiVersion\":\"" + group()
						+ "/v1\",\"kind\":\"Tenant\",\"metadata\":\\{\"annotations\":\\{"
						+ "\"k8s.io/initial-events-end\":\"true\"},\"resourceVersion\":\"[0-9]+\"}}}");
			}
			else {
				assertThat(watch.code()).isEqualTo(422);
			}
		}
	}

}
