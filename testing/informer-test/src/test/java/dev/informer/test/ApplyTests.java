/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static dev.informer.test.TestClient.configMap;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what only the embedded server does with field managers.
 */
class ApplyTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final TestClient client = new TestClient(this.kubernetes);

	private TestClient.Answer apply(String manager, String value) {
		return this.client.apply(CONFIG_MAPS + "/a", "fieldManager=" + manager, configMap("a", value));
	}

	private static boolean hasOwners(JsonNode object) {
		return object.path("metadata").has("managedFields");
	}

	@Test
	void objectOfTheJavaApi_hasNoOwnersBeforeTheFirstApply() {
		ObjectNode created = this.kubernetes.create(configMap("a", "1"));
		assertThat(hasOwners(created)).isFalse();
		JsonNode patched = this.client.mergePatch(CONFIG_MAPS + "/a", "{\"data\":{\"more\":\"1\"}}").json();
		assertThat(hasOwners(patched)).isFalse();
		assertThat(apply("ann", "2").message())
			.isEqualTo("Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: .data.value");
		assertThat(hasOwners(apply("ann", "1").json())).isTrue();
	}

	@Test
	void writeOfTheJavaApi_takesAppliedFields() {
		apply("ann", "1");
		this.kubernetes.mergePatch("configmaps", "default", "a", Map.of("data", Map.of("value", "2")));
		assertThat(apply("ann", "1").message())
			.isEqualTo("Apply failed with 1 conflict: conflict with \"embedded-kubernetes\" using v1: .data.value");
	}

	@Test
	void applyInYaml_namesTheRemedy() {
		TestClient.Answer answer = this.client.apply(CONFIG_MAPS + "/a", "fieldManager=ann", "kind: ConfigMap");
		assertThat(answer.code()).isEqualTo(400);
		assertThat(answer.message()).startsWith("error decoding YAML: ").contains("Send the patch as JSON");
	}

	@Test
	void definitionWithoutASchema_hasTypesOfItsValues() {
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
		String path = "/apis/example.com/v1/namespaces/default/tenants/t";
		String body = """
				{"apiVersion":"example.com/v1","kind":"Tenant","metadata":{"name":"t"},"spec":%s}""";
		this.client.apply(path, "fieldManager=ann", body.formatted("{\"a\":1,\"list\":[1]}"));
		JsonNode both = this.client.apply(path, "fieldManager=bob", body.formatted("{\"b\":1}")).json();
		assertThat(both.path("spec").propertyNames()).containsExactlyInAnyOrder("a", "b", "list");
		assertThat(this.client.apply(path, "fieldManager=bob", body.formatted("{\"list\":[2]}")).message())
			.endsWith("conflict with \"ann\": .spec.list");
		assertThat(this.client.apply(path + "/status", "fieldManager=bob", body.formatted("{}")).code())
			.as("a status that the definition does not have")
			.isEqualTo(404);
	}

	@Test
	void deployment_hasDefaults() {
		JsonNode deployment = this.client.post("/apis/apps/v1/namespaces/default/deployments", WriteContract.DEPLOYMENT)
			.json();
		JsonNode container = deployment.path("spec").path("template").path("spec").path("containers").path(0);
		assertThat(container.toString())
			.isEqualTo("{\"name\":\"c\",\"image\":\"example.com/c\",\"resources\":{},\"imagePullPolicy\":\"Always\","
					+ "\"terminationMessagePath\":\"/dev/termination-log\",\"terminationMessagePolicy\":\"File\"}");
		assertThat(deployment.path("spec").path("strategy").toString()).isEqualTo(
				"{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxUnavailable\":\"25%\",\"maxSurge\":\"25%\"}}");
	}

}
