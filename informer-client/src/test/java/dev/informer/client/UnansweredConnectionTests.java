/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.informer.client.ScriptedServer.Peer;
import dev.informer.client.ScriptedServer.Script;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import okhttp3.OkHttpClient;
import okio.AsyncTimeout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for connections that are accepted and then not answered, at each stage of a
 * request.
 */
@Timeout(120)
class UnansweredConnectionTests {

	/** A second of a limit lasts 30 ms. */
	private static final double SCALE = 0.03;

	private final List<AutoCloseable> open = new ArrayList<>();

	private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);

	@BeforeAll
	static void loadClasses() throws IOException {
		RequestKind.watchUnlimited();
	}

	@AfterEach
	void close() throws Exception {
		this.threads.shutdownNow();
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	@ParameterizedTest
	@EnumSource
	void acceptedConnection_withoutAnswer_timesOut(RequestKind kind) throws IOException {
		KubernetesConnection connection = connection(server((peer) -> {
		}).url());
		assertTimesOut(connection, kind, "no response within");
	}

	@ParameterizedTest
	@EnumSource
	void tlsHandshake_withoutAnswer_timesOut(RequestKind kind) throws IOException {
		KubernetesConnection connection = connection("https://127.0.0.1:" + server((peer) -> {
		}).port());
		assertTimesOut(connection, kind, "no connection within 450 ms");
	}

	@ParameterizedTest
	@EnumSource
	void tlsHandshake_thatStops_timesOut(RequestKind kind) throws IOException {
		// the first bytes of a ServerHello
		ScriptedServer server = server((peer) -> peer.write(new byte[] { 0x16, 3, 3, 0, 0x7a, 2, 0 }));
		assertTimesOut(connection("https://127.0.0.1:" + server.port()), kind, "no connection within 450 ms");
	}

	@ParameterizedTest
	@EnumSource
	void proxy_withoutAnswer_timesOut(RequestKind kind) throws IOException {
		ScriptedServer proxy = server(Peer::readRequest);
		OkHttpClient client = new OkHttpClient.Builder()
			.proxy(new Proxy(Proxy.Type.HTTP, new InetSocketAddress("127.0.0.1", proxy.port())))
			.build();
		assertTimesOut(connection("https://cluster.example", client), kind, "no connection within 450 ms");
	}

	/**
	 * OkHttp does not cancel what its interceptors wait for.
	 */
	@ParameterizedTest
	@EnumSource
	void interceptorThatHangs_isInterrupted(RequestKind kind) throws IOException {
		CountDownLatch never = new CountDownLatch(1);
		OkHttpClient client = new OkHttpClient.Builder().addInterceptor((chain) -> {
			awaitForever(never);
			return chain.proceed(chain.request());
		}).build();
		KubernetesConnection connection = connection(server((peer) -> {
		}).url(), client);
		assertTimesOut(connection, kind, "no connection within 450 ms");
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void nameServerThatHangs_isInterrupted(RequestKind kind) {
		CountDownLatch never = new CountDownLatch(1);
		OkHttpClient client = new OkHttpClient.Builder().dns((host) -> {
			awaitForever(never);
			return List.of();
		}).build();
		assertTimesOut(connection("https://cluster.example", client), kind, "no connection within 450 ms");
	}

	private static void awaitForever(CountDownLatch never) {
		try {
			never.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("interrupted", ex);
		}
	}

	/**
	 * All clients of a process share it.
	 */
	@ParameterizedTest
	@EnumSource
	void timerOfOkioThatIsBlocked_doesNotDelayTimeouts(RequestKind kind) throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		AsyncTimeout blocking = new AsyncTimeout() {

			@Override
			protected void timedOut() {
				blocked.countDown();
				awaitForever(released);
			}

		};
		blocking.timeout(1, TimeUnit.MILLISECONDS);
		blocking.enter();
		try {
			blocked.await();
			assertTimesOut(connection(server((peer) -> {
			}).url()), kind, "no response within");
			assertSilentWatchEnds();
		}
		finally {
			released.countDown();
		}
	}

	@ParameterizedTest
	@EnumSource
	void responseHeaders_thatStop_timeOut(RequestKind kind) throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\nContent-Ty");
		});
		assertTimesOut(connection(server.url()), kind, "no response within");
	}

	@ParameterizedTest
	@EnumSource
	void interimResponses_withoutFinalOne_endTheRequest(RequestKind kind) throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			while (true) {
				peer.write("HTTP/1.1 102 Processing\r\n\r\n");
			}
		});
		KubernetesConnection connection = connection(server.url());
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> kind.send(connection));
	}

	@ParameterizedTest
	@EnumSource(names = { "LIST", "DISCOVERY" })
	void body_thatStops_timesOut(RequestKind kind) throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"kind\":");
		});
		assertTimesOut(connection(server.url()), kind, "within 900 ms");
	}

	@Test
	void listThatDribbles_timesOut() throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n{\"kind\":");
			this.threads.scheduleAtFixedRate(() -> writeBlank(peer), 0, 20, TimeUnit.MILLISECONDS);
		});
		assertTimesOut(connection(server.url()), RequestKind.LIST, "not complete within 3 s");
	}

	@ParameterizedTest
	@EnumSource
	void explanationOfFailure_thatStops_leavesItsCode(RequestKind kind) throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 429 X\r\nRetry-After: 7\r\nContent-Length: 1000\r\n\r\n{\"kind\":\"Sta");
		});
		KubernetesConnection connection = connection(server.url());
		assertThatExceptionOfType(ServerStatusException.class).isThrownBy(() -> kind.send(connection))
			.satisfies((ex) -> {
				assertThat(ex.status().code()).isEqualTo(429);
				assertThat(ex.status().retryAfter()).isEqualTo(Duration.ofSeconds(7));
			});
	}

	@Test
	void idleConnection_thatNoLongerAnswers_isNotUsedAgain() throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.respond(200, ScriptedServer.EMPTY_LIST);
			if (peer.number() > 2) {
				peer.readRequest();
				peer.respond(200, ScriptedServer.EMPTY_LIST);
			}
		});
		KubernetesConnection connection = connection(server.url());
		RequestKind.LIST.send(connection);
		assertTimesOut(connection, RequestKind.LIST, "no response within");
		RequestKind.LIST.send(connection);
		assertThat(server.accepted()).isEqualTo(2);
	}

	@Test
	void idleTimeout_endsWatchThatIsSilent() throws IOException {
		assertSilentWatchEnds();
	}

	private void assertSilentWatchEnds() throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\n\r\n" + ScriptedServer.ADDED);
		});
		WatchStream<V1ConfigMap> stream = RequestKind.watch(connection(server.url()));
		stream.idleTimeout(Duration.ofMillis(500));
		assertThat(stream.next()).isInstanceOf(WatchEvent.Change.class);
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(stream::next)
			.withMessage("no data within 500 ms");
	}

	@Test
	void idleTimeout_countsOnlyWhileDataIsAwaited() throws Exception {
		CountDownLatch continued = new CountDownLatch(1);
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\n\r\n" + ScriptedServer.ADDED);
			awaitForever(continued);
			peer.write(ScriptedServer.ADDED);
		});
		WatchStream<V1ConfigMap> stream = RequestKind.watch(connection(server.url()));
		assertThat(stream.next()).isInstanceOf(WatchEvent.Change.class);
		stream.idleTimeout(Duration.ofSeconds(2));
		long began = System.nanoTime();
		await().until(() -> System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(2500));
		continued.countDown();
		assertThat(stream.next()).isInstanceOf(WatchEvent.Change.class);
	}

	@Test
	void endlessDurations_areAccepted() throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\n\r\n" + ScriptedServer.ADDED);
		});
		Duration forever = ChronoUnit.FOREVER.getDuration();
		try (WatchStream<V1ConfigMap> stream = RequestKind.source(connection(server.url()), null)
			.watch(new WatchRequest("1", forever, false), (state) -> null, new Cancellation())) {
			stream.idleTimeout(forever);
			assertThat(stream.next()).isInstanceOf(WatchEvent.Change.class);
			stream.idleTimeout(Duration.ofSeconds(Long.MAX_VALUE));
		}
	}

	@Test
	void timeoutsOfCallersClient_areNotUsed() throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\n\r\n" + ScriptedServer.ADDED);
			peer.readBytes(1);
		});
		OkHttpClient client = new OkHttpClient.Builder().callTimeout(Duration.ofMillis(1))
			.readTimeout(Duration.ofMillis(1))
			.pingInterval(Duration.ofMillis(1))
			.build();
		WatchStream<V1ConfigMap> stream = RequestKind.watch(connection(server.url(), client));
		assertThat(stream.next()).isInstanceOf(WatchEvent.Change.class);
		stream.idleTimeout(Duration.ofMillis(500));
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(stream::next)
			.withMessage("no data within 500 ms");
	}

	@Test
	void manyReconnects_leaveNoConnection() throws Exception {
		ScriptedServer server = server((peer) -> {
			peer.readRequest();
			if (peer.number() % 2 == 0) {
				peer.write("HTTP/1.1 200 OK\r\n\r\n" + ScriptedServer.ADDED);
			}
			peer.close();
		});
		KubernetesConnection connection = connection(server.url());
		for (int i = 0; i < 200; i++) {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> RequestKind.LIST.send(connection));
		}
		await().until(() -> server.openConnections() == 0);
	}

	private void assertTimesOut(KubernetesConnection connection, RequestKind kind, String message) {
		long began = System.nanoTime();
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> kind.send(connection))
			.withMessageContaining(message)
			.withNoCause();
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
	}

	private static void writeBlank(Peer peer) {
		try {
			peer.write(" ");
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private ScriptedServer server(Script script) throws IOException {
		ScriptedServer server = new ScriptedServer(script);
		this.open.add(server);
		return server;
	}

	private KubernetesConnection connection(String url) {
		return connection(url, new ApiClient().getHttpClient());
	}

	private KubernetesConnection connection(String url, OkHttpClient client) {
		KubernetesConnection connection = new KubernetesConnection(new ApiClient(client).setBasePath(url), SCALE);
		this.open.add(connection);
		return connection;
	}

}
