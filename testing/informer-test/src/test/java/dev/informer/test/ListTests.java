/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;
import java.util.stream.StreamSupport;

import dev.informer.test.store.Json;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static dev.informer.test.TestClient.configMap;
import static org.assertj.core.api.Assertions.assertThat;

class ListTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final TestClient client = new TestClient(this.kubernetes);

	@BeforeEach
	void create() {
		for (String name : List.of("a", "b", "c", "d")) {
			this.kubernetes.create(configMap(name, (name.compareTo("c") < 0) ? "early" : "late", "1"));
		}
	}

	@Test
	void builtInItems_haveNeitherKindNorVersion() {
		String body = this.client.get(CONFIG_MAPS).body();
		assertThat(body)
			.startsWith("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""
					+ this.kubernetes.resourceVersion()
					+ "\"},\"items\":[{\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"");
		assertThat(body).endsWith("}]}\n");
	}

	@Test
	void customItems_haveKindAndVersionAndSortedKeys() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
		this.kubernetes
			.create("""
					{"apiVersion":"example.com/v1","kind":"Tenant","metadata":{"name":"t"},"spec":{"z":1,"a":2},"data":1}""");
		String body = this.client.get("/apis/example.com/v1/tenants").body();
		assertThat(body).startsWith("{\"apiVersion\":\"example.com/v1\",\"items\":[{\"apiVersion\":\"example.com/v1\","
				+ "\"data\":1,\"kind\":\"Tenant\",\"metadata\":{\"creationTimestamp\":");
		assertThat(body).contains("\"spec\":{\"a\":2,\"z\":1}")
			.endsWith("\"kind\":\"TenantList\",\"metadata\":{\"continue\":\"\",\"resourceVersion\":\""
					+ this.kubernetes.resourceVersion() + "\"}}\n");
	}

	@Test
	void pages_haveOneResourceVersion() {
		JsonNode first = this.client.get(CONFIG_MAPS + "?limit=3").json();
		assertThat(names(first)).containsExactly("a", "b", "c");
		assertThat(first.path("metadata").path("remainingItemCount").asInt()).isEqualTo(1);
		this.kubernetes.delete("configmaps", "default", "d");
		this.kubernetes.create(configMap("e", "1"));
		JsonNode second = this.client
			.get(CONFIG_MAPS + "?limit=3&continue=" + Json.text(first.path("metadata"), "continue"))
			.json();
		assertThat(names(second)).containsExactly("d");
		assertThat(second.path("metadata").path("resourceVersion"))
			.isEqualTo(first.path("metadata").path("resourceVersion"));
		assertThat(second.path("metadata").has("continue")).isFalse();
	}

	@Test
	void pageAfterCompaction_isExpiredWithATokenForTheRest() {
		JsonNode first = this.client.get(CONFIG_MAPS + "?limit=1").json();
		this.kubernetes.create(configMap("e", "1"));
		this.kubernetes.compact();
		TestClient.Answer second = this.client
			.get(CONFIG_MAPS + "?limit=1&continue=" + Json.text(first.path("metadata"), "continue"));
		assertThat(second.code()).isEqualTo(410);
		assertThat(second.reason()).isEqualTo("Expired");
		assertThat(second.message()).startsWith("The provided continue parameter is too old to display a consistent");
		String inconsistent = Json.text(second.json().path("metadata"), "continue");
		assertThat(names(this.client.get(CONFIG_MAPS + "?continue=" + inconsistent).json())).containsExactly("b", "c",
				"d", "e");
	}

	@Test
	void versionZero_ignoresTheLimit() {
		assertThat(names(this.client.get(CONFIG_MAPS + "?limit=2&resourceVersion=0").json())).hasSize(4);
	}

	@Test
	void limitWithAVersion_readsThatVersion() {
		long before = this.kubernetes.resourceVersion();
		this.kubernetes.mergePatch("configmaps", "default", "a", "{\"data\":{\"value\":\"2\"}}");
		JsonNode past = this.client.get(CONFIG_MAPS + "?limit=9&resourceVersion=" + before).json();
		assertThat(past.path("items").path(0).path("data").path("value").asString()).isEqualTo("1");
		assertThat(past.path("metadata").path("resourceVersion").asString()).isEqualTo(Long.toString(before));
		JsonNode notOlder = this.client
			.get(CONFIG_MAPS + "?limit=9&resourceVersionMatch=NotOlderThan&resourceVersion=" + before)
			.json();
		assertThat(notOlder.path("items").path(0).path("data").path("value").asString()).isEqualTo("2");
	}

	@Test
	void exactVersionAfterCompaction_isExpired() {
		long before = this.kubernetes.resourceVersion();
		this.kubernetes.create(configMap("e", "1"));
		this.kubernetes.compact();
		TestClient.Answer answer = this.client
			.get(CONFIG_MAPS + "?resourceVersionMatch=Exact&resourceVersion=" + before);
		assertThat(answer.code()).isEqualTo(410);
		assertThat(answer.message()).isEqualTo("The resourceVersion for the provided list is too old.");
	}

	@Test
	void futureVersion_isTooLarge() {
		TestClient.Answer answer = this.client.get(CONFIG_MAPS + "?resourceVersion=99999");
		assertThat(answer.code()).isEqualTo(504);
		assertThat(answer.retryAfter()).isEqualTo("1");
		assertThat(answer.body().trim()).isEqualTo(
				("""
						{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Timeout: Too large resource \
						version: 99999, current: %d","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge",\
						"message":"Too large resource version"}],"retryAfterSeconds":1},"code":504}""")
					.formatted(this.kubernetes.resourceVersion()));
	}

	@Test
	void podFields_canBeSelected() {
		this.kubernetes
			.create("""
					{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"nodeName":"n1"},"status":{"phase":"Running"}}""");
		String pods = "/api/v1/pods?fieldSelector=";
		assertThat(names(this.client.get(pods + "spec.nodeName%3Dn1,status.phase%3DRunning").json()))
			.containsExactly("p");
		assertThat(names(this.client.get(pods + "spec.nodeName%3Dn2").json())).isEmpty();
		assertThat(this.client.get(pods + "status.foo%3Dbar").message())
			.isEqualTo("field label not supported: status.foo");
	}

	@Test
	void metadataOnly_isSentOnRequest() {
		TestClient.Answer answer = this.client.send("GET", CONFIG_MAPS + "?limit=1", null, "", "Accept",
				"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
		assertThat(answer.body())
			.startsWith("{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\"");
		assertThat(answer.json().path("items").path(0).propertyNames()).containsExactly("kind", "apiVersion",
				"metadata");
	}

	@Test
	void listOfANamespace_hasNoObjectsOfOthers() {
		this.kubernetes.create("""
				{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"kube-system"}}""");
		assertThat(names(this.client.get(CONFIG_MAPS).json())).doesNotContain("x");
		assertThat(names(this.client.get("/api/v1/configmaps").json())).containsExactly("a", "b", "c", "d", "x");
		assertThat(names(this.client.get("/api/v1/namespaces/missing/configmaps").json())).isEmpty();
	}

	private static List<String> names(JsonNode list) {
		return StreamSupport.stream(list.path("items").spliterator(), false)
			.map((item) -> Json.text(item.path("metadata"), "name"))
			.toList();
	}

}
