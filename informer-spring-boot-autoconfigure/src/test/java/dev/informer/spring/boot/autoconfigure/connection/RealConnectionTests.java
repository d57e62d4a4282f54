/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerFailure;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.support.TokenWebhook;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.test.support.ConnectProxy;
import dev.informer.test.support.TestAuthority;
import dev.informer.test.support.TestAuthority.Issued;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static dev.informer.test.support.TestObjects.configMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Connections to a real API server whose tokens and certificates are replaced, through a
 * proxy and as another user.
 * <p>
 * System property: {@code connection.tokens} for the number of tokens, each of which
 * takes ten seconds to become invalid.
 */
@RealKubernetes(RequiredServer.CONTROL_PLANE)
@ExtendWith(OutputCaptureExtension.class)
@Timeout(300)
class RealConnectionTests {

	private static final int TOKENS = Integer.getInteger("connection.tokens", 3);

	private static final String NAMESPACE = "default";

	private static final String POLICY = "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n";

	private static final TestAuthority clients = new TestAuthority("clients");

	private static TokenWebhook webhook;

	private static ControlPlane controlPlane;

	private static Path audit;

	@TempDir
	private Path folder;

	@BeforeAll
	static void start(@TempDir Path shared) throws IOException {
		webhook = new TokenWebhook();
		audit = shared.resolve("audit.log");
		controlPlane = ControlPlane.fromEnvironment()
			.apiServerFlag("authentication-token-webhook-config-file",
					Files.write(shared.resolve("webhook"), webhook.kubeconfig()).toString())
			.apiServerFlag("authentication-token-webhook-cache-ttl", "0s")
			.apiServerFlag("client-ca-file", Files.writeString(shared.resolve("clients"), clients.pem()).toString())
			.apiServerFlag("audit-policy-file", Files.writeString(shared.resolve("policy"), POLICY).toString())
			.apiServerFlag("audit-log-path", audit.toString())
			.start();
	}

	@AfterAll
	static void stop() {
		controlPlane.close();
		webhook.close();
	}

	@BeforeEach
	void deleteConfigMaps() throws Exception {
		core().deleteCollectionNamespacedConfigMap(NAMESPACE).execute();
	}

	@Test
	void tokensThatAreInvalidated_areReplacedWithoutALostEvent(CapturedOutput output) throws Exception {
		issue(0);
		script("""
				echo run >> "$(dirname "$0")/runs"
				echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status":
				  {"token": "'$(cat "$(dirname "$0")/token")'"}}'""");
		runner(kubeconfig("""
				exec:
				  apiVersion: client.authentication.k8s.io/v1
				  interactiveMode: Never
				  command: ./plugin""")).run((context) -> {
			SharedIndexInformer<V1ConfigMap> informer = informer(context);
			for (int round = 1; round <= TOKENS; round++) {
				int runs = runs();
				issue(round);
				// the API server caches valid tokens for 10 s
				awaitExternal().pollInterval(Duration.ofMillis(500)).until(() -> {
					informer.relist();
					return runs() > runs;
				});
				String name = "round-" + round;
				core().createNamespacedConfigMap(NAMESPACE, configMap(NAMESPACE, name)).execute();
				awaitExternal().atMost(Duration.ofSeconds(5))
					.until(() -> informer.state().phase() == Phase.WATCHING
							&& informer.lister().get(NAMESPACE, name).isPresent());
			}
			List<String> added = context.getBean(Journal.class).added;
			awaitExternal().until(() -> added.size() == TOKENS);
			assertThat(added).doesNotHaveDuplicates();
		});
		assertThat(output).doesNotContain("token-number-");
	}

	@Test
	void serverThatMovesToAnotherAuthority_isTrustedAfterTheFileWasSwapped() throws Exception {
		Path ca = Files.createSymbolicLink(this.folder.resolve("ca.crt"), Path.of("..data", "ca.crt"));
		byte[] old = controlPlane.caCertificate();
		project(new String(old, StandardCharsets.US_ASCII));
		TestAuthority authority = new TestAuthority("new-authority");
		Issued issued = authority.issue("kube-apiserver");
		ApiClient official = new ClientBuilder().setBasePath(controlPlane.url().toString())
			.setCertificateAuthority(old)
			.setAuthentication(new AccessTokenAuthentication(controlPlane.adminToken()))
			.build();
		assertThat(new CoreV1Api(official).listNode().execute().getItems()).isEmpty();
		runner().withPropertyValues("informer.connection.url=" + controlPlane.url(),
				"informer.connection.ca-certificate=" + ca, "informer.connection.token=" + controlPlane.adminToken())
			.run((context) -> {
				SharedIndexInformer<V1ConfigMap> informer = informer(context);
				controlPlane.replaceServerCertificate(issued.chain(), issued.key());
				awaitExternal().until(() -> failure(informer)
					.contains("unknown CA: the certificate of the server was " + "issued by 'CN=new-authority'"));
				core().createNamespacedConfigMap(NAMESPACE, configMap(NAMESPACE, "moved")).execute();
				project(authority.pem());
				awaitExternal().atMost(Duration.ofSeconds(60))
					.until(() -> informer.state().phase() == Phase.WATCHING
							&& informer.lister().get(NAMESPACE, "moved").isPresent());
				assertThatExceptionOfType(ApiException.class)
					.isThrownBy(() -> new CoreV1Api(official).listNode().execute());
			});
		close(official);
	}

