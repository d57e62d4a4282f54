/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.informer.client.connection.ClusterConnection;
import dev.informer.client.connection.ServerDetails;
import dev.informer.test.support.ConnectProxy;
import dev.informer.test.support.TestAuthority;
import dev.informer.test.support.TlsServer;
import dev.informer.testing.CapturedLog;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Namespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Connections through proxies, and the failures of informers because of them.
 */
@Timeout(120)
class ProxyTests {

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private static final String REJECTED = "user and password required by the proxy, or rejected (407). "
			+ "Check user and password in the URL of the proxy.";

	private final TestAuthority authority = new TestAuthority("first");

	private final TlsServer server = new TlsServer(this.authority.issue("server"), null);

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void userAndPassword_areSentToTheProxyOnly() throws Exception {
		try (ConnectProxy proxy = new ConnectProxy("me:p@ss:w/ö+rd")) {
			assertThat(connect(this.server.url(), proxy.url("me:p%40ss:w%2F%C3%B6+rd@"))).isEqualTo("connected");
			assertThat(proxy.targets()).isNotEmpty()
				.allMatch(("CONNECT " + this.server.url().replace("https://", ""))::equals);
			assertThat(this.server.last().headers()).noneMatch((header) -> header.startsWith("Proxy-"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "me@", "me:wrong-secret@" })
	void rejectedPassword_isNamed(String user) throws Exception {
		try (ConnectProxy proxy = new ConnectProxy("me:secret")) {
			assertThat(connect(this.server.url(), proxy.url(user))).endsWith(REJECTED);
		}
	}

	@Test
	void serverWithoutTls_isReachedByAuthenticatedRequests() throws Exception {
		List<String> authorizations = new CopyOnWriteArrayList<>();
		HttpServer proxy = proxy((exchange) -> {
			String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Proxy-Authorization"));
			authorizations.add(authorization);
			if (authorization.equals("Basic bWU6c2VjcmV0")) {
				answerWithList(exchange);
			}
			else {
				exchange.getResponseHeaders().add("Proxy-Authenticate", "Basic realm=\"proxy\"");
				exchange.sendResponseHeaders(407, -1);
				exchange.close();
			}
		});
		try {
			String address = "127.0.0.1:" + proxy.getAddress().getPort();
			String url = "http://kubernetes.example.com";
			assertThat(connect(url, "http://me:secret@" + address)).isEqualTo("connected");
			assertThat(authorizations).containsExactly("null", "Basic bWU6c2VjcmV0");
			assertThat(connect(url, "http://me:wrong@" + address)).endsWith(REJECTED);
			assertThat(connect(url, "http://" + address)).endsWith(REJECTED);
		}
		finally {
			proxy.stop(0);
		}
	}

	@Test
	void refusedConnection_isNamed() throws Exception {
		try (ConnectProxy proxy = new ConnectProxy()) {
			proxy.refuse(true);
			assertThat(connect(this.server.url(), proxy.url())).endsWith("connection refused by the proxy (403). "
					+ "Check that the proxy allows connections to the API server, and can reach it.");
			proxy.refuse(false);
			assertThat(connect(this.server.url(), proxy.url())).isEqualTo("connected");
		}
	}

	@Test
	void logAtTrace_hasNoPassword() throws Exception {
		this.log.setLevel(Level.TRACE);
		try (ConnectProxy proxy = new ConnectProxy("me:secret")) {
			connect(this.server.url(), proxy.url("me:secret@"));
			connect(this.server.url(), proxy.url("me:secrets@"));
		}
		assertThat(this.log.text()).contains("Using Kubernetes API server").doesNotContain("secret", "bWU6c2Vj");
	}

	private static HttpServer proxy(HttpHandler handler) throws Exception {
		HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		proxy.createContext("/", handler);
		proxy.start();
		return proxy;
	}

	private static void answerWithList(HttpExchange exchange) throws IOException {
		byte[] body = "{\"kind\":\"NamespaceList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[]}"
			.getBytes(StandardCharsets.US_ASCII);
		exchange.getResponseHeaders().add("Content-Type", "application/json");
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	/**
	 * List the namespaces through a proxy.
	 * @return {@code connected}, or the failure of the informer
	 */
	private String connect(String url, String proxy) {
		ServerDetails details = new ServerDetails() {

			@Override
			public String getUrl() {
				return url;
			}

			@Override
			public String getCaCertificate() {
				return ProxyTests.this.authority.pem();
			}

			@Override
			public String getToken() {
				return "x";
			}

		};
		try (ClusterConnection connection = ClusterConnection
			.create((settings) -> settings.server(details).proxy(proxy))) {
			ApiClient client = connection.apiClient();
			try {
				new CoreV1Api(client).listNamespace().execute();
				return "connected";
			}
			catch (ApiException ex) {
				return failure(client);
			}
		}
	}

	private static String failure(ApiClient client) {
		try (InformerFactory informers = InformerFactory.create(client)) {
			SharedIndexInformer<V1Namespace> informer = informers.informer(V1Namespace.class);
			informers.start();
			await().until(() -> informer.state().failure() != null);
			return Objects.requireNonNull(informer.state().failure()).message();
		}
	}

}
