/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManager;

import ch.qos.logback.classic.Level;
import dev.informer.client.CredentialsException;
import dev.informer.test.support.ConnectProxy;
import dev.informer.test.support.TestAuthority;
import dev.informer.test.support.TestAuthority.Issued;
import dev.informer.test.support.TlsServer;
import dev.informer.testing.CapturedLog;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Connections to a server with TLS, whose certificates, tokens and clients change.
 */
@Timeout(120)
class ConnectionTests {

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private static final String EXEC = "exec: {apiVersion: client.authentication.k8s.io/v1, "
			+ "interactiveMode: Never, command: ./plugin}";

	private final TestAuthority first = new TestAuthority("first");

	private final TestAuthority second = new TestAuthority("second");

	private final TlsServer server = new TlsServer(this.first.issue("server"), null);

	@TempDir
	private Path folder;

	private @Nullable ClusterConnection connection;

	private @Nullable ApiClient client;

	@AfterEach
	void close() {
		disconnect();
		this.server.close();
	}

	private void disconnect() {
		if (this.connection != null) {
			this.connection.close();
		}
	}

	@Test
	void newAuthority_isTrustedWithoutARestart() throws Exception {
		Path ca = Files.createSymbolicLink(this.folder.resolve("ca.crt"), Path.of("..data", "ca.crt"));
		project("ca.crt", this.first.pem());
		connect("certificate-authority: " + ca, "token: secret");
		list();
		this.server.move(this.second.issue("server"), null);
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list)
			.havingCause()
			.isInstanceOf(SSLHandshakeException.class)
			.withMessageContaining("unknown CA: the certificate of the server was issued by 'CN=second', "
					+ "trusted is 'CN=first' of kubeconfig " + this.folder.resolve("config"));
		project("ca.crt", this.second.pem());
		list();
	}

	@Test
	void removedAuthority_isNotTrustedByOpenConnections() throws Exception {
		Path ca = Files.writeString(this.folder.resolve("ca.crt"), this.first.pem() + this.second.pem());
		connect("certificate-authority: " + ca, "token: secret");
		list();
		Files.writeString(ca, this.second.pem());
		await().untilAsserted(() -> assertThatExceptionOfType(ApiException.class).isThrownBy(this::list)
			.havingCause()
			.withMessageContaining("unknown CA"));
		Files.writeString(ca, this.first.pem());
		list();
	}

	@Test
	void authorityThatCannotBeRead_isReportedOnce_untilItIsRestored() throws Exception {
		Path ca = Files.writeString(this.folder.resolve("ca.crt"), this.first.pem());
		connect("certificate-authority: " + ca, "token: secret");
		ClusterConnection connection = Objects.requireNonNull(this.connection);
		list();
		assertThat(connection.isRenewalFailing()).isFalse();
		Files.delete(ca);
		await().untilAsserted(() -> {
			list();
			assertThat(connection.isRenewalFailing()).isTrue();
		});
		list();
		assertThat(connection.isRenewalFailing()).isTrue();
		assertThat(this.log.text().split("Failed to reload the TLS certificates", -1)).hasSize(2);
		Files.writeString(ca, this.first.pem());
		await().untilAsserted(() -> {
			list();
			assertThat(connection.isRenewalFailing()).isFalse();
		});
	}

	@Test
	void authorityWithTheSameName_isReportedAsOtherKey() throws Exception {
		connect(data("certificate-authority-data", this.first.pem()), "token: secret");
		this.server.move(new TestAuthority("first").issue("server"), null);
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list)
			.havingCause()
			.withMessageContaining("trusted is 'CN=first' of kubeconfig")
			.withMessageContaining("which has another key");
	}

	@Test
	void unreadableAuthority_keepsTheLastOne() throws Exception {
		Path ca = Files.writeString(this.folder.resolve("ca.crt"), this.first.pem());
		connect("certificate-authority: " + ca, "token: secret");
		Files.writeString(ca, "-----BEGIN CERTIFICATE-----\n");
		this.server.move(this.second.issue("server"), null);
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list);
		this.server.move(this.first.issue("server"), null);
		list();
		Files.delete(ca);
		list();
		assertThat(this.log.text()).contains("keeping the last ones");
	}

	@Test
	void newClientCertificate_closesConnectionsWithTheOldOne() throws Exception {
		TestAuthority clients = new TestAuthority("clients");
		this.server.move(this.first.issue("server"), clients);
		write("client", clients.issue("old"));
		connect(data("certificate-authority-data", this.first.pem()), """
				client-certificate: client.crt
				client-key: client.key""");
		list();
		list();
		assertThat(this.server.last().peer()).isEqualTo("CN=old");
		assertThat(this.server.received().get(0).port()).isEqualTo(this.server.last().port());
		write("client", clients.issue("new"));
		await().ignoreExceptions().untilAsserted(() -> {
			list();
			assertThat(this.server.last().peer()).isEqualTo("CN=new");
		});
	}

	@Test
	void clientCertificateOfAPlugin_isRenewed() throws Exception {
		TestAuthority clients = new TestAuthority("clients");
		this.server.move(this.first.issue("server"), clients);
		credential(clients.issue("old"));
		script("cat \"$(dirname \"$0\")/credential\"");
		connect(data("certificate-authority-data", this.first.pem()), EXEC);
		list();
		assertThat(this.server.last().peer()).isEqualTo("CN=old");
		credential(clients.issue("new"));
		this.server.accept((header) -> Objects.equals(this.server.last().peer(), "CN=new"));
		await().ignoreExceptions().untilAsserted(this::list);
		assertThat(this.server.last().peer()).isEqualTo("CN=new");
	}

	@Test
	void reloadedConfiguration_isUsed() throws Exception {
		AtomicReference<ServerDetails.Tls> current = new AtomicReference<>(tls(this.first, null));
		connectWith(current::get);
		list();
		this.server.move(this.second.issue("server"), null);
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list);
		current.set(tls(this.second, null));
		list();
	}

	@Test
	void protocolsOfTheConfiguration_areUsed() throws Exception {
		ServerDetails.Tls restricted = tls(this.first, "TLSv1.2");
		connectWith(() -> restricted);
		list();
		assertThat(this.server.last().protocol()).isEqualTo("TLSv1.2");
	}

	@Test
	void rejectedToken_isReplacedByThePluginOnce() throws Exception {
		AtomicReference<String> valid = new AtomicReference<>("token-1");
		this.server.accept((header) -> Objects.equals(header, "Bearer " + valid.get()));
		script("""
				n=$(cat "$(dirname "$0")/n" 2>/dev/null || echo 0); n=$((n+1)); echo $n > "$(dirname "$0")/n"
				echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status":
				  {"token": "token-'$n'"}}'""");
		connect(data("certificate-authority-data", this.first.pem()), EXEC);
		list();
		valid.set("token-2");
		await().ignoreExceptions().untilAsserted(this::list);
		assertThat(Files.readString(this.folder.resolve("n"))).isEqualTo("2\n");
		assertThat(this.log.text()).doesNotContain("token-1", "token-2");
	}

	@Test
	void logAtTrace_hasNoSecret() throws Exception {
		this.log.setLevel(Level.TRACE);
		this.server.accept((header) -> false);
		Files.writeString(this.folder.resolve("token"), "secret-1");
		connect(data("certificate-authority-data", this.first.pem()), "token: secret-2\ntokenFile: token");
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list);
		script("echo '{\"kind\": \"ExecCredential\", \"status\": {\"token\": \"secret-3\"}}'");
		connect(data("certificate-authority-data", this.first.pem()), EXEC);
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list);
		connect(data("certificate-authority-data", this.first.pem()), "username: me\npassword: secret-4");
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list);
		assertThat(this.log.text()).contains("Using Kubernetes API server").doesNotContain("secret-", "bWU6c2Vj");
	}

	@Test
	void proxyUrl_carriesTheRequests() throws Exception {
		try (ConnectProxy proxy = new ConnectProxy()) {
			connect(data("certificate-authority-data", this.first.pem()) + "\nproxy-url: " + proxy.url(),
					"token: secret");
			list();
			assertThat(proxy.targets()).containsExactly("CONNECT " + this.server.url().replace("https://", ""));
		}
	}

	@Test
	void failingPlugin_failsTheRequestInsteadOfBeingAnonymous() throws Exception {
		script("echo 'log in first' >&2; exit 7");
		connect(data("certificate-authority-data", this.first.pem()),
				EXEC.replace("}", ", installHint: See the manual.}"));
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list)
			.havingCause()
			.isInstanceOf(CredentialsException.class)
			.withMessageContaining("exit code 7 (log in first). See the manual.");
		assertThat(this.server.received()).isEmpty();
	}

	@Test
	void unsendableToken_isReportedWithoutIt() throws Exception {
		connect(data("certificate-authority-data", this.first.pem()), "token: \"sec\\nret\"");
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list)
			.havingCause()
			.isInstanceOf(CredentialsException.class)
			.withMessageNotContaining("ret\"")
			.withNoCause();
	}

	@Test
	void impersonationAndUserAgent_areSent() throws Exception {
		connect(data("certificate-authority-data", this.first.pem()), """
				token: secret
				as: jane
				as-uid: "42"
				as-groups: [one, two]
				as-user-extra: {example.com/scope: [view, edit]}""");
		list();
		assertThat(this.server.last().headers()).contains("Authorization: Bearer secret",
				"User-agent: app informer/unknown", "Impersonate-user: jane", "Impersonate-uid: 42",
				"Impersonate-group: one", "Impersonate-group: two", "Impersonate-extra-example.com%2fscope: view",
				"Impersonate-extra-example.com%2fscope: edit");
	}

	@Test
	void serverName_isExpectedInsteadOfTheHost() throws Exception {
		this.server.move(this.first.issueForHost("server", "kubernetes.example.com"), null);
		connect(data("certificate-authority-data", this.first.pem()) + "\ntls-server-name: kubernetes.example.com",
				"token: secret");
		list();
		connect(data("certificate-authority-data", this.first.pem()) + "\ntls-server-name: other.example.com",
				"token: secret");
		assertThatExceptionOfType(ApiException.class).isThrownBy(this::list);
	}

	private void list() throws ApiException {
		new CoreV1Api(Objects.requireNonNull(this.client)).listNamespace().execute();
	}

	private void connect(String cluster, String user) throws IOException {
		Path kubeconfig = Files.writeString(this.folder.resolve("config"), """
				current-context: one
				contexts: [{name: one, context: {cluster: one, user: dev}}]
				clusters:
				- name: one
				  cluster:
				    server: %s
				%susers:
				- name: dev
				  user:
				%s""".formatted(this.server.url(), cluster.indent(4), user.indent(4)));
		connect((settings) -> settings.kubeconfig(kubeconfig));
	}

	private void connect(Consumer<ConnectionSettings> customizer) {
		disconnect();
		this.connection = ClusterConnection.create(customizer.andThen((settings) -> settings.application("app")));
		assertThat(this.connection.isRenewalFailing()).isNull();
		this.client = this.connection.apiClient();
	}

	private void connectWith(Supplier<ServerDetails.Tls> tls) {
		ServerDetails details = new ServerDetails() {

			@Override
			public String getUrl() {
				return ConnectionTests.this.server.url();
			}

			@Override
			public ServerDetails.Tls getTls() {
				return tls.get();
			}

		};
		connect((settings) -> settings.server(details));
	}

	private static ServerDetails.Tls tls(TestAuthority trusted, @Nullable String protocol) {
		return new ServerDetails.Tls() {

			@Override
			public KeyManager[] keyManagers() {
				return new KeyManager[0];
			}

			@Override
			public TrustManager[] trustManagers() {
				return trusted.trustManagers();
			}

			@Override
			public String @Nullable [] protocols() {
				return (protocol != null) ? new String[] { protocol } : null;
			}

		};
	}

	private static String data(String key, String pem) {
		return key + ": " + Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
	}

	private void write(String name, Issued issued) throws IOException {
		Files.writeString(this.folder.resolve(name + ".crt"), issued.chain());
		Files.writeString(this.folder.resolve(name + ".key"), issued.key());
	}

	private void credential(Issued issued) throws IOException {
		Files.writeString(this.folder.resolve("credential"), """
				{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status":
				  {"clientCertificateData": "%s", "clientKeyData": "%s"}}"""
			.formatted(issued.chain().replace("\n", "\\n"), issued.key().replace("\n", "\\n")));
	}

	private void script(String text) throws IOException {
		Path script = Files.writeString(this.folder.resolve("plugin"), "#!/bin/sh\n" + text + "\n");
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
	}

	/**
	 * Put a file into a new folder and replace the link to the old one, as the kubelet.
	 */
	private void project(String name, String content) throws IOException {
		Path version = Files.createTempDirectory(this.folder, "..version");
		Files.writeString(version.resolve(name), content);
		Path link = Files.createSymbolicLink(this.folder.resolve("..data_tmp"), version.getFileName());
		Files.move(link, this.folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
	}

}
