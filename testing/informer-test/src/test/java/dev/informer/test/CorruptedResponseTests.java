/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.informer.test.TestClient.WatchReader;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static dev.informer.test.TestClient.configMap;
import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for corrupted responses and half-open connections.
 */
class CorruptedResponseTests {

	private static final String WATCH = CONFIG_MAPS + "?watch=true";

	private static final Duration A_WHILE = Duration.ofMillis(300);

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes
		.start((options) -> options.bookmarkInterval(Duration.ofMillis(50)));

	private final Faults faults = this.kubernetes.faults();

	private final TestClient client = new TestClient(this.kubernetes);

	@BeforeEach
	void create() {
		this.kubernetes.create(configMap("a", "1"));
		this.kubernetes.create(configMap("b", "2"));
	}

	@Test
	void frozenConnection_answersNothing() throws IOException {
		int port = URI.create(this.kubernetes.url()).getPort();
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			send(socket, "/readyz");
			assertThat(new String(socket.getInputStream().readNBytes(15), StandardCharsets.US_ASCII))
				.isEqualTo("HTTP/1.1 200 OK");
			this.faults.freezeConnections();
			skipWhatHasCome(socket);
			this.kubernetes.clearRequests();
			send(socket, "/readyz");
			socket.setSoTimeout((int) A_WHILE.toMillis());
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> socket.getInputStream().read());
			assertThat(this.kubernetes.requests()).isEmpty();
			assertThat(newClient().get(CONFIG_MAPS).code()).isEqualTo(200);
		}
	}

	@Test
	void frozenWatch_staysOpenAndSendsNothing() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH + "&allowWatchBookmarks=true&timeoutSeconds=1&resourceVersion="
				+ this.kubernetes.resourceVersion())) {
			assertThat(watch.event()).isEqualTo("BOOKMARK");
			this.faults.freezeConnections();
			this.kubernetes.create(configMap("c", "3"));
			skipBookmarks(watch);
			assertThat(watch.isIdleFor(Duration.ofMillis(1500))).as("not even the end is sent").isTrue();
			try (WatchReader another = newClient().watch(WATCH)) {
				assertThat(another.event()).isEqualTo("ADDED a 1");
			}
		}
		await().until(() -> this.kubernetes.openWatches() == 0);
	}

	@Test
	void stalledWatch_sendsNothingUntilItsEnd() throws IOException {
		try (WatchReader watch = this.client
			.watch(WATCH + "&allowWatchBookmarks=true&resourceVersion=" + this.kubernetes.resourceVersion())) {
			assertThat(watch.event()).isEqualTo("BOOKMARK");
			this.faults.stallWatches();
			this.kubernetes.create(configMap("c", "3"));
			skipBookmarks(watch);
			assertThat(watch.isIdleFor(A_WHILE)).isTrue();
			try (WatchReader another = this.client.watch(WATCH)) {
				assertThat(another.event()).isEqualTo("ADDED a 1");
			}
			this.faults.endWatches();
			assertThat(watch.line()).isEqualTo(WatchReader.END);
		}
	}

	@Test
	void watchStalledFromTheStart_opensAndSendsNothing() throws IOException {
		this.faults.next(1, Verb.WATCH, "configmaps", Fault.stalled());
		try (WatchReader watch = this.client.watch(WATCH + "&allowWatchBookmarks=true&timeoutSeconds=1")) {
			assertThat(watch.code()).isEqualTo(200);
			assertThat(watch.isIdleFor(Duration.ofMillis(1500))).isTrue();
		}
		try (WatchReader watch = this.client.watch(WATCH)) {
			assertThat(watch.event()).isEqualTo("ADDED a 1");
		}
	}

	@Test
	void slowResponse_isDelayed() {
		String right = this.client.get(CONFIG_MAPS).body();
		this.faults.next(1, Verb.LIST, "configmaps", Fault.slow(100, Duration.ofMillis(50)));
		long start = System.nanoTime();
		assertThat(this.client.get(CONFIG_MAPS).body()).isEqualTo(right);
		assertThat(Duration.ofNanos(System.nanoTime() - start))
			.isGreaterThanOrEqualTo(Duration.ofMillis(50L * ((right.length() - 1) / 100)));
		assertThatIllegalArgumentException().isThrownBy(() -> Fault.slow(0, Duration.ZERO));
	}

	@Test
	void slowResponse_endsWhenItsClientDisconnects() throws IOException {
		this.faults.next(1, Verb.WATCH, "configmaps", Fault.slow(1, Duration.ofDays(1)));
		WatchReader watch = this.client.watch(WATCH);
		assertThat(this.kubernetes.openWatches()).isEqualTo(1);
		watch.close();
		await().until(() -> this.kubernetes.openWatches() == 0);
	}

	@Test
	void cutResponse_breaksInTheMiddle() {
		String right = this.client.get(CONFIG_MAPS).body();
		this.faults.next(1, Verb.LIST, "configmaps", Fault.cutAfter(150));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(CONFIG_MAPS));
		this.faults.next(1, Verb.GET, "configmaps", Fault.cutAfter(150));
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> this.client.get(CONFIG_MAPS + "/a"));
		assertThat(this.client.get(CONFIG_MAPS).body()).isEqualTo(right);
	}

	@Test
	void truncatedResponse_isIncompleteJson() {
		String right = this.client.get(CONFIG_MAPS).body();
		this.faults.next(1, Verb.LIST, "configmaps", Fault.truncated(150));
		TestClient.Answer answer = this.client.get(CONFIG_MAPS);
		assertThat(answer.code()).isEqualTo(200);
		assertThat(answer.body()).isEqualTo(right.substring(0, 150));
		assertThatExceptionOfType(JacksonException.class).isThrownBy(answer::json);
	}

	@Test
	void replacedText_corruptsOneObjectOfAList() {
		this.faults.next(1, Verb.LIST, "configmaps", Fault.replaced("{\"value\":\"1\"}", "[7]"));
		TestClient.Answer answer = this.client.get(CONFIG_MAPS);
		assertThat(answer.json().path("items").path(0).path("data").toString()).isEqualTo("[7]");
		assertThat(answer.json().path("items").path(1).path("data").toString()).isEqualTo("{\"value\":\"2\"}");
		this.faults.next(1, Verb.GET, "configmaps", Fault.replaced("\"data\":", "\"data\""));
		TestClient.Answer broken = this.client.get(CONFIG_MAPS + "/a");
		assertThatExceptionOfType(JacksonException.class).isThrownBy(broken::json);
		assertThat(this.client.get(CONFIG_MAPS + "/a").json().path("data").isObject()).isTrue();
	}

	@Test
	void replacedText_corruptsEventsOfAWatch() throws IOException {
		this.faults.next(1, Verb.WATCH, "configmaps", Fault.replaced("\"value\":\"bad\"", "\"value\":{\"not\":1}"));
		try (WatchReader watch = this.client.watch(WATCH + "&resourceVersion=" + this.kubernetes.resourceVersion())) {
			this.kubernetes.create(configMap("c", "bad"));
			assertThat(watch.line()).startsWith("{\"type\":\"ADDED\"").contains("\"data\":{\"value\":{\"not\":1}}");
			this.kubernetes.create(configMap("d", "good"));
			assertThat(watch.event()).isEqualTo("ADDED d good");
			this.kubernetes.delete("configmaps", "default", "c");
			assertThat(watch.line()).startsWith("{\"type\":\"DELETED\"").contains("{\"not\":1}");
		}
	}

	private TestClient newClient() {
		HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
		return new TestClient(this.kubernetes.url(), http, "");
	}

	private static void send(Socket socket, String path) throws IOException {
		socket.getOutputStream()
			.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
	}

	private static void skipWhatHasCome(Socket socket) throws IOException {
		InputStream in = socket.getInputStream();
		socket.setSoTimeout((int) A_WHILE.toMillis());
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> {
			while (in.read() != -1) {
				// the rest of the first response
			}
		});
	}

	/**
	 * Skip the bookmarks sent before the watch was frozen or stalled.
	 */
	private static void skipBookmarks(WatchReader watch) {
		await().until(() -> watch.isIdleFor(A_WHILE));
	}

}
