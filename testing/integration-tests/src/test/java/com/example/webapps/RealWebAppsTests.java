/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.example.journal.ServerResource;
import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.writer.Conditions;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the sample controller with the service account, the rights and the definition
 * of its manifests.
 * <p>
 * {@code -Dwebapps.objects=100 -Dwebapps.kills=50} is the long form.
 */
@RealKubernetes(RequiredServer.LIVING_CLUSTER)
class RealWebAppsTests {

	private static final File SAMPLE = new File("../../sample-controller");

	/** Namespace of the binding of the manifest. */
	private static final String NAMESPACE = "default";

	private static final int OBJECTS = Integer.getInteger("webapps.objects", 5);

	private static final int KILLS = Integer.getInteger("webapps.kills", 2);

	private static final long SEED = Long.getLong("webapps.seed", System.nanoTime());

	private final ControlPlane controlPlane;

	private final ApiClient admin;

	private final InformerFactory factory;

	private final ObjectWriter writer;

	private final Random random = new Random(SEED);

	/** Replicas of the wanted objects, by name. */
	private final Map<String, Integer> wanted = new HashMap<>();

	@TempDir
	private Path folder;

	RealWebAppsTests(RealServer server) {
		this.controlPlane = server.requireControlPlane();
		this.admin = ServerResource.client(server);
		this.factory = InformerFactory.create(this.admin);
		this.writer = ObjectWriter.of(this.factory, "tests");
	}

	@BeforeEach
	void createManifests() throws ApiException, IOException, InterruptedException {
		for (String file : List.of("k8s/webapps-crd.yaml", "k8s/rbac.yaml")) {
			for (Object object : Yaml.loadAll(new File(SAMPLE, file))) {
				KubernetesObject manifest = (KubernetesObject) object;
				if (List.of("ServiceAccount", "Role", "RoleBinding").contains(manifest.getKind())) {
					manifest.getMetadata().setNamespace(NAMESPACE);
				}
				this.writer.apply(manifest);
			}
		}
		this.factory.informer(WebApp.class);
		this.factory.informer(V1Deployment.class);
		this.factory.informer(V1Service.class);
		this.factory.start();
		assertThat(this.factory.awaitSynced(Duration.ofMinutes(1))).isTrue();
	}

	@AfterEach
	void close() {
		this.factory.close();
	}

