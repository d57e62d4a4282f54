/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.informer.fault.proxy.FaultProxy.Accepting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests with a server that sends back what it receives.
 */
class FaultProxyTests {

	private ServerSocket server;

	private FaultProxy proxy;

	@BeforeEach
	void start() throws IOException {
		this.server = echo();
		this.proxy = new FaultProxy(this.server.getLocalPort());
	}

	private static ServerSocket echo() throws IOException {
		ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		Thread acceptor = new Thread(() -> {
			while (!server.isClosed()) {
				try {
					Socket socket = server.accept();
					Thread thread = new Thread(() -> echo(socket), "echo");
					thread.setDaemon(true);
					thread.start();
				}
				catch (IOException ex) {
					return;
				}
			}
		}, "echo-acceptor");
		acceptor.setDaemon(true);
		acceptor.start();
		return server;
	}

	private static void echo(Socket socket) {
		try (socket) {
			socket.getInputStream().transferTo(socket.getOutputStream());
		}
		catch (IOException ex) {
			// Reset by a test
		}
	}

	@AfterEach
	void stop() throws IOException {
		this.proxy.close();
		this.server.close();
	}

	@Test
	void healthyNetwork_forwardsBothWays() throws IOException {
		try (Socket client = connect()) {
			assertThat(echo(client, "hello")).isEqualTo("hello");
			assertThat(echo(client, "again")).isEqualTo("again");
		}
		assertThat(this.proxy.connections()).isOne();
	}

