/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rights;

import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.example.rollouts.RolloutsApplication;
import com.example.webapps.WebAppsApplication;
import com.google.gson.JsonParser;
import dev.informer.InformerFactory;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.replicas.Leadership;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.endpoint.InformerRbacEndpoint;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AuthorizationV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.EventsV1Api;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.Yaml;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the manifests of whole applications: with their rights everything works, and
 * without any of them something that the application has done is refused.
 * <p>
 * An application runs once, with the rights of its manifest. The API server asks a
 * webhook, which has no opinion, about each request, and then RBAC. Afterwards the rights
 * are taken away one by one, verb by verb, and the API server decides again about what
 * the application has requested.
 */
@RealKubernetes(RequiredServer.CONTROL_PLANE)
@Timeout(300)
class RealRightsTests {

	private static final String NAMESPACE = "default";

	private static final String SELECTED = "team-a";

	private static final String RBAC = "rbac.authorization.k8s.io";

	private static AuthorizationWebhook webhook;

	private static ControlPlane controlPlane;

	private static ApiClient admin;

	private static InformerFactory factory;

	private static ObjectWriter writer;

	private List<Right> rights = List.of();

	@BeforeAll
	static void start(@TempDir Path folder) throws Exception {
		webhook = new AuthorizationWebhook();
		Path kubeconfig = Files.write(folder.resolve("webhook"), webhook.kubeconfig());
		controlPlane = ControlPlane.fromEnvironment()
			.user("rollouts", token("rollouts"))
			.user("webapps", token("webapps"))
			.user("rights", token("rights"))
			.apiServerFlag("authorization-mode", "Webhook,Node,RBAC")
			.apiServerFlag("authorization-webhook-config-file", kubeconfig.toString())
			.apiServerFlag("authorization-webhook-version", "v1")
			.start();
		admin = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(controlPlane.kubeconfig())))
			.build();
		factory = InformerFactory.create(admin);
		writer = ObjectWriter.of(factory, "tests");
	}

	@AfterAll
	static void stop() {
		factory.close();
		controlPlane.close();
		webhook.close();
	}

	@Test
	void sampleApplication_needsEachRight() throws Exception {
		try (ConfigurableApplicationContext context = start(RolloutsApplication.class, "rollouts",
				config("sample-app"))) {
			grant("rollouts", context);
			context.getBean(InformerRegistry.class).start();
			awaitUsed("rollouts");
		}
		assertEachIsNeeded("rollouts");
	}

	@Test
	void sampleController_needsEachRight() throws Exception {
		for (Object definition : Yaml.loadAll(new File("../../sample-controller/k8s/webapps-crd.yaml"))) {
			writer.apply((KubernetesObject) definition);
		}
		try (ConfigurableApplicationContext context = start(WebAppsApplication.class, "webapps",
				config("sample-controller"))) {
			grant("webapps", context);
			DynamicKubernetesObject app = new DynamicKubernetesObject(JsonParser.parseString("""
					{"apiVersion": "example.com/v1", "kind": "WebApp",
					 "metadata": {"namespace": "default", "name": "shop"},
					 "spec": {"image": "nginx:1", "replicas": 1, "port": 80}}
					""").getAsJsonObject());
			awaitExternal().untilAsserted(() -> writer.apply(app));
			context.getBean(InformerRegistry.class).start();
			awaitEvent("Created");
			// created again, which is the same Event
			api("apps", "deployments").delete(NAMESPACE, "shop-webapp").throwsApiException();
			awaitExternal().until(() -> exists("apps", "deployments", "shop-webapp"));
			api("example.com", "webapps").delete(NAMESPACE, "shop").throwsApiException();
			awaitExternal().until(() -> !exists("example.com", "webapps", "shop"));
			awaitUsed("webapps");
		}
		assertEachIsNeeded("webapps");
	}

	@Test
	void application_needsEachRight_andRecoversFromARefusal() throws Exception {
		writer.apply(new V1Namespace().metadata(new V1ObjectMeta().name(SELECTED).putLabelsItem("team", "a")));
		writer.apply(new V1Lease()
			.metadata(new V1ObjectMeta().namespace(NAMESPACE)
				.name("zzz")
				.putLabelsItem("informer.dev/shard-group", "rights")
				.putAnnotationsItem("informer.dev/slots", "64:0000000000000000"))
			.spec(new V1LeaseSpec().holderIdentity("").leaseDurationSeconds(1)));
		writer.apply(configMap("1"));
		try (ConfigurableApplicationContext context = start(RightsApplication.class, "rights",
				RightsApplication.PROPERTIES)) {
			grant("rights", context);
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			registry.start();
			awaitExternal().until(() -> exists("", "serviceaccounts", "copy"));
			writer.apply(configMap("2"));
			awaitExternal().until(() -> !exists("", "serviceaccounts", "copy"));
			awaitEvent("Copied");
			awaitUsed("rights");

			Right patch = right("patch", "secrets");
			List<Integer> refused = context.getBean(RightsApplication.Copies.class).refused;
			whileRevoked(patch, () -> {
				writer.apply(configMap("3"));
				awaitExternal().until(() -> refused.contains(403));
			});
			awaitExternal().until(() -> new String(Objects
				.requireNonNull(new CoreV1Api(admin).readNamespacedSecret("copy", NAMESPACE).execute().getData())
				.get("value"), StandardCharsets.UTF_8).equals("3"));
			SharedIndexInformer<V1ConfigMap> informer = registry.informer("configmaps", V1ConfigMap.class);
			whileRevoked(right("list", "configmaps"), () -> {
				informer.relist();
				awaitExternal()
					.until(() -> Objects.requireNonNull(informer.state().failure()).kind() == Kind.FORBIDDEN);
			});
			awaitExternal().until(() -> informer.state().phase() == Phase.WATCHING);
			Leadership leadership = context.getBean(Leadership.class);
			assertThat(leadership.isLeader()).isTrue();
			whileRevoked(rights.stream()
				.filter((right) -> right.verb().equals("update") && right.namespace().equals(SELECTED))
				.findFirst()
				.orElseThrow(), () -> awaitExternal().until(() -> !leadership.isLeader()));
			awaitExternal().until(leadership::isLeader);

			api("", "configmaps").delete(NAMESPACE, "copied").throwsApiException();
			awaitExternal().until(() -> !exists("", "configmaps", "copied"));
		}
		assertEachIsNeeded("rights");
	}

	private Right right(String verb, String resource) {
		return this.rights.stream()
			.filter((right) -> right.verb().equals(verb) && right.resource().equals(resource))
			.findFirst()
			.orElseThrow();
	}

	private static V1ConfigMap configMap(String value) {
		return new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace(NAMESPACE).name("copied").labels(RightsApplication.LABELS))
			.data(Map.of("value", value));
	}

	private static String token(String user) {
		return user + "-token";
	}

	private static String config(String sample) {
		return "--spring.config.location="
				+ new File("../../" + sample + "/src/main/resources/application.yaml").toURI();
	}

	/**
	 * Create an application whose informers are not started yet.
	 */
	private static ConfigurableApplicationContext start(Class<?> application, String user, String... properties) {
		List<String> arguments = new ArrayList<>(List.of(properties));
		arguments.addAll(List.of("--server.port=0", "--informer.auto-startup=false",
				"--management.endpoints.web.exposure.include=informerrbac",
				"--informer.connection.url=" + controlPlane.url(), "--informer.connection.namespace=" + NAMESPACE,
				"--informer.connection.token=" + token(user), "--informer.connection.ca-certificate="
						+ new String(controlPlane.caCertificate(), StandardCharsets.US_ASCII)));
		return new SpringApplicationBuilder(application).run(arguments.toArray(String[]::new));
	}

	/**
	 * Bind the roles of the manifest of an application, with one rule for each right.
	 */
	private void grant(String user, ConfigurableApplicationContext context) throws ApiException, IOException {
		List<Right> granted = new ArrayList<>();
		for (Object role : Yaml.loadAll(context.getBean(InformerRbacEndpoint.class).manifest())) {
			V1ObjectMeta metadata = ((KubernetesObject) role).getMetadata();
			List<V1PolicyRule> rules = (role instanceof V1ClusterRole all) ? all.getRules()
					: ((V1Role) role).getRules();
			String namespace = (role instanceof V1ClusterRole) ? ""
					: Objects.requireNonNullElse(metadata.getNamespace(), SELECTED);
			rules.forEach((rule) -> Right.of(namespace, metadata.getName(), rule).forEach(granted::add));
			bind(namespace, metadata.getName(), user);
		}
		this.rights = granted;
		for (Right right : granted) {
			applyRole(right, null);
		}
	}

	private static void bind(String namespace, String role, String user) throws ApiException {
		V1RoleRef reference = new V1RoleRef().apiGroup(RBAC)
			.kind(namespace.isEmpty() ? "ClusterRole" : "Role")
			.name(role);
		RbacV1Subject subject = new RbacV1Subject().apiGroup(RBAC).kind("User").name(user);
		V1ObjectMeta metadata = new V1ObjectMeta().name(role);
		if (namespace.isEmpty()) {
			writer.apply(new V1ClusterRoleBinding().metadata(metadata).roleRef(reference).addSubjectsItem(subject));
		}
		else {
			writer.apply(new V1RoleBinding().metadata(metadata.namespace(namespace))
				.roleRef(reference)
				.addSubjectsItem(subject));
		}
	}

	/**
	 * Apply the role of a right, without one of its rules.
	 */
	private void applyRole(Right ofRole, @Nullable Right revoked) throws ApiException {
		List<V1PolicyRule> rules = this.rights.stream()
			.filter((right) -> right.namespace().equals(ofRole.namespace()) && right.role().equals(ofRole.role())
					&& !right.equals(revoked))
			.map(Right::rule)
			.toList();
		V1ObjectMeta metadata = new V1ObjectMeta().name(ofRole.role());
		if (ofRole.namespace().isEmpty()) {
			writer.apply(new V1ClusterRole().metadata(metadata).rules(rules));
		}
		else {
			writer.apply(new V1Role().metadata(metadata.namespace(ofRole.namespace())).rules(rules));
		}
	}

	private void whileRevoked(Right right, Check check) throws Exception {
		applyRole(right, right);
		check.run();
		applyRole(right, null);
	}

	/**
	 * Wait until the application may have used each right.
	 */
	private void awaitUsed(String user) {
		awaitExternal().untilAsserted(() -> assertThat(this.rights).allSatisfy(
				(right) -> assertThat(webhook.questions(user)).as("uses of %s", right).anyMatch(right::mayPermit)));
	}

	/**
	 * Assert that the rights permit whatever the application has requested, and that each
	 * is needed for something of it.
	 */
	private void assertEachIsNeeded(String user) throws Exception {
		List<Question> asked = webhook.questions(user).stream().filter((question) -> !isOptional(question)).toList();
		awaitExternal()
			.untilAsserted(() -> assertThat(asked).as("requests without a right").allMatch(this::isPermitted));
		for (Right right : this.rights) {
			List<Question> concerned = asked.stream().filter(right::mayPermit).toList();
			whileRevoked(right,
					() -> awaitExternal().atMost(Duration.ofSeconds(10))
						.untilAsserted(() -> assertThat(concerned).as("what needs %s", right)
							.anyMatch((question) -> !isPermitted(question))));
			awaitExternal().until(() -> concerned.stream().allMatch(this::isPermitted));
		}
	}

	/**
	 * Return whether a request is about a namespace that may not exist, which is named
	 * only if the application may read it, or is granted to each user.
	 */
	private static boolean isOptional(Question question) {
		return (question.verb().equals("get") && question.resource().equals("namespaces"))
				|| question.group().endsWith("authentication.k8s.io")
				|| question.group().endsWith("authorization.k8s.io");
	}

	private boolean isPermitted(Question question) {
		try {
			return Objects.requireNonNull(
					new AuthorizationV1Api(admin).createSubjectAccessReview(question.review()).execute().getStatus())
				.getAllowed();
		}
		catch (ApiException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void awaitEvent(String reason) {
		awaitExternal().until(() -> new EventsV1Api(admin).listNamespacedEvent(NAMESPACE)
			.execute()
			.getItems()
			.stream()
			.anyMatch((event) -> reason.equals(event.getReason())));
	}

	private static DynamicKubernetesApi api(String group, String plural) {
		return new DynamicKubernetesApi(group, "v1", plural, admin);
	}

	private static boolean exists(String group, String plural, String name) {
		return api(group, plural).get(NAMESPACE, name).isSuccess();
	}

	@FunctionalInterface
	private interface Check {

		void run() throws Exception;

	}

}
