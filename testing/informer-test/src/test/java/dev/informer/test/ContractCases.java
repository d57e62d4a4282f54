/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;
import java.util.stream.StreamSupport;

import dev.informer.test.store.Json;
import tools.jackson.databind.JsonNode;

/**
 * Base of the contract's cases: a server, and a namespace per test.
 */
interface ContractCases {

	ContractServer server();

	/**
	 * Return the namespace of the test.
	 */
	String namespace();

	default TestClient client() {
		return server().client();
	}

	default String path(String resource) {
		return "/api/v1/namespaces/" + namespace() + "/" + resource;
	}

	default String configMaps() {
		return path("configmaps");
	}

	/**
	 * Create a ConfigMap.
	 * @return the ConfigMap
	 */
	default JsonNode create(String name, String label, String value) {
		return created(configMaps(), TestClient.configMap(name, label, value));
	}

	default JsonNode created(String path, String body) {
		TestClient.Answer answer = client().post(path, body);
		if (answer.code() != 201) {
			throw new AssertionError("Not created: " + answer.body());
		}
		return answer.json();
	}

	/**
	 * Update a ConfigMap.
	 * @return its resource version
	 */
	default String change(String name, String value) {
		TestClient.Answer answer = client().mergePatch(configMaps() + "/" + name,
				"{\"data\":{\"value\":\"" + value + "\"}}");
		if (answer.code() != 200) {
			throw new AssertionError("Not changed: " + answer.body());
		}
		return answer.resourceVersion();
	}

	/**
	 * Return the resource version of the list of ConfigMaps.
	 */
	default String currentVersion() {
		return client().get(configMaps()).resourceVersion();
	}

	static String version(JsonNode object) {
		return Json.text(object.path("metadata"), "resourceVersion");
	}

	static List<String> names(JsonNode list) {
		return StreamSupport.stream(list.path("items").spliterator(), false)
			.map((item) -> Json.text(item.path("metadata"), "name"))
			.toList();
	}

	static List<String> values(JsonNode list) {
		return StreamSupport.stream(list.path("items").spliterator(), false)
			.map((item) -> Json.text(item.path("data"), "value"))
			.toList();
	}

}
