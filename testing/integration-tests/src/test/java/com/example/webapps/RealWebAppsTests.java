/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import com.example.journal.ServerResource;
import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.Conditions;
import dev.informer.reconcilers.ObjectWriter;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Test of the sample controller with the service account, the rights and the definition
 * of its manifests.
 */
@RealKubernetes(RequiredServer.LIVING_CLUSTER)
class RealWebAppsTests {

	private static final File SAMPLE = new File("../../sample-controller");

	/** Namespace of the binding of the manifest. */
	private static final String NAMESPACE = "default";

	private final ControlPlane controlPlane;

	private final ApiClient admin;

	RealWebAppsTests(RealServer server) {
		this.controlPlane = server.requireControlPlane();
		this.admin = ServerResource.client(server);
	}

	@Test
	void webApp_becomesReadyAndIsCleanedUp_withTheRightsOfTheManifest() throws Exception {
		try (InformerFactory factory = InformerFactory.create(this.admin)) {
			ObjectWriter writer = ObjectWriter.of(factory, "tests");
			createManifests(writer);
			SharedIndexInformer<WebApp> informer = factory.informer(WebApp.class);
			Lister<V1Deployment> deployments = factory.informer(V1Deployment.class).lister();
			Lister<V1Service> services = factory.informer(V1Service.class).lister();
			factory.start();
			try (ConfigurableApplicationContext context = start(token())) {
				writer.create(new WebApp(new V1ObjectMeta().namespace(NAMESPACE).name("real-webapp"),
						new WebApp.Spec("nginx:1", 2, 80)));
				awaitExternal().until(() -> informer.lister()
					.get(NAMESPACE, "real-webapp")
					.filter((app) -> Conditions.isTrue(app.status().conditions(), "Ready"))
					.isPresent());
				assertThat(services.get(NAMESPACE, "real-webapp")).isPresent();
				assertThat(context.getBean(Dns.class).hosts()).hasSize(1);
				writer.delete(informer.lister().get(NAMESPACE, "real-webapp").orElseThrow());
				awaitExternal().until(() -> informer.lister().list().isEmpty());
				awaitExternal().until(() -> deployments.get(NAMESPACE, "real-webapp").isEmpty()
						&& services.get(NAMESPACE, "real-webapp").isEmpty());
				assertThat(context.getBean(Dns.class).hosts()).isEmpty();
			}
		}
	}

	private static void createManifests(ObjectWriter writer) throws ApiException, IOException {
		for (String file : List.of("k8s/webapps-crd.yaml", "k8s/rbac.yaml")) {
			for (Object object : Yaml.loadAll(new File(SAMPLE, file))) {
				KubernetesObject manifest = (KubernetesObject) object;
				if (List.of("ServiceAccount", "Role", "RoleBinding").contains(manifest.getKind())) {
					manifest.getMetadata().setNamespace(NAMESPACE);
				}
				writer.create(manifest);
			}
		}
	}

	private String token() throws ApiException {
		AuthenticationV1TokenRequest request = new AuthenticationV1TokenRequest()
			.spec(new V1TokenRequestSpec().audiences(List.of()));
		return Objects
			.requireNonNull(new CoreV1Api(this.admin).createNamespacedServiceAccountToken("webapps", NAMESPACE, request)
				.execute()
				.getStatus())
			.getToken();
	}

	private ConfigurableApplicationContext start(String token) {
		return new SpringApplicationBuilder(WebAppsApplication.class).run(
				"--spring.config.location=" + new File(SAMPLE, "src/main/resources/application.yaml").toURI(),
				"--server.port=0", "--informer.connection.url=" + this.controlPlane.url(),
				"--informer.connection.namespace=" + NAMESPACE, "--informer.connection.token=" + token,
				"--informer.connection.ca-certificate="
						+ new String(this.controlPlane.caCertificate(), StandardCharsets.US_ASCII));
	}

}
