/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.health.InformerHealthContributorAutoConfiguration;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import io.kubernetes.client.util.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static dev.informer.test.support.TestObjects.configMap;
import static dev.informer.test.support.TestObjects.namespace;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Service accounts on a real API server, whose tokens are replaced as the kubelet does
 * it, and whose rights come and go.
 */
@RealKubernetes(RequiredServer.CONTROL_PLANE)
@Timeout(180)
class CredentialsTests {

	private static final String NAMESPACE = "credentials";

	private final ControlPlane controlPlane;

	private final ApiClient admin;

	private final CoreV1Api core;

	private final RbacAuthorizationV1Api rbac;

	CredentialsTests(RealServer server) throws Exception {
		this.controlPlane = server.requireControlPlane();
		this.admin = Config.fromConfig(new StringReader(server.kubeconfig()));
		this.core = new CoreV1Api(this.admin);
		this.rbac = new RbacAuthorizationV1Api(this.admin);
		createNamespace();
	}

	@AfterEach
	void close() {
		this.admin.getHttpClient().connectionPool().evictAll();
		this.admin.getHttpClient().dispatcher().executorService().shutdown();
	}

	@Test
	void replacedToken_isReloaded(@TempDir Path folder) throws Exception {
		createAccount("rotated");
		grant("rotated");
		Path file = Files.createSymbolicLink(folder.resolve("token"), Path.of("..data", "token"));
		project(folder, token("rotated"));
		runner(file).withPropertyValues("informer.resources.configmaps.required=true").run((context) -> {
			SharedIndexInformer<V1ConfigMap> informer = informer(context);
			assertThat(informer.hasSynced()).isTrue();
			this.core.deleteNamespacedServiceAccount("rotated", NAMESPACE).execute();
			createAccount("rotated");
			awaitExternal().pollInterval(Duration.ofMillis(500)).until(() -> {
				informer.relist();
				InformerFailure failure = informer.state().failure();
				return failure != null && failure.kind() == Kind.UNAUTHORIZED;
			});
			awaitExternal().untilAsserted(() -> assertThat(health(context).getStatus()).isEqualTo(Status.DOWN));
			assertThat(health(context).getDetails().get("reason")).asString()
				.startsWith("Cannot list configmaps")
				.contains("401 Unauthorized", "Check the token");
			project(folder, token("rotated"));
			createConfigMap("after-the-rotation");
			awaitExternal().until(() -> informer.lister().get(NAMESPACE, "after-the-rotation").isPresent());
			awaitExternal().untilAsserted(() -> assertThat(health(context).getStatus()).isEqualTo(Status.UP));
		});
	}

	@Test
	void missingPermission_isReportedByHealthUntilGranted(@TempDir Path folder) throws Exception {
		createAccount("forbidden");
		Path file = Files.writeString(folder.resolve("token"), token("forbidden"));
		runner(file).withPropertyValues("informer.resources.configmaps.required=false").run((context) -> {
			// before the answer, the list that is being read is the reason
			awaitExternal().untilAsserted(() -> assertThat(health(context).getDetails().get("reason")).asString()
				.startsWith("Cannot list configmaps")
				.contains("403 Forbidden", "Grant the verbs list and watch on configmaps by a Role in " + NAMESPACE)
				.contains("system:serviceaccount:" + NAMESPACE + ":forbidden"));
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			grant("forbidden");
			awaitExternal().untilAsserted(() -> assertThat(health(context).getStatus()).isEqualTo(Status.UP));
			assertThat(informer(context).hasSynced()).isTrue();
		});
	}

	private ApplicationContextRunner runner(Path tokenFile) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
					KubernetesConnectionAutoConfiguration.class, InformerHealthContributorAutoConfiguration.class))
			.withPropertyValues("informer.connection.url=" + this.controlPlane.url(),
					"informer.connection.ca-certificate="
							+ new String(this.controlPlane.caCertificate(), StandardCharsets.US_ASCII),
					"informer.connection.token-file=" + tokenFile,
					"informer.resources.configmaps.namespaces=" + NAMESPACE, "informer.health.failing-threshold=1ms",
					"informer.defaults.backoff.delay=50ms", "informer.defaults.backoff.max-delay=500ms");
	}

	/**
	 * Puts a token where the kubelet puts it: into a new folder, to which a link then
	 * points in place of the old one.
	 */
	private static void project(Path folder, String token) throws Exception {
		Path version = Files.createTempDirectory(folder, "..version");
		Files.writeString(version.resolve("token"), token);
		Path link = Files.createSymbolicLink(folder.resolve("..data_tmp"), version.getFileName());
		Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
	}

	private static SharedIndexInformer<V1ConfigMap> informer(ApplicationContext context) {
		return context.getBean(InformerRegistry.class).informer("configmaps", V1ConfigMap.class);
	}

	private static Health health(ApplicationContext context) {
		CompositeHealthContributor contributor = context.getBean("informersHealthContributor",
				CompositeHealthContributor.class);
		return Objects.requireNonNull(
				((HealthIndicator) Objects.requireNonNull(contributor.getContributor("configmaps"))).health(true));
	}

	private void createNamespace() throws ApiException {
		try {
			this.core.createNamespace(namespace(NAMESPACE)).execute();
		}
		catch (ApiException ex) {
			if (ex.getCode() != 409) {
				throw ex;
			}
		}
	}

	private void createConfigMap(String name) throws ApiException {
		this.core.createNamespacedConfigMap(NAMESPACE, configMap(NAMESPACE, name)).execute();
	}

	private void createAccount(String name) throws ApiException {
		this.core
			.createNamespacedServiceAccount(NAMESPACE, new V1ServiceAccount().metadata(new V1ObjectMeta().name(name)))
			.execute();
	}

	private void grant(String account) throws ApiException {
		this.rbac
			.createNamespacedRole(NAMESPACE,
					new V1Role().metadata(new V1ObjectMeta().name(account))
						.addRulesItem(new V1PolicyRule().apiGroups(List.of(""))
							.resources(List.of("configmaps"))
							.verbs(List.of("list", "watch"))))
			.execute();
		this.rbac
			.createNamespacedRoleBinding(NAMESPACE,
					new V1RoleBinding().metadata(new V1ObjectMeta().name(account))
						.roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("Role").name(account))
						.addSubjectsItem(new RbacV1Subject().kind("ServiceAccount").name(account).namespace(NAMESPACE)))
			.execute();
	}

	private String token(String account) throws ApiException {
		AuthenticationV1TokenRequest request = new AuthenticationV1TokenRequest()
			.spec(new V1TokenRequestSpec().audiences(List.of()));
		return Objects
			.requireNonNull(
					this.core.createNamespacedServiceAccountToken(account, NAMESPACE, request).execute().getStatus())
			.getToken();
	}

}
