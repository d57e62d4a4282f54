/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import com.sun.net.httpserver.HttpServer;
import dev.informer.client.connection.ClusterConnection;
import dev.informer.client.connection.ServerDetails;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.HandshakeServer;
import dev.informer.test.support.TestAuthority;
import dev.informer.test.support.TestAuthority.Issued;
import dev.informer.test.support.TlsServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Failures of informers because of TLS or a wrong server, with the exceptions of the JDK
 * and of the HTTP client.
 */
@Timeout(120)
class TlsFailureTests {

	private final TestAuthority authority = new TestAuthority("first");

	@Test
	void unknownAuthority_isNamedWithTheTrustedOne() {
		try (TlsServer server = new TlsServer(new TestAuthority("other").issue("server"), null)) {
			assertThat(failure(server.url())).contains("unknown CA: the certificate of the server was issued by "
					+ "'CN=other', trusted is 'CN=first' of ");
		}
	}

	@Test
	void otherHost_isNamedWithThoseOfTheCertificate() {
		try (TlsServer server = new TlsServer(this.authority.issueForHost("server", "one.example.com"), null)) {
			assertThat(failure(server.url()))
				.contains("the certificate of the server is for [one.example.com], not for host 127.0.0.1.");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void missingClientCertificate_isNamed(String protocol) throws Exception {
		try (HandshakeServer server = new HandshakeServer(this.authority, protocol, HandshakeServer::rejectWithAlert)) {
			assertThat(failure(server.url())).contains("client certificate required");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void clientCertificateOfOtherAuthority_isNamedInsteadOfTheServer(String protocol) throws Exception {
		Issued other = new TestAuthority("other").issue("client");
		try (HandshakeServer server = new HandshakeServer(this.authority, protocol, HandshakeServer::rejectWithAlert)) {
			assertThat(failure(server.url(), other)).contains("client certificate re", "Check the client certificate")
				.doesNotContain("unknown CA");
		}
	}

	/**
	 * The server checks the certificate after the handshake of the client, and its close
	 * is a reset, because the request arrives unread.
	 */
	@Test
	void missingClientCertificate_isNamedWithoutAnAlert() throws Exception {
		try (HandshakeServer server = new HandshakeServer(this.authority, "TLSv1.3", HandshakeServer::reset)) {
			assertThat(failure(server.url()))
				.contains("connection closed after the TLS handshake (",
						"in which the server requested a client certificate and received none")
				.endsWith("Configure a client certificate for the connection if the server requires one.");
		}
		try (HandshakeServer server = new HandshakeServer(this.authority, "TLSv1.3",
				HandshakeServer::closeAfterRequest)) {
			assertThat(failure(server.url())).contains("(the connection ended before a complete response), in which "
					+ "the server requested a client certificate and received none");
		}
	}

	@Test
	void clientCertificate_isSuspectedWithoutAnAlert() throws Exception {
		try (HandshakeServer server = new HandshakeServer(this.authority, "TLSv1.3", HandshakeServer::reset)) {
			assertThat(failure(server.url(), this.authority.issue("client")))
				.contains("in which the server received the client certificate")
				.endsWith("Check the client certificate of the connection: its CA, its expiry and its key.");
		}
	}

	@Test
	void serverThatRequiresClientCertificates_isNamed() {
		try (TlsServer server = new TlsServer(this.authority.issue("server"), this.authority)) {
			assertThat(failure(server.url())).contains("client certificate");
		}
	}

	@Test
	void resetByServerWithoutClientCertificates_isUnreachable() throws Exception {
		try (HandshakeServer server = new HandshakeServer(this.authority, "TLSv1.3", (socket, tls) -> {
			tls.setWantClientAuth(false);
			HandshakeServer.reset(socket, tls);
		})) {
			assertThat(failure(server.url())).contains("API server unreachable, ");
		}
	}

	@Test
	void resetAfterResponse_isUnreachable() throws Exception {
		AtomicReference<@Nullable HandshakeServer> started = new AtomicReference<>();
		try (HandshakeServer server = new HandshakeServer(this.authority, "TLSv1.3",
				HandshakeServer.answerOnceAndReset(() -> Objects.requireNonNull(started.get()).stopListening()))) {
			started.set(server);
			assertThat(failure(server.url())).contains("API server unreachable, ").doesNotContain("certificate");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "alert", "reset", "unknown CA", "no TLS" })
	void discovery_namesTheSameCause(String cause) throws Exception {
		TestAuthority other = new TestAuthority("other");
		try (HandshakeServer server = switch (cause) {
			case "alert" -> new HandshakeServer(this.authority, "TLSv1.3", HandshakeServer::rejectWithAlert);
			case "reset" -> new HandshakeServer(this.authority, "TLSv1.3", HandshakeServer::reset);
			case "unknown CA" -> new HandshakeServer(other, "TLSv1.3", HandshakeServer::rejectWithAlert);
			default -> new HandshakeServer(this.authority, "TLSv1.3", HandshakeServer::answerWithoutTls);
		}) {
			String expected = failure(server.url()).replaceFirst("^Cannot list [^:]*: ", "")
				.replaceAll("\\(.*?\\)", "");
			try (InformerFactory informers = InformerFactory.create(client(server.url(), null))) {
				assertThatIllegalStateException()
					.isThrownBy(() -> informers.discover(DynamicKubernetesObject.class, "tenants.v1.example.com"))
					.withMessageStartingWith("Cannot discover resource 'tenants.v1.example.com': ")
					.satisfies((failure) -> assertThat(String.valueOf(failure.getMessage()).replaceAll("\\(.*?\\)", ""))
						.endsWith(": " + expected));
			}
		}
	}

	@Test
	void serverWithoutTls_isNamed() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			assertThat(failure(kubernetes.url().replace("http:", "https:")))
				.contains("no TLS, the server at this port answers without it. Use http in the URL");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			400 | Client sent an HTTP request to an HTTPS server.
			400 | <html><center>The plain HTTP request was sent to HTTPS port</center></html>
			""")
	void serverWithTls_isNamed(int code, String answer) throws Exception {
		HttpServer server = plain(code, answer);
		try {
			assertThat(failure("http://127.0.0.1:" + server.getAddress().getPort()))
				.contains("TLS required, the server at this port does not answer without it. Use https in the URL");
		}
		finally {
			server.stop(0);
		}
	}

	@Test
	void otherServer_isSuspected() throws Exception {
		HttpServer server = plain(404, "<html>404 page not found</html>");
		try {
			assertThat(failure("http://127.0.0.1:" + server.getAddress().getPort())).contains("404",
					"is the URL of the connection that of an API server?");
		}
		finally {
			server.stop(0);
		}
	}

	private static HttpServer plain(int code, String answer) throws Exception {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		server.createContext("/", (exchange) -> {
			byte[] body = answer.getBytes(StandardCharsets.US_ASCII);
			exchange.sendResponseHeaders(code, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		server.start();
		return server;
	}

	private String failure(String url) {
		return failure(url, null);
	}

	private String failure(String url, @Nullable Issued certificate) {
		try (InformerFactory informers = InformerFactory.create(client(url, certificate))) {
			SharedIndexInformer<V1Namespace> informer = informers.informer(V1Namespace.class);
			informers.start();
			await().until(() -> informer.state().failure() != null);
			@Nullable InformerFailure failure = informer.state().failure();
			return (failure != null) ? failure.message() : "";
		}
	}

	private ApiClient client(String url, @Nullable Issued certificate) {
		ServerDetails details = new ServerDetails() {

			@Override
			public String getUrl() {
				return url;
			}

			@Override
			public String getCaCertificate() {
				return TlsFailureTests.this.authority.pem();
			}

			@Override
			public @Nullable String getClientCertificate() {
				return (certificate != null) ? certificate.chain() : null;
			}

			@Override
			public @Nullable String getClientKey() {
				return (certificate != null) ? certificate.key() : null;
			}

		};
		return ClusterConnection.create((settings) -> settings.server(details)).apiClient();
	}

}
