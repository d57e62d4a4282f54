/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import dev.informer.client.FailureReason.Kind;
import dev.informer.client.ScriptedServer.Script;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.logging.HttpLoggingInterceptor;
import org.assertj.core.api.ThrowingConsumer;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KubernetesConnection}: closing, credentials, redirects, and user code
 * that interrupts or fails.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class KubernetesConnectionTests {

	private final List<AutoCloseable> open = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		Thread.interrupted();
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	@ParameterizedTest
	@EnumSource
	void closedConnection_refusesRequests(RequestKind kind) throws IOException {
		ScriptedServer server = lists();
		KubernetesConnection connection = connection(server);
		connection.close();
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> kind.send(connection))
			.withMessageContaining("the connection is closed");
		assertThat(server.accepted()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void close_endsRequestsAndLeavesNoConnection(RequestKind kind) throws Exception {
		ScriptedServer server = server((peer) -> {
		});
		KubernetesConnection connection = connection(server);
		CompletableFuture<Object> request = CompletableFuture.supplyAsync(() -> send(kind, connection));
		await().until(() -> server.accepted() == 1);
		connection.close();
		assertThat(request.get()).isInstanceOf(IOException.class);
		await().until(() -> server.openConnections() == 0);
	}

	@Test
	void close_endsTheThreadOfTheTimeouts() throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\n\r\n" + ScriptedServer.ADDED);
			peer.readBytes(1);
		});
		KubernetesConnection connection = connection(server);
		RequestKind.watch(connection);
		assertThat(timerThreads()).isNotEmpty();
		connection.close();
		await().until(() -> timerThreads().isEmpty());
	}

	private static List<Thread> timerThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("kubernetes-connection-timeouts"))
			.toList();
	}

	@Test
	void close_duringRequests_leavesNoConnection() throws Exception {
		ScriptedServer server = lists();
		for (int i = 0; i < 50; i++) {
			KubernetesConnection connection = connection(server);
			List<CompletableFuture<Object>> requests = new ArrayList<>();
			for (int j = 0; j < 3; j++) {
				requests.add(CompletableFuture.supplyAsync(() -> send(RequestKind.LIST, connection)));
			}
			connection.close();
			for (CompletableFuture<Object> request : requests) {
				request.get();
			}
		}
		await().until(() -> server.openConnections() == 0);
	}

	@Test
	void clientWithDebugging_deliversWatchEvents() throws Exception {
		assertWatchIsDelivered(new ApiClient().setDebugging(true));
	}

	@ParameterizedTest
	@EnumSource(HttpLoggingInterceptor.Level.class)
	void clientThatLogs_deliversWatchEvents(HttpLoggingInterceptor.Level level) throws Exception {
		HttpLoggingInterceptor log = new HttpLoggingInterceptor().setLevel(level);
		assertWatchIsDelivered(new ApiClient(new OkHttpClient.Builder().addInterceptor(log).build()));
		assertWatchIsDelivered(new ApiClient(new OkHttpClient.Builder().addNetworkInterceptor(log).build()));
		assertThat(log.getLevel()).isEqualTo(level);
	}

	private void assertWatchIsDelivered(ApiClient client) throws Exception {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\n\r\n" + ScriptedServer.ADDED);
			peer.readBytes(1);
		});
		List<String> lines = new CopyOnWriteArrayList<>();
		Logger logger = Logger.getLogger(OkHttpClient.class.getName());
		Handler handler = new Handler() {

			@Override
			public void publish(LogRecord event) {
				lines.add(event.getMessage());
			}

			@Override
			public void flush() {
			}

			@Override
			public void close() {
			}

		};
		logger.addHandler(handler);
		try {
			KubernetesConnection connection = new KubernetesConnection(client.setBasePath(server.url()));
			this.open.add(connection);
			CompletableFuture<Boolean> delivered = CompletableFuture.supplyAsync(() -> hasNext(connection));
			assertThat(delivered.get(20, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			logger.removeHandler(handler);
		}
		assertThat(lines).noneMatch((line) -> line.contains("ADDED"));
	}

	private static boolean hasNext(KubernetesConnection connection) {
		try {
			return RequestKind.watch(connection).next() != null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void interceptorThatFailsAfterResponse_leavesNoConnection() throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\n\r\n" + ScriptedServer.ADDED);
		});
		KubernetesConnection connection = connection(server, new OkHttpClient.Builder().addInterceptor((chain) -> {
			chain.proceed(chain.request());
			throw new StackOverflowError("of the interceptor");
		}).build());
		for (int i = 0; i < 20; i++) {
			assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> RequestKind.WATCH.send(connection));
		}
		await().until(() -> server.openConnections() == 0);
	}

	@Test
	void eventListenerThatFails_doesNotKeepRequestFromTimingOut() throws Exception {
		ScriptedServer server = server((peer) -> {
		});
		OkHttpClient client = new OkHttpClient.Builder().eventListener(new EventListener() {
			@Override
			public void canceled(Call call) {
				throw new IllegalStateException("of the event listener");
			}
		}).build();
		KubernetesConnection connection = new KubernetesConnection(new ApiClient(client).setBasePath(server.url()),
				0.01);
		this.open.add(connection);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> RequestKind.WATCH.send(connection));
		}
	}

	@ParameterizedTest
	@EnumSource
	void rejectedCredentials_areRefreshedOnce(RequestKind kind) throws IOException {
		AtomicInteger requests = new AtomicInteger();
		ScriptedServer server = server((peer) -> {
			while (true) {
				peer.readRequest();
				requests.incrementAndGet();
				peer.respond(401, "{}");
			}
		});
		AtomicInteger tokens = new AtomicInteger();
		ApiClient client = new ApiClient();
		new RefreshAuthentication(() -> "token-" + tokens.incrementAndGet(), Duration.ofHours(1)).provide(client);
		KubernetesConnection connection = new KubernetesConnection(client.setBasePath(server.url()));
		this.open.add(connection);
		int before = tokens.get();
		assertThatExceptionOfType(ServerStatusException.class).isThrownBy(() -> kind.send(connection))
			.satisfies((ex) -> assertThat(ex.status().code()).isEqualTo(401));
		assertThat(requests).hasValue(2);
		assertThat(tokens).hasValueGreaterThan(before);
	}

	@ParameterizedTest
	@EnumSource(names = { "LIST", "DISCOVERY" })
	void invalidResponse_isNotQuotedByFailure(RequestKind kind) throws IOException {
		assertResponseIsNotQuoted(kind::send);
	}

	@Test
	void invalidObject_isNotQuotedByFailure() throws IOException {
		assertResponseIsNotQuoted((connection) -> connection.send("GET", "/api/v1/namespaces/a", null,
				Duration.ofSeconds(10), new Cancellation()));
	}

	@ParameterizedTest
	@CsvSource({ "409, 10, 1", "404, 100000, 1", "401, 10, 3", "503, 10, 3" })
	void refusedRequest_keepsConnectionThatWorks(int code, int length, int connections) throws IOException {
		ScriptedServer server = server((peer) -> {
			while (true) {
				peer.readRequest();
				peer.respond(code, "x".repeat(length));
			}
		});
		KubernetesConnection connection = connection(server);
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(ServerStatusException.class).isThrownBy(() -> connection.send("DELETE",
					"/api/v1/namespaces/a", Map.of(), null, null, false, Duration.ofSeconds(10)));
		}
		assertThat(server.accepted()).isEqualTo(connections);
	}

	@ParameterizedTest
	@CsvSource({ "503, 503: error trying to reach service: EOF", "504, 504: error trying to reach service: EOF",
			"500, 500", "404, 404" })
	void textOfAGateway_isTheReason(int code, String message) throws IOException {
		KubernetesConnection connection = connection(server((peer) -> {
			peer.readRequest();
			peer.respond(code, "error trying to reach service: EOF\n");
		}));
		assertThatExceptionOfType(ServerStatusException.class)
			.isThrownBy(() -> connection.send("DELETE", "/api/v1/namespaces/a", Map.of(), null, null, false,
					Duration.ofSeconds(10)))
			.withMessage(message);
	}

	private void assertResponseIsNotQuoted(ThrowingConsumer<KubernetesConnection> request) throws IOException {
		for (String body : List.of("\"hunter2\"", "{\"metadata\": \"hunter2\"]", "[{\"data\": \"hunter2\"}]",
				"data: hunter2")) {
			KubernetesConnection connection = connection(server((peer) -> {
				peer.readRequest();
				peer.respond(200, body);
			}));
			assertThatExceptionOfType(MalformedResponseException.class).as(body)
				.isThrownBy(() -> request.acceptThrows(connection))
				.satisfies((ex) -> assertThat(Throwables.getStackTrace(ex)).as(body).doesNotContain("hunter2"));
		}
	}

	@ParameterizedTest
	@EnumSource
	void redirect_isReportedAndNotFollowed(RequestKind kind) throws IOException {
		ScriptedServer other = lists();
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 307 X\r\nLocation: http://user:hunter22@127.0.0.1:" + other.port()
					+ "/login?state=hunter22\r\nContent-Length: 0\r\n\r\n");
		});
		assertThatExceptionOfType(ServerStatusException.class).isThrownBy(() -> kind.send(connection(server)))
			.withMessage("307: redirected to http://127.0.0.1:" + other.port())
			.satisfies((ex) -> {
				FailureReason reason = FailureReason.of(ex);
				assertThat(reason.kind()).isEqualTo(Kind.MALFORMED_RESPONSE);
				assertThat(reason.remedy()).contains("Redirects are not followed");
			});
		assertThat(other.accepted()).isZero();
	}

	@Test
	void refusalOfAnonymousUser_isAboutCredentials() {
		FailureReason anonymous = reasonOf(
				"pods is forbidden: User \"system:anonymous\" cannot list resource \"pods\"");
		assertThat(anonymous.kind()).isEqualTo(Kind.FORBIDDEN);
		assertThat(anonymous.remedy()).contains("recognized no credentials").contains("grant no rights to this user");
		assertThat(reasonOf("pods is forbidden: User \"app\" cannot list resource \"pods\"").remedy()).isEmpty();
	}

	private static FailureReason reasonOf(String message) {
		return FailureReason
			.of(new ServerStatusException(new ServerStatus(403, "Forbidden", message, List.of(), null)));
	}

	@Test
	void redirectWithoutValidLocation_isReported() throws IOException {
		for (String location : List.of("", "Location: \r\n", "Location: ftp://x\r\n")) {
			ScriptedServer server = server((peer) -> {
				peer.readRequest();
				peer.write("HTTP/1.1 302 X\r\n" + location + "Content-Length: 0\r\n\r\n");
			});
			assertThatExceptionOfType(ServerStatusException.class).as(location)
				.isThrownBy(() -> RequestKind.LIST.send(connection(server)))
				.withMessageStartingWith("302: redirected to ");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "Authorization: Basic YWRtaW46aHVudGVyMjItcGFzcw==", "Authorization: Bearer hunter22-pass",
			"X-Auth-Token: hunter22-pass", "Cookie: hunter22-pass", "X-Api-Key: hunter22-pass" })
	void credentialInAnswer_isMasked(String header) throws IOException {
		String[] parts = header.split(": ", 2);
		OkHttpClient client = new OkHttpClient.Builder()
			.addInterceptor((chain) -> chain.proceed(chain.request().newBuilder().header(parts[0], parts[1]).build()))
			.build();
		for (String body : List.of("no access with hunter22-pass", "%s", "<td>%s</td>",
				"{\"kind\":\"Status\",\"reason\":\"hunter22-pass\",\"message\":\"hunter22-pass and %s\"}")) {
			ScriptedServer server = server((peer) -> {
				peer.readRequest();
				peer.respond(502, body.formatted(header));
			});
			try (KubernetesConnection connection = connection(server, client)) {
				assertThatExceptionOfType(ServerStatusException.class)
					.isThrownBy(() -> RequestKind.LIST.send(connection))
					.satisfies((ex) -> assertThat(ex.status().toString() + ex).contains("***")
						.doesNotContain("hunter22", "YWRtaW46"));
			}
		}
	}

	@Test
	void invalidHttp_isQuotedInOneLine() throws IOException {
		for (String answer : List.of("HTTP/9 \u001b[31m token=hunter22 " + "x".repeat(5000) + "\r\n\r\n",
				"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + "\u001b password=hunter22\r\n")) {
			ScriptedServer server = server((peer) -> {
				peer.readRequest();
				peer.write(answer);
			});
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> RequestKind.LIST.send(connection(server)))
				.satisfies((ex) -> assertThat(Throwables.getStackTrace(ex)).doesNotContain("hunter22", "\u001b",
						"xxxxx".repeat(200)));
		}
	}

	private static Object send(RequestKind kind, KubernetesConnection connection) {
		try {
			kind.send(connection);
			return "answered";
		}
		catch (IOException ex) {
			return ex;
		}
	}

	private ScriptedServer lists() throws IOException {
		return server((peer) -> {
			while (true) {
				peer.readRequest();
				peer.respond(200, ScriptedServer.EMPTY_LIST);
			}
		});
	}

	private ScriptedServer server(Script script) throws IOException {
		ScriptedServer server = new ScriptedServer(script);
		this.open.add(server);
		return server;
	}

	private KubernetesConnection connection(ScriptedServer server) {
		return connection(server, new OkHttpClient());
	}

	private KubernetesConnection connection(ScriptedServer server, OkHttpClient client) {
		KubernetesConnection connection = new KubernetesConnection(new ApiClient(client).setBasePath(server.url()));
		this.open.add(connection);
		return connection;
	}

	/**
	 * Places where user code leaves an interrupt flag.
	 */
	enum Interruption {

		BEFORE_REQUEST, INTERCEPTOR, INTERCEPTOR_AFTER_RESPONSE, NETWORK_INTERCEPTOR;

		void before() {
			if (this == BEFORE_REQUEST) {
				Thread.currentThread().interrupt();
			}
		}

		OkHttpClient client(List<Protocol> protocols) {
			OkHttpClient.Builder builder = new OkHttpClient.Builder().protocols(protocols);
			Interceptor before = (chain) -> {
				Thread.currentThread().interrupt();
				return chain.proceed(chain.request());
			};
			return switch (this) {
				case BEFORE_REQUEST -> builder.build();
				case INTERCEPTOR -> builder.addInterceptor(before).build();
				case NETWORK_INTERCEPTOR -> builder.addNetworkInterceptor(before).build();
				case INTERCEPTOR_AFTER_RESPONSE -> builder.addInterceptor((chain) -> {
					try {
						return chain.proceed(chain.request());
					}
					finally {
						Thread.currentThread().interrupt();
					}
				}).build();
			};
		}

	}

}
