/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AccessTests {

	private static final AccessRule READ = AccessRule.allow("get", "list", "watch")
		.on("configmaps", "deployments.apps/status");

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes
		.start((options) -> options.token("all").user("reader", "reads", READ).user("local", "one", READ.in("shop")));

	private final TestClient client = new TestClient(this.kubernetes);

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			all    | GET   | /api/v1/nodes                                          | 200
			all    | GET   | /apis/nope/v1/things                                   | 404
			reads  | GET   | /api/v1/configmaps                                     | 200
			reads  | GET   | /api/v1/namespaces/shop/configmaps                     | 200
			reads  | GET   | /api/v1/namespaces/shop/configmaps/a                   | 404
			reads  | POST  | /api/v1/namespaces/shop/configmaps                     | 403
			reads  | GET   | /api/v1/nodes                                          | 403
			reads  | GET   | /apis/nope/v1/things                                   | 403
			reads  | GET   | /apis/apps/v1/namespaces/shop/deployments/a/status     | 404
			reads  | GET   | /apis/apps/v1/namespaces/shop/deployments/a            | 403
			reads  | GET   | /version                                               | 200
			reads  | GET   | /apis                                                  | 200
			one    | GET   | /api/v1/configmaps                                     | 403
			one    | GET   | /api/v1/namespaces/shop/configmaps                     | 200
			one    | GET   | /api/v1/namespaces/other/configmaps                    | 403
			none   | GET   | /api/v1/namespaces/shop/configmaps                     | 401
			""")
	void request_isAnsweredByThePermissionsOfItsUser(String token, String method, String path, int code) {
		assertThat(send(token, method, path).code()).isEqualTo(code);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					GET   | /api/v1/pods?watch=true | pods | watch resource "pods" in API group "" at the cluster scope
					GET   | /api/v1/namespaces/shop/pods/a | pods "a" | get resource "pods" in API group "" in the namespace "shop"
					GET   | /api/v1/namespaces/shop | namespaces "shop" | get resource "namespaces" in API group "" in the namespace "shop"
					PATCH | /apis/apps/v1/namespaces/shop/deployments/a/status | deployments.apps "a" | patch resource "deployments/status" in API group "apps" in the namespace "shop"
					DELETE | /apis/nope/v1/things | things.nope | deletecollection resource "things" in API group "nope" at the cluster scope
					""")
	void forbidden_hasTheRealServersMessage(String method, String path, String subject, String what) {
		TestClient.Answer answer = send("reads", method, path);
		assertThat(answer.code()).isEqualTo(403);
		assertThat(answer.reason()).isEqualTo("Forbidden");
		assertThat(answer.message()).isEqualTo(subject + " is forbidden: User \"reader\" cannot " + what);
	}

	@Test
	void permissions_canBeRemovedAndRestored() throws IOException {
		try (TestClient.WatchReader watch = this.client.watch(CONFIG_MAPS + "?watch=true", "Authorization",
				"Bearer reads")) {
			this.kubernetes.access().deny("reader");
			assertThat(send("reads", "GET", CONFIG_MAPS).code()).isEqualTo(403);
			this.kubernetes.create(TestClient.configMap("a", "1"));
			assertThat(watch.event()).as("an open watch stays open").isEqualTo("ADDED a 1");
		}
		this.kubernetes.access().allow("reader", AccessRule.everything());
		assertThat(send("reads", "GET", CONFIG_MAPS).code()).isEqualTo(200);
	}

	@Test
	void changedToken_replacesThePreviousOne() {
		this.kubernetes.access().token("reader", "new");
		assertThat(send("reads", "GET", CONFIG_MAPS).message()).isEqualTo("Unauthorized");
		assertThat(send("new", "GET", CONFIG_MAPS).code()).isEqualTo(200);
		assertThat(this.kubernetes.kubeconfig("reader")).contains("token: \"new\"");
		assertThat(this.kubernetes.kubeconfig()).contains("token: \"all\"");
	}

	@Test
	void unknownNames_areRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.kubernetes.access().deny("stranger"))
			.withMessageContaining("\"stranger\"")
			.withMessageContaining("[embedded, local, reader]");
		assertThatIllegalArgumentException().isThrownBy(() -> AccessRule.allow("read"))
			.withMessageContaining("\"read\"")
			.withMessageContaining("deletecollection");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> EmbeddedKubernetes.start((options) -> options.user("a", "1").user("a", "2")))
			.withMessageContaining("\"a\": it exists already");
	}

	private TestClient.Answer send(String token, String method, String path) {
		String body = method.equals("POST") ? "{}" : null;
		return this.client.send(method, path, body, "", "Authorization", "Bearer " + token);
	}

}
