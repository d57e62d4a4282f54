/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

import dev.informer.client.ScriptedServer.Script;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for HTTP/2 connections that no longer answer, wholly or in part.
 */
@Timeout(120)
class Http2ConnectionTests {

	/** A second of a limit lasts 30 ms. */
	private static final double SCALE = 0.03;

	private final List<AutoCloseable> open = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

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

	@Test
	void http2Connection_thatNoLongerAnswers_endsAllItsWatches() throws Exception {
		ScriptedServer server = http2Server(3);
		KubernetesConnection connection = http2(server);
		List<CompletableFuture<Object>> watches = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			WatchStream<V1ConfigMap> stream = RequestKind.watch(connection);
			watches.add(CompletableFuture.supplyAsync(() -> next(stream), this.threads));
		}
		for (CompletableFuture<Object> watch : watches) {
			assertThat(watch.get()).isInstanceOf(IOException.class);
		}
		RequestKind.watch(connection).close();
		assertThat(server.accepted()).isEqualTo(2);
	}

	/**
	 * The earliest possible end: two intervals of the pings, of 20 s each, after the
	 * connection, and the last data after the first of them.
	 */
	@Test
	void connectionThatIsSilentSinceItsLastPing_reportsSilentTime() throws Exception {
		ScriptedServer server = server((peer) -> {
			peer.startHttp2();
			int watched = peer.nextRequest();
			peer.sendHeaders(watched);
			peer.nextPing();
			peer.sendData(watched, ScriptedServer.ADDED);
		});
		KubernetesConnection connection = http2(server);
		long requested = System.nanoTime();
		WatchStream<V1ConfigMap> stream = RequestKind.watch(connection);
		assertThat(stream.next()).isInstanceOf(WatchEvent.Change.class);
		Duration untilLastData = Duration.ofNanos(System.nanoTime() - requested);
		assertThat(next(stream)).isInstanceOf(IOException.class);
		Duration untilEnd = Duration.ofMillis((long) (40_000 * SCALE));
		assertThat(stream.silence()).isPositive().isGreaterThanOrEqualTo(untilEnd.minus(untilLastData));
	}

	@Test
	void quietConnectionThatIsClosedByTheServer_isNotSilent() throws Exception {
		AtomicLong closing = new AtomicLong();
		ScriptedServer server = server((peer) -> {
			peer.startHttp2();
			peer.sendHeaders(peer.nextRequest());
			peer.nextPing();
			closing.set(System.nanoTime());
			peer.close();
		});
		WatchStream<V1ConfigMap> stream = RequestKind.watch(http2(server));
		assertThat(next(stream)).isInstanceOf(IOException.class);
		Duration silence = stream.silence();
		assertThat(silence).isLessThanOrEqualTo(Duration.ofNanos(System.nanoTime() - closing.get()));
	}

	@Test
	void http2Request_onConnectionThatNoLongerAnswers_takesItWithIt() throws Exception {
		ScriptedServer server = http2Server(1);
		KubernetesConnection connection = http2(server);
		WatchStream<V1ConfigMap> first = RequestKind.watch(connection);
		assertTimesOut(connection);
		assertThat(next(first)).isInstanceOf(IOException.class);
		RequestKind.watch(connection).close();
		assertThat(server.accepted()).isEqualTo(2);
	}

	/**
	 * A reflector ends its watch if it seems to be silent.
	 */
	@Test
	void http2Connection_whoseOnlyWatchWasEndedByThisSide_isNotUsedAgain() throws Exception {
		ScriptedServer server = http2Server(1);
		KubernetesConnection connection = http2(server);
		RequestKind.watch(connection).close();
		RequestKind.watch(connection).close();
		assertThat(server.accepted()).isEqualTo(2);
	}

	@Test
	void http2Connection_whoseOnlyWatchWasEndedByTheServer_isUsedAgain() throws Exception {
		ScriptedServer server = server((peer) -> {
			peer.startHttp2();
			int watched = peer.nextRequest();
			peer.sendHeaders(watched);
			peer.end(watched);
			peer.sendHeaders(peer.nextRequest());
		});
		KubernetesConnection connection = http2(server);
		try (WatchStream<V1ConfigMap> first = RequestKind.watch(connection)) {
			assertThat(first.next()).isNull();
		}
		RequestKind.watch(connection).close();
		assertThat(server.accepted()).isEqualTo(1);
	}

	@Test
	void http2Request_onConnectionThatStillAnswers_leavesIt() throws Exception {
		CountDownLatch timedOut = new CountDownLatch(1);
		ScriptedServer server = server((peer) -> {
			peer.startHttp2();
			int watched = peer.nextRequest();
			peer.sendHeaders(watched);
			this.threads.submit(() -> {
				timedOut.await();
				peer.sendData(watched, ScriptedServer.ADDED);
				return null;
			});
			while (true) {
				peer.nextRequest();
			}
		});
		KubernetesConnection connection = http2(server);
		WatchStream<V1ConfigMap> first = RequestKind.watch(connection);
		assertTimesOut(connection);
		timedOut.countDown();
		assertThat(first.next()).isInstanceOf(WatchEvent.Change.class);
		assertThat(server.accepted()).isEqualTo(1);
	}

	@Test
	void http2Request_thatCannotBeWritten_timesOut() throws Exception {
		ScriptedServer server = server((peer) -> {
			peer.startHttp2();
			peer.sendHeaders(peer.nextRequest());
		});
		KubernetesConnection connection = http2(server);
		WatchStream<V1ConfigMap> first = RequestKind.watch(connection);
		ListerWatcher<V1ConfigMap> large = RequestKind.source(connection, "x".repeat(20_000_000));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> large
			.watch(new WatchRequest("1", Duration.ofMinutes(5), false), (state) -> null, new Cancellation()));
		assertThat(next(first)).isInstanceOf(IOException.class);
	}

	@Test
	void http2Connections_thatRefuseEveryRequest_endTheRequest() throws IOException {
		ScriptedServer server = server((peer) -> {
			peer.startHttp2();
			peer.nextRequest();
			peer.goAway();
		});
		KubernetesConnection connection = http2(server);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> RequestKind.WATCH.send(connection));
		assertThat(server.accepted()).isLessThan(20);
	}

	private static Object next(WatchStream<V1ConfigMap> stream) {
		try {
			return String.valueOf(stream.next());
		}
		catch (IOException ex) {
			return ex;
		}
	}

	private static void assertTimesOut(KubernetesConnection connection) {
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> RequestKind.WATCH.send(connection))
			.withMessage("no response within 750 ms");
	}

	/**
	 * Return a server whose first connection answers some requests and then nothing.
	 */
	private ScriptedServer http2Server(int answered) throws IOException {
		return server((peer) -> {
			peer.startHttp2();
			for (int i = 0; i < answered || peer.number() > 1; i++) {
				peer.sendHeaders(peer.nextRequest());
			}
		});
	}

	private ScriptedServer server(Script script) throws IOException {
		ScriptedServer server = new ScriptedServer(script);
		this.open.add(server);
		return server;
	}

	private KubernetesConnection http2(ScriptedServer server) {
		return http2(server, (chain) -> chain.proceed(chain.request()));
	}

	private KubernetesConnection http2(ScriptedServer server, Interceptor interceptor) {
		OkHttpClient client = new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
			.addNetworkInterceptor(interceptor)
			.build();
		KubernetesConnection connection = new KubernetesConnection(new ApiClient(client).setBasePath(server.url()),
				SCALE);
		this.open.add(connection);
		return connection;
	}

}