	@Test
	void webApp_becomesReadyAndIsCleanedUp_withTheRightsOfTheManifest() throws Exception {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(WebAppsApplication.class)
			.run(arguments().toArray(String[]::new))) {
			this.writer.create(new WebApp(new V1ObjectMeta().namespace(NAMESPACE).name("real-webapp"),
					new WebApp.Spec("nginx:1", 2, 80)));
			awaitExternal().until(() -> webApps().get(NAMESPACE, "real-webapp")
				.filter((app) -> Conditions.isTrue(app.status().conditions(), "Ready"))
				.isPresent());
			assertThat(services().get(NAMESPACE, "real-webapp-webapp")).isPresent();
			assertThat(context.getBean(Dns.class).hosts()).hasSize(1);
			this.writer.delete(webApps().get(NAMESPACE, "real-webapp").orElseThrow());
			awaitExternal().until(() -> webApps().list().isEmpty());
			awaitExternal().until(() -> deployments().get(NAMESPACE, "real-webapp-webapp").isEmpty()
					&& services().get(NAMESPACE, "real-webapp-webapp").isEmpty());
			assertThat(context.getBean(Dns.class).hosts()).isEmpty();
		}
	}

	@Test
	@Timeout(3600)
	void wantedObjectsExist_afterTheLeaderWasKilledDuringChanges() throws Exception {
		List<Replica> replicas = new ArrayList<>();
		try {
			replicas.add(Replica.start(this.folder, arguments()));
			replicas.add(Replica.start(this.folder, arguments()));
			for (int kill = 0; kill < KILLS; kill++) {
				awaitExternal().atMost(Duration.ofMinutes(2)).until(() -> {
					change();
					return replicas.stream().anyMatch(Replica::isLeader);
				});
				for (int change = 0; change < OBJECTS; change++) {
					change();
				}
				Replica leader = replicas.stream().filter(Replica::isLeader).findFirst().orElseThrow();
				leader.close();
				replicas.remove(leader);
				replicas.add(Replica.start(this.folder, arguments()));
			}
			awaitExternal().atMost(Duration.ofMinutes(5)).untilAsserted(this::assertEnd);
			for (WebApp app : webApps().list()) {
				this.writer.delete(app);
			}
			this.wanted.clear();
			awaitExternal().atMost(Duration.ofMinutes(5)).untilAsserted(this::assertEnd);
		}
		finally {
			replicas.forEach(Replica::close);
		}
	}

	/**
	 * Create, change or delete an object as a foreign writer does, who may lose a race.
	 */
	private void change() throws Exception {
		String name = "app-" + this.random.nextInt(OBJECTS);
		int replicas = this.random.nextInt(3);
		WebApp current = webApps().get(NAMESPACE, name).orElse(null);
		try {
			if (current == null
					|| (current.getMetadata().getDeletionTimestamp() == null && this.random.nextInt(4) > 0)) {
				WebApp written = this.writer.apply(new WebApp(new V1ObjectMeta().namespace(NAMESPACE).name(name),
						new WebApp.Spec("nginx:1", replicas, 80)));
				this.wanted.put(name, replicas);
				assertThat(this.factory.informer(WebApp.class).awaitAtLeast(written, Duration.ofMinutes(1))).isTrue();
			}
			else if (current.getMetadata().getDeletionTimestamp() == null) {
				this.writer.delete(current);
				this.wanted.remove(name);
				awaitExternal().until(() -> webApps().get(NAMESPACE, name)
					.filter((app) -> app.getMetadata().getDeletionTimestamp() == null)
					.isEmpty());
			}
		}
		catch (ObjectWriteException ex) {
			assertThat(ex.getCode()).as(ex.getMessage()).isIn(404, 409);
		}
	}

	private void assertEnd() {
		assertThat(webApps().list()).as("seed %s", SEED).allSatisfy((app) -> {
			assertThat(app.getMetadata().getFinalizers()).containsExactly("example.com/webapps");
			assertThat(app.status().conditions()).singleElement()
				.returns("True", V1Condition::getStatus)
				.returns(app.getMetadata().getGeneration(), V1Condition::getObservedGeneration);
		});
		assertThat(webApps().list()
			.stream()
			.collect(Collectors.toMap(RealWebAppsTests::name, (app) -> app.spec().replicas()))).as("seed %s", SEED)
			.isEqualTo(this.wanted);
		assertThat(deployments().list()
			.stream()
			.collect(Collectors.toMap(RealWebAppsTests::name, (deployment) -> deployment.getSpec().getReplicas())))
			.as("seed %s", SEED)
			.isEqualTo(this.wanted);
		assertThat(services().list().stream().map(RealWebAppsTests::name).filter((name) -> name.startsWith("app-")))
			.containsExactlyInAnyOrderElementsOf(this.wanted.keySet());
	}

	private static String name(KubernetesObject object) {
		return String.valueOf(object.getMetadata().getName()).replaceFirst("-webapp$", "");
	}

	private Lister<WebApp> webApps() {
		return this.factory.informer(WebApp.class).lister();
	}

	private Lister<V1Deployment> deployments() {
		return this.factory.informer(V1Deployment.class).lister();
	}

	private Lister<V1Service> services() {
		return this.factory.informer(V1Service.class).lister();
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

	private List<String> arguments() throws ApiException {
		return List.of("--spring.config.location=" + new File(SAMPLE, "src/main/resources/application.yaml").toURI(),
				"--server.port=0", "--informer.leader.lease-duration=5s", "--informer.leader.renew-deadline=4s",
				"--informer.leader.retry-period=1s", "--informer.connection.url=" + this.controlPlane.url(),
				"--informer.connection.namespace=" + NAMESPACE, "--informer.connection.token=" + token(),
				"--informer.connection.ca-certificate="
						+ new String(this.controlPlane.caCertificate(), StandardCharsets.US_ASCII));
	}

	/**
	 * Process of the controller.
	 */
	private record Replica(Process process, Path output) {

		private static final Pattern LEADERSHIP = Pattern.compile("' (has become|is no longer) leader");

		static Replica start(Path folder, List<String> arguments) throws IOException {
			Path output = Files.createTempFile(folder, "replica", ".txt");
			List<String> command = new ArrayList<>(List.of(
					Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
					"-Xmx128m", "-cp", System.getProperty("java.class.path"), WebAppsApplication.class.getName()));
			command.addAll(arguments);
			return new Replica(
					new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start(),
					output);
		}

		boolean isLeader() {
			try {
				assertThat(this.process.isAlive()).as(() -> this.output.toString()).isTrue();
				return LEADERSHIP.matcher(Files.readString(this.output))
					.results()
					.reduce((first, second) -> second)
					.filter((last) -> last.group(1).equals("has become"))
					.isPresent();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		void close() {
			this.process.destroyForcibly();
		}

	}

}
