/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.test.store.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Common behaviour of the garbage collectors of the embedded server and of
 * kube-controller-manager.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class GarbageCollectionContract {

	private int count;

	private String namespace = "";

	abstract TestClient client();

	@BeforeEach
	void createNamespace() {
		this.namespace = createNamespace("garbage-" + ++this.count);
	}

	private String createNamespace(String name) {
		TestClient.Answer answer = client().post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}");
		assertThat(answer.code()).isEqualTo(201);
		return name;
	}

	private static String path(String namespace) {
		return "/api/v1/namespaces/" + namespace + "/configmaps";
	}

	private JsonNode create(String name, JsonNode... owners) {
		return createIn(this.namespace, name, owners);
	}

	private JsonNode createIn(String inNamespace, String name, JsonNode... owners) {
		String references = Stream.of(owners)
			.map((owner) -> reference("v1", "ConfigMap", owner))
			.collect(Collectors.joining(","));
		return createReferring(inNamespace, name, references);
	}

	private JsonNode createReferring(String inNamespace, String name, String references) {
		TestClient.Answer answer = client().post(path(inNamespace),
				"{\"metadata\":{\"name\":\"" + name + "\",\"ownerReferences\":[" + references + "]}}");
		assertThat(answer.code()).as(answer.body()).isEqualTo(201);
		return answer.json();
	}

	private static String reference(String apiVersion, String kind, JsonNode owner) {
		return """
				{"apiVersion":"%s","kind":"%s","name":"%s","uid":"%s","blockOwnerDeletion":true}""".formatted(
				apiVersion, kind, Json.text(owner.path("metadata"), "name"), Json.text(owner.path("metadata"), "uid"));
	}

	private JsonNode delete(String name, String policy) {
		return client()
			.send("DELETE", path(this.namespace) + "/" + name, "{\"propagationPolicy\":\"" + policy + "\"}",
					"application/json")
			.json();
	}

	private JsonNode metadata(String name) {
		return client().get(path(this.namespace) + "/" + name).json().path("metadata");
	}

	private void awaitNames(String... names) {
		awaitNamesIn(this.namespace, names);
	}

	private void awaitNamesIn(String inNamespace, String... names) {
		awaitExternal().untilAsserted(() -> {
			List<String> existing = ContractCases.names(client().get(path(inNamespace)).json());
			assertThat(existing).filteredOn((name) -> !name.startsWith("kube-")).containsExactly(names);
		});
	}

	@Test
	void ownerDeleted_deletesItsDependents() {
		create("grandchild", create("child", create("owner")));
		create("other");
		client().delete(path(this.namespace) + "/owner");
		awaitNames("other");
	}

	@Test
	void oneOfTwoOwnersDeleted_removesItsReference() {
		create("child", create("one"), create("two"));
		client().delete(path(this.namespace) + "/one");
		awaitExternal().until(() -> metadata("child").path("ownerReferences").size() == 1);
		client().delete(path(this.namespace) + "/two");
		awaitNames();
	}

	@Test
	void createdWithoutItsOwner_isDeleted() {
		JsonNode owner = create("owner");
		client().delete(path(this.namespace) + "/owner");
		create("child", owner);
		awaitNames();
	}

	@Test
	void ownerInAnotherNamespace_isAbsent() {
		JsonNode owner = create("owner");
		String other = createNamespace(this.namespace + "-other");
		createIn(other, "child", owner);
		awaitNamesIn(other);
		awaitNames("owner");
	}

	@Test
	void ownerOfAnUnknownKind_keepsTheObject() {
		createReferring(this.namespace, "child", reference("example.com/v1", "Nothing", create("owner")));
		client().delete(path(this.namespace) + "/owner");
		awaitNames("child");
	}

	@Test
	void orphaned_stayWithoutTheirOwner() {
		create("child", create("owner"));
		assertThat(delete("owner", "Orphan").path("metadata").path("finalizers").toString()).isEqualTo("[\"orphan\"]");
		awaitNames("child");
		assertThat(metadata("child").has("ownerReferences")).isFalse();
	}

	@Test
	void foregroundDeletion_waitsForBlockingDependents() {
		create("child", create("owner"));
		client().mergePatch(path(this.namespace) + "/child", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
		assertThat(delete("owner", "Foreground").path("metadata").path("finalizers").toString())
			.isEqualTo("[\"foregroundDeletion\"]");
		awaitExternal().until(() -> metadata("child").has("deletionTimestamp"));
		awaitNames("child", "owner");
		client().mergePatch(path(this.namespace) + "/child", "{\"metadata\":{\"finalizers\":null}}");
		awaitNames();
	}

	@Test
	void foregroundDeletion_reachesGrandchildren() {
		create("grandchild", create("child", create("owner")));
		delete("owner", "Foreground");
		awaitNames();
	}

	@Test
	void job_keepsItsPodsByDefault() {
		String jobs = "/apis/batch/v1/namespaces/" + this.namespace + "/jobs";
		JsonNode job = client().post(jobs, """
				{"metadata":{"name":"j"},"spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never",
				 "containers":[{"name":"c","image":"example.com/c"}]}}}}""").json();
		createReferring(this.namespace, "child", reference("batch/v1", "Job", job));
		client().delete(jobs + "/j");
		awaitExternal().until(() -> client().get(jobs + "/j").code() == 404);
		awaitNames("child");
		assertThat(metadata("child").has("ownerReferences")).isFalse();
	}

}
