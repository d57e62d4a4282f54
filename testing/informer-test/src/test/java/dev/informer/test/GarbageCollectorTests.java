/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import dev.informer.test.store.Json;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class GarbageCollectorTests extends GarbageCollectionContract {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final TestClient client = new TestClient(this.kubernetes);

	@Override
	TestClient client() {
		return this.client;
	}

	@AfterAll
	void close() {
		this.kubernetes.close();
	}

	@Test
	void dependents_areGoneWhenTheWriteReturns() {
		createChild(this.kubernetes);
		this.kubernetes.delete("configmaps", "default", "owner");
		assertThat(this.kubernetes.list("configmaps", "default")).isEmpty();
	}

	@Test
	void objectOfTheJavaApi_needsNoOwner() {
		this.kubernetes.create("""
				{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"child","ownerReferences":[
				 {"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"imagined"}]}}""");
		assertThat(this.kubernetes.list("configmaps", "default")).hasSize(1);
		this.kubernetes.delete("configmaps", "default", "child");
	}

	@Test
	void dryRun_collectsNothing() {
		createChild(this.kubernetes);
		this.client.delete(TestClient.CONFIG_MAPS + "/owner?dryRun=All");
		assertThat(this.kubernetes.list("configmaps", "default")).hasSize(2);
		this.kubernetes.delete("configmaps", "default", "owner");
	}

	@Test
	void withoutGarbageCollection_dependentsStay() {
		try (EmbeddedKubernetes bare = EmbeddedKubernetes.start((options) -> options.garbageCollection(false))) {
			createChild(bare);
			bare.delete("configmaps", "default", "owner");
			assertThat(bare.list("configmaps", "default")).hasSize(1);
		}
	}

	private static void createChild(EmbeddedKubernetes server) {
		ObjectNode owner = server
			.create("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"owner\"}}");
		server.create("""
				{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"child","ownerReferences":[
				 {"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"%s"}]}}"""
			.formatted(Json.text(owner.path("metadata"), "uid")));
	}

}
