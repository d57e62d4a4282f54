/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import com.sun.net.httpserver.HttpServer;
import dev.informer.InformerFactory;
import dev.informer.InformerFailure;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.connection.ApiClientFactory.Options;
import dev.informer.spring.support.TestAuthority;
import dev.informer.spring.support.TlsServer;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Namespace;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failures of informers because of TLS or a wrong server, with the exceptions of the JDK
 * and of the HTTP client.
 */
@Timeout(60)
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

	@Test
	void missingClientCertificate_isNamed() throws Exception {
		SSLContext context = TlsServer.bundle(this.authority.issue("server"), this.authority).createSslContext();
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
			Thread thread = new Thread(() -> accept(server, context.getSocketFactory()), "tls-server");
			thread.start();
			assertThat(failure("https://127.0.0.1:" + server.getLocalPort())).contains("client certificate required");
			server.close();
			thread.join();
		}
	}

	/**
	 * Reject clients without a certificate. The connection stays open after the alert: a
	 * close with unread data would be a reset, which discards the alert.
	 */
	private static void accept(ServerSocket server, SSLSocketFactory sockets) {
		while (!server.isClosed()) {
			try (Socket socket = server.accept()) {
				SSLSocket tls = (SSLSocket) sockets.createSocket(socket, null, false);
				tls.setNeedClientAuth(true);
				try {
					tls.startHandshake();
				}
				catch (SSLException ex) {
					socket.getInputStream().readAllBytes();
				}
			}
			catch (IOException ex) {
				// the client has reset the connection, or the test has ended
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
		ApiClient client = new ApiClientFactory(new KubernetesConnectionDetails() {

			@Override
			public String getUrl() {
				return url;
			}

			@Override
			public String getCaCertificate() {
				return TlsFailureTests.this.authority.pem();
			}

		}, null, null, new Options(null, null, "test")).createApiClient();
		try (InformerFactory informers = InformerFactory.create(client)) {
			SharedIndexInformer<V1Namespace> informer = informers.informer(V1Namespace.class);
			informers.start();
			await().until(() -> informer.state().failure() != null);
			@Nullable InformerFailure failure = informer.state().failure();
			return (failure != null) ? failure.message() : "";
		}
	}

}
