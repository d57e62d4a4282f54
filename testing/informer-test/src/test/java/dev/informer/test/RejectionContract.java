/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of rejected requests and their messages.
 */
interface RejectionContract extends ContractCases {

	@ParameterizedTest
	@ValueSource(
			strings = { "/api/v1/configmaps", "/api/v1/pods?watch=true", "/apis/apps/v1/deployments", "/api/v1/x" })
	default void unknownToken_isUnauthorized(String path) {
		TestClient.Answer answer = server().stranger().get(path);
		assertThat(answer.code()).isEqualTo(401);
		assertThat(answer.body()).isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
				+ "\"status\":\"Failure\",\"message\":\"Unauthorized\",\"reason\":\"Unauthorized\",\"code\":401}\n");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					GET | /api/v1/namespaces/shop/configmaps | configmaps is forbidden: User "tester" cannot list resource "configmaps" in API group "" in the namespace "shop"
					GET | /api/v1/namespaces/shop/configmaps/a | configmaps "a" is forbidden: User "tester" cannot get resource "configmaps" in API group "" in the namespace "shop"
					GET | /api/v1/namespaces/shop/configmaps?watch=true | configmaps is forbidden: User "tester" cannot watch resource "configmaps" in API group "" in the namespace "shop"
					GET | /api/v1/configmaps | configmaps is forbidden: User "tester" cannot list resource "configmaps" in API group "" at the cluster scope
					DELETE | /api/v1/namespaces/shop/configmaps/a | configmaps "a" is forbidden: User "tester" cannot delete resource "configmaps" in API group "" in the namespace "shop"
					DELETE | /api/v1/namespaces/shop/configmaps | configmaps is forbidden: User "tester" cannot deletecollection resource "configmaps" in API group "" in the namespace "shop"
					POST | /api/v1/namespaces/shop/configmaps | configmaps is forbidden: User "tester" cannot create resource "configmaps" in API group "" in the namespace "shop"
					PUT | /api/v1/namespaces/shop/configmaps/a | configmaps "a" is forbidden: User "tester" cannot update resource "configmaps" in API group "" in the namespace "shop"
					PATCH | /apis/apps/v1/namespaces/shop/deployments/a/status | deployments.apps "a" is forbidden: User "tester" cannot patch resource "deployments/status" in API group "apps" in the namespace "shop"
					GET | /apis/apps/v1/deployments?watch=true | deployments.apps is forbidden: User "tester" cannot watch resource "deployments" in API group "apps" at the cluster scope
					GET | /api/v1/nodes | nodes is forbidden: User "tester" cannot list resource "nodes" in API group "" at the cluster scope
					GET | /api/v1/namespaces/shop | namespaces "shop" is forbidden: User "tester" cannot get resource "namespaces" in API group "" in the namespace "shop"
					GET | /api/v1/namespaces/shop/nopes | nopes is forbidden: User "tester" cannot list resource "nopes" in API group "" in the namespace "shop"
					GET | /apis/nope.example/v1/foos | foos.nope.example is forbidden: User "tester" cannot list resource "foos" in API group "nope.example" at the cluster scope
					""")
	default void missingPermission_isForbidden(String method, String path, String message) {
		String body = method.startsWith("P") ? "{}" : null;
		TestClient.Answer answer = server().tester().send(method, path, body, "application/json");
		assertThat(answer.code()).isEqualTo(403);
		assertThat(answer.reason()).isEqualTo("Forbidden");
		assertThat(answer.message()).isEqualTo(message);
		assertThat(answer.json().path("details").has("kind")).isTrue();
	}

	@Test
	default void missingObject_isNotFound() {
		TestClient.Answer answer = client().get(configMaps() + "/nope");
		assertThat(answer.code()).isEqualTo(404);
		assertThat(answer.body()).isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
				+ "\"status\":\"Failure\",\"message\":\"configmaps \\\"nope\\\" not found\",\"reason\":\"NotFound\","
				+ "\"details\":{\"name\":\"nope\",\"kind\":\"configmaps\"},\"code\":404}\n");
		assertThat(client().get("/apis/apps/v1/namespaces/" + namespace() + "/deployments/nope").message())
			.isEqualTo("deployments.apps \"nope\" not found");
	}

	@Test
	default void missingResource_isNotFound() {
		TestClient.Answer resource = client().get(path("nopes"));
		assertThat(resource.code()).isEqualTo(404);
		assertThat(resource.reason()).isEqualTo("NotFound");
		assertThat(resource.message()).isEqualTo("the server could not find the requested resource");
		TestClient.Answer group = client().get("/apis/nope.example/v1/foos");
		assertThat(group.code()).isEqualTo(404);
		assertThat(group.body()).isEqualTo("404 page not found\n");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{ | 400 | the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({)
					{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}} | 400 | Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion
					{"metadata":{}} | 422 | ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required
					{"metadata":{"name":"x","namespace":"other"}} | 400 | the namespace of the provided object does not match the namespace sent on the request
					{"metadata":{"name":"x","resourceVersion":"5"}} | 500 | resourceVersion should not be set on objects to be created
					""")
	default void malformedObject_isRejected(String body, int code, String message) {
		TestClient.Answer answer = client().post(configMaps(), body);
		assertThat(answer.code()).isEqualTo(code);
		assertThat(answer.message()).isEqualTo(message);
	}

	@Test
	default void objectInAnotherNamespace_isRejected() {
		TestClient.Answer answer = client().post("/api/v1/namespaces/missing/configmaps",
				TestClient.configMap("a", "1"));
		assertThat(answer.code()).isEqualTo(404);
		assertThat(answer.message()).isEqualTo("namespaces \"missing\" not found");
	}

	@Test
	default void replacementWithAnotherName_isRejected() {
		create("a", "x", "1");
		assertThat(client().put(configMaps() + "/a", TestClient.configMap("b", "1")).message())
			.isEqualTo("the name of the object (b) does not match the name on the URL (a)");
		assertThat(client().put(configMaps() + "/b", TestClient.configMap("b", "1")).message())
			.isEqualTo("configmaps \"b\" not found");
	}

	@Test
	default void wrongMethods_areNotAllowed() {
		assertThat(client().post("/api/v1/configmaps", TestClient.configMap("a", "1")).code()).isEqualTo(405);
		TestClient.Answer answer = client().put(configMaps(), TestClient.configMap("a", "1"));
		assertThat(answer.code()).isEqualTo(405);
		assertThat(answer.reason()).isEqualTo("MethodNotAllowed");
		assertThat(answer.message()).isEqualTo("the server does not allow this method on the requested resource");
	}

}
