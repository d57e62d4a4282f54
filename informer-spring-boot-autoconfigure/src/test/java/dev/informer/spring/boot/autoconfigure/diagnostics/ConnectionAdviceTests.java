/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

import dev.informer.Lister;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.ConnectProxy;
import dev.informer.test.support.TestAuthority;
import dev.informer.test.support.TestAuthority.Issued;
import dev.informer.test.support.TlsServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Namespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Advice about the connection, and that in the messages of informers that have none:
 * followed literally, it connects the application.
 */
@Timeout(120)
class ConnectionAdviceTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final TestAuthority authority = new TestAuthority("first");

	private final TlsServer server = new TlsServer(this.authority.issue("server"), null);

	@TempDir
	private Path folder;

	@AfterEach
	void close() {
		this.server.close();
		this.kubernetes.close();
	}

	private ApplicationContextRunner unconnected() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
					KubernetesConnectionAutoConfiguration.class, SslAutoConfiguration.class))
			.withSystemProperties("user.home=" + this.folder)
			.withPropertyValues("informer.startup.timeout=3s")
			.withBean("consumer", NamespaceConsumer.class);
	}

	private ApplicationContextRunner connected() {
		return unconnected().withPropertyValues("informer.connection.url=" + this.kubernetes.url());
	}

	private ApplicationContextRunner withTls() {
		return unconnected().withPropertyValues("informer.connection.url=" + this.server.url());
	}

	@Test
	void noCluster() throws IOException {
		Advice advice = Advice.of(unconnected());
		assertThat(advice.description()).startsWith("No Kubernetes cluster was found");
		start(unconnected().withPropertyValues(advice.key("informer.connection.url") + "=" + this.kubernetes.url()));
		Path kubeconfig = Files.writeString(this.folder.resolve("my.config"), this.kubernetes.kubeconfig());
		start(unconnected().withPropertyValues(advice.key("informer.connection.kubeconfig") + "=" + kubeconfig));
		assertThat(advice.action()).contains("define an ApiClient or a KubernetesConnectionDetails bean");
		start(unconnected().withBean(ApiClient.class, () -> new ApiClient().setBasePath(this.kubernetes.url())));
		start(unconnected().withBean(KubernetesConnectionDetails.class, () -> this.kubernetes::url));
		unconnected().withPropertyValues(advice.assignment("informer.auto-startup"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void tokenWithoutUrl() {
		Advice advice = Advice.of(unconnected().withPropertyValues("informer.connection.token=x"));
		start(unconnected().withPropertyValues("informer.connection.token=x",
				advice.key("informer.connection.url") + "=" + this.kubernetes.url()));
	}

	@Test
	void invalidUrl() {
		String address = this.kubernetes.url().replace("http://", "");
		Advice advice = Advice.of(unconnected().withPropertyValues("informer.connection.url=" + address));
		String example = advice.example();
		assertThat(example).matches("https://[0-9.]+:[0-9]+");
		start(unconnected()
			.withPropertyValues("informer.connection.url=" + example.replaceFirst("https://.*", "http://" + address)));
	}

	@Test
	void combinedProperties() {
		ApplicationContextRunner both = connected().withPropertyValues("informer.connection.token=x");
		Path file = this.folder.resolve("token");
		Advice advice = Advice.of(both.withPropertyValues("informer.connection.token-file=" + file));
		assertThat(advice.action()).isEqualTo("Remove one of them.");
		start(both);
	}

	@Test
	void missingTokenFile() throws IOException {
		ApplicationContextRunner missing = connected()
			.withPropertyValues("informer.connection.token-file=" + this.folder.resolve("token"));
		assertThat(Advice.of(missing).action()).isEqualTo("Specify a file that contains a bearer token.");
		Files.writeString(this.folder.resolve("token"), "x");
		start(missing);
	}

	@Test
	void missingCaCertificate() throws IOException {
		Path file = this.folder.resolve("ca.crt");
		ApplicationContextRunner missing = withTls().withPropertyValues("informer.connection.ca-certificate=" + file);
		assertThat(Advice.of(missing).action())
			.isEqualTo("Specify a file with certificates in PEM format, or its content.");
		Files.writeString(file, this.authority.pem());
		start(missing);
		start(withTls().withPropertyValues("informer.connection.ca-certificate=" + this.authority.pem()));
	}

	@Test
	void missingBundle() {
		ApplicationContextRunner missing = withTls().withPropertyValues("informer.connection.ssl.bundle=api");
		String prefix = Advice.of(missing).text("Define it below (spring\\.ssl\\.bundle),");
		ApplicationContextRunner other = withTls()
			.withPropertyValues(prefix + ".pem.mine.truststore.certificate=" + this.authority.pem());
		start(missing.withPropertyValues(prefix + ".pem.api.truststore.certificate=" + this.authority.pem()));
		Advice advice = Advice.of(other.withPropertyValues("informer.connection.ssl.bundle=api"));
		start(other.withPropertyValues("informer.connection.ssl.bundle=" + advice.choices().get(0)));
	}

	@Test
	void missingKubeconfigOrContext() throws IOException {
		Path file = this.folder.resolve("my.config");
		ApplicationContextRunner missing = unconnected().withPropertyValues("informer.connection.kubeconfig=" + file);
		assertThat(Advice.of(missing).action()).startsWith("Specify an existing kubeconfig with a current context");
		Files.writeString(file, this.kubernetes.kubeconfig());
		start(missing);
		Advice advice = Advice.of(missing.withPropertyValues("informer.connection.context=other"));
		start(missing.withPropertyValues("informer.connection.context=" + advice.choices().get(0)));
	}

	@Test
	void unsupportedProxy() throws IOException {
		ApplicationContextRunner trusting = withTls()
			.withPropertyValues("informer.connection.ca-certificate=" + this.authority.pem());
		try (ConnectProxy proxy = new ConnectProxy("user:p@ssword")) {
			Advice advice = Advice
				.of(trusting.withPropertyValues("informer.connection.proxy=" + proxy.url().replace("http", "https")));
			String form = advice.text("(http://user:password@)proxy\\.example\\.com:3128 or");
			String encoded = advice.text("for example @ as (%40)");
			start(trusting.withPropertyValues("informer.connection.proxy="
					+ proxy.url(form.replace("http://", "").replace("password", "p" + encoded + "ssword"))));
			assertThat(proxy.targets()).isNotEmpty();
		}
	}

	@Test
	void passwordThatTheProxyRejects() throws IOException {
		ApplicationContextRunner trusting = withTls()
			.withPropertyValues("informer.connection.ca-certificate=" + this.authority.pem());
		try (ConnectProxy proxy = new ConnectProxy("me:secret")) {
			Advice advice = Advice.of(trusting.withPropertyValues("informer.connection.proxy=" + proxy.url("me:x@")));
			assertThat(advice.description()).contains("Check user and password in the URL of the proxy.");
			start(trusting.withPropertyValues("informer.connection.proxy=" + proxy.url("me:secret@")));
		}
	}

	@Test
	void unknownAuthority() throws IOException {
		Advice advice = Advice.of(withTls());
		assertThat(advice.description()).contains("Add the CA of the server to the CA certificates of the connection.");
		start(withTls()
			.withPropertyValues(advice.key("informer.connection.ca-certificate") + "=" + this.authority.pem()));
		start(withTls().withPropertyValues(advice.key("informer.connection.ssl.bundle") + "=api",
				"spring.ssl.bundle.pem.api.truststore.certificate=" + this.authority.pem()));
		start(inKubeconfig(advice.text("(certificate-authority),") + "-data: " + data(this.authority.pem()), "{}"));
	}

	@Test
	void otherHost() throws IOException {
		String authority = "certificate-authority-data: " + data(this.authority.pem());
		this.server.move(this.authority.issueForHost("server", "one.example.com"), null);
		Advice advice = Advice.of(inKubeconfig(authority, "{}"));
		String host = new Advice("", advice.description()).text("is for \\[([^]]+)], not for host");
		assertThat(advice.description()).contains("or set its tls-server-name.");
		start(inKubeconfig(authority + "\n" + advice.text("(tls-server-name) in the kubeconfig") + ": " + host, "{}"));
	}

	@Test
	void missingClientCertificate() throws IOException {
		String authority = "certificate-authority-data: " + data(this.authority.pem());
		this.server.move(this.authority.issue("server"), this.authority);
		Issued client = this.authority.issue("client");
		Advice advice = Advice.of(inKubeconfig(authority, "{}"));
		assertThat(advice.description()).containsPattern(
				"onfigure a client certificate for the connection|" + "Check the client certificate of the connection");
		start(inKubeconfig(authority, "{" + advice.text("(client-certificate), ") + "-data: " + data(client.chain())
				+ ", " + advice.text("(client-key) ") + "-data: " + data(client.key()) + "}"));
		start(withTls().withPropertyValues(advice.key("informer.connection.ssl.bundle") + "=api",
				"spring.ssl.bundle.pem.api.truststore.certificate=" + this.authority.pem(),
				"spring.ssl.bundle.pem.api.keystore.certificate=" + client.chain(),
				"spring.ssl.bundle.pem.api.keystore.private-key=" + client.key()));
	}

	@Test
	void wrongScheme() {
		String secure = this.kubernetes.url().replace("http://", "https://");
		Advice withoutTls = Advice.of(unconnected().withPropertyValues("informer.connection.url=" + secure));
		assertThat(withoutTls.description()).contains("Use http in the URL of the connection");
		start(unconnected().withPropertyValues(
				withoutTls.key("informer.connection.url") + "=" + secure.replace("https://", "http://")));
		String plain = this.server.url().replace("https://", "http://");
		ApplicationContextRunner trusting = unconnected()
			.withPropertyValues("informer.connection.ca-certificate=" + this.authority.pem());
		Advice advice = Advice.of(trusting.withPropertyValues("informer.connection.url=" + plain));
		assertThat(advice.action()).contains("the URL of the connection");
		start(trusting.withPropertyValues("informer.connection.url=" + this.server.url()));
	}

	@Test
	void answerOfAnotherServer() {
		this.kubernetes.faults().always(Verb.LIST, "namespaces", Fault.body("<html>Welcome</html>"));
		assertThat(Advice.of(connected()).description())
			.contains("Check that the URL is that of a Kubernetes API server and that no proxy answers in its place.");
		this.kubernetes.faults().clear();
		start(connected());
	}

	private ApplicationContextRunner inKubeconfig(String cluster, String user) throws IOException {
		Path file = Files.createTempFile(this.folder, "kube", "config");
		Files.writeString(file, """
				current-context: one
				contexts: [{name: one, context: {cluster: one, user: me}}]
				clusters:
				- name: one
				  cluster:
				    server: %s
				%susers:
				- name: me
				  user: %s
				""".formatted(this.server.url(), cluster.indent(4), user));
		return unconnected().withPropertyValues("informer.connection.kubeconfig=" + file);
	}

	private static String data(String pem) {
		return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
	}

	private static void start(ApplicationContextRunner runner) {
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(InformerRegistry.class).informers()).isNotEmpty()
				.allSatisfy((informer) -> assertThat(informer.hasSynced()).isTrue());
		});
	}

	static class NamespaceConsumer {

		NamespaceConsumer(Lister<V1Namespace> namespaces) {
		}

	}

}
