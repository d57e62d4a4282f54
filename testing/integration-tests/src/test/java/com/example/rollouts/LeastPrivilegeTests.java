/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import com.example.journal.ServerResource;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.servlet.client.RestTestClient;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the application with the service account and the rights of its manifests.
 */
@RealKubernetes(RequiredServer.CONTROL_PLANE)
class LeastPrivilegeTests {

	private static final String NAMESPACE = "default";

	private final ControlPlane controlPlane;

	private final ApiClient admin;

	LeastPrivilegeTests(RealServer server) {
		this.controlPlane = server.requireControlPlane();
		this.admin = ServerResource.client(server);
	}

	@Test
	void serviceAccountOfManifests_isSufficientForApplication() throws ApiException, IOException {
		applyManifests();
		try (ConfigurableApplicationContext context = start(token())) {
			String url = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
			RestTestClient client = RestTestClient.bindToServer().baseUrl(url).build();
			Shop shop = new Shop(NAMESPACE);
			new CoreV1Api(this.admin).createNamespacedPod(NAMESPACE, shop.pendingPod("web-1", "web")).execute();
			Pods pods = context.getBean(Pods.class);
			await().untilAsserted(() -> assertThat(pods.all()).extracting(PodSummary::name).containsExactly("web-1"));
			await().untilAsserted(() -> client.get()
				.uri("/deployments/" + NAMESPACE + "/rollouts/pods")
				.exchange()
				.expectStatus()
				.isOk());
			client.get().uri("/actuator/health").exchange().expectStatus().isOk();
		}
	}

	private void applyManifests() throws ApiException, IOException {
		RbacAuthorizationV1Api rbac = new RbacAuthorizationV1Api(this.admin);
		rbac.createClusterRole(Manifests.read(V1ClusterRole.class)).fieldValidation("Strict").execute();
		rbac.createClusterRoleBinding(Manifests.read(V1ClusterRoleBinding.class)).fieldValidation("Strict").execute();
		new CoreV1Api(this.admin).createNamespacedServiceAccount(NAMESPACE, Manifests.read(V1ServiceAccount.class))
			.fieldValidation("Strict")
			.execute();
		new AppsV1Api(this.admin).createNamespacedDeployment(NAMESPACE, Manifests.read(V1Deployment.class))
			.fieldValidation("Strict")
			.execute();
	}

	private String token() throws ApiException, IOException {
		String account = Manifests.read(V1ServiceAccount.class).getMetadata().getName();
		AuthenticationV1TokenRequest request = new AuthenticationV1TokenRequest()
			.spec(new V1TokenRequestSpec().audiences(List.of()));
		return Objects
			.requireNonNull(new CoreV1Api(this.admin).createNamespacedServiceAccountToken(account, NAMESPACE, request)
				.execute()
				.getStatus())
			.getToken();
	}

	private ConfigurableApplicationContext start(String token) {
		return new SpringApplicationBuilder(RolloutsApplication.class).run("--server.port=0",
				"--informer.connection.url=" + this.controlPlane.url(), "--informer.connection.token=" + token,
				"--informer.connection.ca-certificate="
						+ new String(this.controlPlane.caCertificate(), StandardCharsets.US_ASCII));
	}

}