	@Test
	void reset_endsConnectionsWithReset() throws IOException {
		try (Socket client = connect()) {
			echo(client, "hello");
			this.proxy.reset();
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> client.getInputStream().read());
		}
		try (Socket client = connect()) {
			assertThat(echo(client, "hello")).isEqualTo("hello");
		}
	}

	@Test
	void connectionsDuringReset_areEndedByTheNextOne() throws Exception {
		Queue<Socket> clients = new ConcurrentLinkedQueue<>();
		List<CompletableFuture<Void>> connecting = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			connecting.add(CompletableFuture.runAsync(() -> connectTimes(100, clients)));
		}
		CompletableFuture<Void> all = CompletableFuture.allOf(connecting.toArray(CompletableFuture[]::new));
		while (!all.isDone()) {
			this.proxy.reset();
		}
		all.get();
		await().until(() -> this.proxy.connections() == clients.size());
		await().untilAsserted(() -> {
			this.proxy.reset();
			assertThat(clients).allMatch(FaultProxyTests::isEnded);
		});
	}

	private void connectTimes(int times, Queue<Socket> clients) {
		for (int i = 0; i < times; i++) {
			try {
				Socket client = connect();
				client.setSoTimeout(1);
				clients.add(client);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	private static boolean isEnded(Socket client) {
		try {
			return client.getInputStream().read() < 0;
		}
		catch (SocketTimeoutException ex) {
			return false;
		}
		catch (IOException ex) {
			return true;
		}
	}

	@Test
	void move_outlastsTheEndOfAllFaults() throws IOException {
		try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			other.setSoTimeout(30_000);
			this.proxy.moveTo(other.getLocalPort());
			this.proxy.heal();
			try (Socket client = connect(); Socket accepted = other.accept()) {
				accepted.getOutputStream().write('x');
				assertThat(client.getInputStream().read()).isEqualTo('x');
			}
		}
	}

	@Test
	void finish_endsConnectionsWithFin() throws IOException {
		try (Socket client = connect()) {
			echo(client, "hello");
			this.proxy.finish();
			assertThat(client.getInputStream().read()).isEqualTo(-1);
		}
	}

	@Test
	void refuse_refusesUntilHealed() throws IOException {
		this.proxy.refuse();
		assertThatExceptionOfType(ConnectException.class).isThrownBy(this::connect);
		this.proxy.heal();
		try (Socket client = connect()) {
			assertThat(echo(client, "hello")).isEqualTo("hello");
		}
	}

	@Test
	void refuse_repeatedly_refusesAtOnce() {
		for (int round = 0; round < 1_000; round++) {
			this.proxy.refuse();
			assertThatExceptionOfType(ConnectException.class).isThrownBy(this::connect);
			this.proxy.heal();
		}
	}

	@Test
	void connectionOpenedDuringRefuse_isReset() throws Exception {
		for (int round = 0; round < 50; round++) {
			CompletableFuture<Socket> connecting = CompletableFuture.supplyAsync(() -> {
				try {
					return connect();
				}
				catch (IOException ex) {
					return new Socket();
				}
			});
			this.proxy.refuse();
			try (Socket client = connecting.get()) {
				if (client.isConnected()) {
					client.setSoTimeout(5_000);
					assertThatExceptionOfType(SocketException.class).isThrownBy(() -> client.getInputStream().read());
				}
			}
			this.proxy.heal();
		}
	}

	@Test
	void halfOpenToServer_keepsConnectionOpenAndSilent() throws IOException {
		assertSilent(true, false);
	}

	@Test
	void halfOpenFromServer_keepsConnectionOpenAndSilent() throws IOException {
		assertSilent(false, true);
	}

	private void assertSilent(boolean up, boolean down) throws IOException {
		try (Socket client = connect(); Socket later = new Socket()) {
			echo(client, "hello");
			this.proxy.halfOpen(up, down);
			this.proxy.heal();
			client.setSoTimeout(300);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> echo(client, "lost"));
			later.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.proxy.port()));
			assertThat(echo(later, "hello")).isEqualTo("hello");
		}
	}

	@Test
	void silentAcceptance_neverAnswersEvenAfterHealing() throws IOException {
		this.proxy.accepting(Accepting.SILENT);
		try (Socket client = connect()) {
			await().until(() -> this.proxy.connections() == 1);
			this.proxy.heal();
			client.setSoTimeout(300);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> echo(client, "lost"));
		}
	}

	@Test
	void serverDown_resetsNewConnections() throws IOException {
		try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.proxy.target(unused.getLocalPort());
		}
		try (Socket client = connect()) {
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> client.getInputStream().read());
		}
	}

	@Test
	void cut_endsConnectionAfterExactNumberOfBytes() throws IOException {
		this.proxy.shape(Shape.HEALTHY, Shape.cutAfter(3));
		try (Socket client = connect()) {
			client.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
			assertThat(client.getInputStream().readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("hel");
		}
	}

	@Test
	void corruption_changesBytes() throws IOException {
		this.proxy.shape(Shape.HEALTHY, Shape.corruptAfter(10));
		try (Socket client = connect()) {
			assertThat(echo(client, "0123456789abcdef")).hasSize(16).isNotEqualTo("0123456789abcdef");
		}
	}

	@Test
	void latency_delaysBothWays() throws IOException {
		Shape slow = Shape.latency(Duration.ofMillis(100));
		this.proxy.shape(slow, slow);
		try (Socket client = connect()) {
			long start = System.nanoTime();
			echo(client, "hello");
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
		}
	}

	@Test
	void bandwidth_limitsBytesPerSecond() throws IOException {
		this.proxy.shape(Shape.HEALTHY, Shape.bandwidth(10_000));
		try (Socket client = connect()) {
			long start = System.nanoTime();
			echo(client, "x".repeat(5_000));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
		}
	}

	@Test
	void otherTarget_receivesNewConnections() throws IOException {
		try (ServerSocket other = echo()) {
			this.server.close();
			this.proxy.target(other.getLocalPort());
			try (Socket client = connect()) {
				assertThat(echo(client, "hello")).isEqualTo("hello");
			}
		}
	}

	private Socket connect() throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.proxy.port());
		socket.setSoTimeout(10_000);
		return socket;
	}

	private static String echo(Socket socket, String text) throws IOException {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		socket.getOutputStream().write(bytes);
		InputStream input = socket.getInputStream();
		return new String(input.readNBytes(bytes.length), StandardCharsets.UTF_8);
	}

}