	@Test
	void replacedClientCertificate_changesTheUser() throws Exception {
		certificate("first-user");
		runner(kubeconfig("{client-certificate: client.crt, client-key: client.key}")).run((context) -> {
			SharedIndexInformer<V1ConfigMap> informer = informer(context);
			awaitUser("first-user");
			certificate("second-user");
			awaitUser("second-user");
			core().createNamespacedConfigMap(NAMESPACE, configMap(NAMESPACE, "by-the-second")).execute();
			awaitExternal().until(() -> informer.lister().get(NAMESPACE, "by-the-second").isPresent());
		});
	}

	private void certificate(String user) throws IOException {
		Issued issued = clients.issue(user + ",O=system:masters");
		Files.writeString(this.folder.resolve("client.key"), issued.key());
		Files.writeString(this.folder.resolve("client.crt"), issued.chain());
	}

	private static void awaitUser(String name) {
		awaitExternal().until(() -> Files.readAllLines(audit)
			.stream()
			.anyMatch((line) -> line.contains("\"username\":\"" + name + "\"") && line.contains("\"verb\":\"watch\"")
					&& line.contains("configmaps")));
	}

	@Test
	void proxy_carriesAllTraffic() throws Exception {
		try (ConnectProxy proxy = new ConnectProxy()) {
			runner(kubeconfig("token: " + controlPlane.adminToken()))
				.withPropertyValues("informer.connection.proxy=" + proxy.url())
				.run((context) -> {
					SharedIndexInformer<V1ConfigMap> informer = informer(context);
					core().createNamespacedConfigMap(NAMESPACE, configMap(NAMESPACE, "proxied")).execute();
					awaitExternal().until(() -> informer.lister().get(NAMESPACE, "proxied").isPresent());
					assertThat(proxy.targets()).isNotEmpty()
						.containsOnly("CONNECT 127.0.0.1:" + controlPlane.url().getPort());
					proxy.close();
					awaitExternal().until(() -> failure(informer).contains("API server unreachable"));
				});
		}
	}

	@Test
	void auditLog_showsUserAgentAndImpersonatedUser() throws Exception {
		runner(kubeconfig("{token: " + controlPlane.adminToken() + ", as: jane, as-groups: [\"system:masters\"]}"))
			.withPropertyValues("spring.application.name=shop")
			.run((context) -> assertThat(informer(context).hasSynced()).isTrue());
		awaitExternal().until(() -> Files.readAllLines(audit)
			.stream()
			.anyMatch((line) -> line.contains("\"userAgent\":\"shop informer/")
					&& line.contains("\"impersonatedUser\":{\"username\":\"jane\"") && line.contains("configmaps")));
	}

	@Test
	void plainRequestToThePort_asksForTls() throws Exception {
		runner()
			.withPropertyValues("informer.connection.url=http://127.0.0.1:" + controlPlane.url().getPort(),
					"informer.resources.configmaps.required=false")
			.run((context) -> awaitExternal().until(() -> failure(informer(context)).contains("TLS required")));
	}

	private static String failure(SharedIndexInformer<?> informer) {
		InformerFailure failure = informer.state().failure();
		return (failure != null) ? failure.message() : "";
	}

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
			.withBean(Journal.class)
			.withPropertyValues("informer.resources.configmaps.namespaces=" + NAMESPACE);
	}

	private ApplicationContextRunner runner(Path kubeconfig) {
		return runner().withPropertyValues("informer.connection.kubeconfig=" + kubeconfig);
	}

	private Path kubeconfig(String user) throws IOException {
		return Files.writeString(this.folder.resolve("config"), """
				current-context: one
				contexts: [{name: one, context: {cluster: one, user: dev}}]
				clusters:
				- {name: one, cluster: {server: "%s", certificate-authority-data: %s}}
				users:
				- name: dev
				  user:
				%s""".formatted(controlPlane.url(), Base64.getEncoder().encodeToString(controlPlane.caCertificate()),
				user.indent(4)));
	}

	private void issue(int number) throws IOException {
		String token = "token-number-" + number;
		Files.writeString(this.folder.resolve("token"), token);
		webhook.accept(token);
	}

	private int runs() throws IOException {
		return Files.readAllLines(this.folder.resolve("runs")).size();
	}

	private void script(String text) throws IOException {
		Path script = Files.writeString(this.folder.resolve("plugin"), "#!/bin/sh\n" + text + "\n");
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
	}

	private void project(String ca) throws IOException {
		Path version = Files.createTempDirectory(this.folder, "..version");
		Files.writeString(version.resolve("ca.crt"), ca);
		Path link = Files.createSymbolicLink(this.folder.resolve("..data_tmp"), version.getFileName());
		Files.move(link, this.folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
	}

	private static SharedIndexInformer<V1ConfigMap> informer(ApplicationContext context) {
		return context.getBean(InformerRegistry.class).informer("configmaps", V1ConfigMap.class);
	}

	private static CoreV1Api core() throws IOException {
		return new CoreV1Api(Config.fromConfig(new StringReader(controlPlane.kubeconfig())));
	}

	private static void close(ApiClient client) {
		client.getHttpClient().connectionPool().evictAll();
		client.getHttpClient().dispatcher().executorService().shutdown();
	}

	static class Journal {

		private final List<String> added = new CopyOnWriteArrayList<>();

		@InformerHandler
		void record(ResourceEvent.Added<V1ConfigMap> event) {
			this.added.add(String.valueOf(event.object().getMetadata().getName()));
		}

	}

}
