/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import dev.informer.test.TestClient.WatchReader;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EmbeddedKubernetesTests {

	@Test
	void close_leavesNoThreadAndNoConnection() throws IOException {
		EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
		String prefix = "embedded-kubernetes-" + kubernetes.url().replaceAll(".*:", "") + "-";
		TestClient client = new TestClient(kubernetes);
		client.get(CONFIG_MAPS);
		try (WatchReader one = client.watch(CONFIG_MAPS + "?watch=true");
				WatchReader other = client.watch("/api/v1/nodes?watch=true")) {
			assertThat(threads(prefix)).isPositive();
			kubernetes.close();
			// Jetty forgets a thread just before it ends
			await().untilAsserted(() -> assertThat(threads(prefix)).isZero());
			assertThat(one.line()).isEqualTo(WatchReader.BROKEN);
			assertThat(other.line()).isEqualTo(WatchReader.BROKEN);
		}
		kubernetes.close();
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> client.get(CONFIG_MAPS));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/readyz", "/livez", "/healthz", "/readyz?verbose" })
	void health_isOk(String path) {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			assertThat(new TestClient(kubernetes).get(path).body()).isEqualTo("ok");
		}
	}

	@Test
	void discovery_listsGroupsVersionsAndResources() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes
				.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant").withStatus());
			TestClient client = new TestClient(kubernetes);
			assertThat(client.get("/api").json().path("versions").path(0).asString()).isEqualTo("v1");
			assertThat(client.get("/apis").body()).contains("\"name\":\"example.com\"", "\"name\":\"apps\"");
			assertThat(client.get("/apis/autoscaling").body())
				.isEqualTo("{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",\"name\":\"autoscaling\",\"versions\":["
						+ "{\"groupVersion\":\"autoscaling/v2\",\"version\":\"v2\"},"
						+ "{\"groupVersion\":\"autoscaling/v1\",\"version\":\"v1\"}],"
						+ "\"preferredVersion\":{\"groupVersion\":\"autoscaling/v2\",\"version\":\"v2\"}}\n");
			assertThat(client.get("/api/v1").body())
				.contains(
						"{\"name\":\"pods\",\"singularName\":\"pod\",\"namespaced\":true,\"kind\":\"Pod\",\"verbs\":[")
				.contains("{\"name\":\"pods/status\"");
			assertThat(client.get("/apis/example.com/v1").body()).contains("\"name\":\"tenants\"",
					"\"tenants/status\"");
		}
	}

	@Test
	void unknownPaths_areAnsweredLikeTheRealServer() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			TestClient client = new TestClient(kubernetes);
			assertThat(client.get("/apis/nope/v1/things").body()).isEqualTo("404 page not found\n");
			assertThat(client.get("/foo").code()).isEqualTo(404);
			assertThat(client.get("/api/v1/things").message())
				.isEqualTo("the server could not find the requested resource");
			assertThat(client.get("/api/v1/namespaces/default/nodes").reason()).isEqualTo("NotFound");
		}
	}

	@Test
	void requests_areLogged() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			TestClient client = new TestClient(kubernetes);
			client.get("/apis/apps/v1/namespaces/shop/deployments?limit=500&labelSelector=a%3Db%2Cc");
			assertThat(kubernetes.requests(Verb.LIST, "deployments.apps")).singleElement().satisfies((request) -> {
				assertThat(request.method()).isEqualTo("GET");
				assertThat(request.path()).isEqualTo("/apis/apps/v1/namespaces/shop/deployments");
				assertThat(request.query()).isEqualTo(Map.of("limit", "500", "labelSelector", "a=b,c"));
				assertThat(request.namespace()).isEqualTo("shop");
			});
			kubernetes.clearRequests();
			assertThat(kubernetes.requests()).isEmpty();
		}
	}

	@Test
	void token_isRequiredWhenSet() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start((options) -> options.token("secret"))) {
			TestClient client = new TestClient(kubernetes);
			assertThat(client.get(CONFIG_MAPS).code()).isEqualTo(401);
			assertThat(client.get(CONFIG_MAPS).body())
				.contains("\"message\":\"Unauthorized\",\"reason\":\"Unauthorized\"");
			assertThat(client.send("GET", CONFIG_MAPS, null, "", "Authorization", "Bearer secret").code())
				.isEqualTo(200);
			assertThat(kubernetes.kubeconfig()).contains("token: \"secret\"");
		}
	}

	@Test
	void portInUse_namesTheOptionToSet() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			int port = Integer.parseInt(kubernetes.url().replaceAll(".*:", ""));
			assertThatExceptionOfType(UncheckedIOException.class)
				.isThrownBy(() -> EmbeddedKubernetes.start((options) -> options.port(port)).close())
				.withMessageContaining("Set another one with EmbeddedKubernetesOptions.port");
		}
	}

	@Test
	void twoServers_shareNothing() {
		try (EmbeddedKubernetes one = EmbeddedKubernetes.start();
				EmbeddedKubernetes other = EmbeddedKubernetes.start()) {
			one.create(TestClient.configMap("a", "1"));
			assertThat(other.list("configmaps", null)).isEmpty();
		}
	}

	@Test
	void metadataOfAnObject_isNoObject() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> kubernetes
					.create("{\"apiVersion\": \"meta.k8s.io/v1\", \"kind\": \"PartialObjectMetadata\", "
							+ "\"metadata\": {\"name\": \"a\"}}"))
				.withMessageContaining("Use an object with this metadata instead, such as a V1Pod");
		}
	}

	@Test
	void objectOfAClassOfTheUser_isStoredAsTheOfficialClientWritesIt() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes
				.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant").withStatus());
			assertThat(kubernetes.create(new Tenant("a", "s1")).toString()).contains("\"secret-name\":\"s1\"")
				.doesNotContain("computed");
			DynamicKubernetesObject untyped = new DynamicKubernetesObject();
			untyped.setApiVersion("example.com/v1");
			untyped.setKind("Tenant");
			untyped.setMetadata(new V1ObjectMeta().namespace("default").name("b"));
			assertThat(kubernetes.create(untyped).at("/metadata/name").asString()).isEqualTo("b");
		}
	}

	private static long threads(String prefix) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith(prefix))
			.count();
	}

	/**
	 * Custom resource without getters of its content, which Gson does not need.
	 */
	private static final class Tenant implements KubernetesObject {

		private final V1ObjectMeta metadata;

		@SerializedName("secret-name")
		private final String secretName;

		Tenant(String name, String secretName) {
			this.metadata = new V1ObjectMeta().namespace("default").name(name);
			this.secretName = secretName;
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Tenant";
		}

		@SuppressWarnings("unused")
		public String getComputed() {
			return this.secretName + " computed";
		}

	}

}
