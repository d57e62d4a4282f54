/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;

class GarbageCollectorTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final TestClient client = new TestClient(this.kubernetes);

	private ObjectNode create(String name, JsonNode... owners) {
		return this.kubernetes.create(configMap("default", name,
				Stream.of(owners)
					.map((owner) -> """
							{"apiVersion":"v1","kind":"ConfigMap","name":"%s","uid":"%s","blockOwnerDeletion":true}"""
						.formatted(Json.text(owner.path("metadata"), "name"), Json.text(owner.path("metadata"), "uid")))
					.collect(Collectors.joining(","))));
	}

	private static String configMap(String namespace, String name, String references) {
		return """
				{"apiVersion":"v1","kind":"ConfigMap",
				 "metadata":{"name":"%s","namespace":"%s","ownerReferences":[%s]}}""".formatted(name, namespace,
				references);
	}

	private TestClient.Answer delete(String name, String policy) {
		return this.client.send("DELETE", CONFIG_MAPS + "/" + name, "{\"propagationPolicy\":\"" + policy + "\"}",
				"application/json");
	}

	private List<String> names() {
		return this.kubernetes.list("configmaps", "default")
			.stream()
			.map((object) -> Json.text(object.path("metadata"), "name"))
			.toList();
	}

	@Test
	void ownerDeleted_deletesItsDependents() {
		ObjectNode owner = create("owner");
		ObjectNode child = create("child", owner);
		create("grandchild", child);
		create("other");
		this.client.delete(CONFIG_MAPS + "/owner");
		assertThat(names()).containsExactly("other");
	}

	@Test
	void oneOfTwoOwnersDeleted_removesItsReference() {
		ObjectNode one = create("one");
		ObjectNode two = create("two");
		create("child", one, two);
		this.client.delete(CONFIG_MAPS + "/one");
		JsonNode child = this.client.get(CONFIG_MAPS + "/child").json();
		assertThat(child.path("metadata").path("ownerReferences")).hasSize(1);
		this.client.delete(CONFIG_MAPS + "/two");
		assertThat(names()).isEmpty();
	}

	@Test
	void createdWithoutItsOwner_isDeleted() {
		this.kubernetes.create(configMap("default", "child",
				"{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"owner\",\"uid\":\"gone\"}"));
		assertThat(names()).isEmpty();
	}

	@Test
	void ownerInAnotherNamespace_isAbsent() {
		ObjectNode owner = create("owner");
		this.kubernetes.create(configMap("kube-system", "child",
				"{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"owner\",\"uid\":\""
						+ Json.text(owner.path("metadata"), "uid") + "\"}"));
		assertThat(this.kubernetes.list("configmaps", "kube-system")).isEmpty();
	}

	@Test
	void ownerOfAnUnknownKind_keepsTheObject() {
		this.kubernetes.create(configMap("default", "child",
				"{\"apiVersion\":\"example.com/v1\",\"kind\":\"Tenant\",\"name\":\"owner\",\"uid\":\"gone\"}"));
		assertThat(names()).containsExactly("child");
	}

	@Test
	void orphaned_stayWithoutTheirOwner() {
		create("child", create("owner"));
		assertThat(delete("owner", "Orphan").code()).isEqualTo(200);
		assertThat(names()).containsExactly("child");
		assertThat(this.client.get(CONFIG_MAPS + "/child").json().path("metadata").has("ownerReferences")).isFalse();
	}

	@Test
	void foregroundDeletion_waitsForBlockingDependents() {
		ObjectNode owner = create("owner");
		create("child", owner);
		this.kubernetes.mergePatch("configmaps", "default", "child",
				"{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
		JsonNode marked = delete("owner", "Foreground").json();
		assertThat(marked.path("metadata").path("finalizers").toString()).isEqualTo("[\"foregroundDeletion\"]");
		assertThat(names()).containsExactly("child", "owner");
		this.kubernetes.mergePatch("configmaps", "default", "child", "{\"metadata\":{\"finalizers\":null}}");
		assertThat(names()).isEmpty();
	}

	@Test
	void foregroundDeletion_reachesGrandchildren() {
		create("grandchild", create("child", create("owner")));
		delete("owner", "Foreground");
		assertThat(names()).isEmpty();
	}

	@Test
	void dryRun_collectsNothing() {
		create("child", create("owner"));
		this.client.delete(CONFIG_MAPS + "/owner?dryRun=All");
		assertThat(names()).containsExactly("child", "owner");
	}

	@Test
	void withoutGarbageCollection_dependentsStay() {
		try (EmbeddedKubernetes bare = EmbeddedKubernetes.start((options) -> options.garbageCollection(false))) {
			bare.create(configMap("default", "child",
					"{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"owner\",\"uid\":\"gone\"}"));
			assertThat(bare.list("configmaps", "default")).hasSize(1);
		}
	}

}
