/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link MonitoredSocket}.
 */
@Timeout(120)
class MonitoredSocketTests {

	@Test
	void dataOfPeer_isActivity() throws Exception {
		try (ServerSocket server = server(); MonitoredSocket socket = connect(server); Socket peer = server.accept()) {
			long before = System.nanoTime();
			peer.getOutputStream().write(1);
			assertThat(socket.getInputStream().read()).isEqualTo(1);
			assertThat(socket.lastData() - before).isNotNegative();
			before = System.nanoTime();
			peer.close();
			assertThat(socket.getInputStream().read()).isNegative();
			assertThat(socket.lastData() - before).isNotNegative();
		}
	}

	/**
	 * As that of a server that sends an alert of TLS and closes while a request arrives.
	 */
	@Test
	void resetByPeer_isReportedByReadsAfterTheUnreadData() throws Exception {
		try (ServerSocket server = server(); MonitoredSocket socket = connect(server); Socket peer = server.accept()) {
			peer.getOutputStream().write(1);
			await().until(() -> socket.getInputStream().available() == 1);
			ConnectionSockets.abort(peer);
			for (int i = 0; i < 100; i++) {
				socket.getOutputStream().write(i);
				socket.getOutputStream().write(new byte[] { 1, 2, 3 });
			}
			assertThat(socket.getInputStream().read()).isEqualTo(1);
			assertThat(isEnded(socket)).isTrue();
		}
	}

	private static boolean isEnded(Socket socket) {
		try {
			return socket.getInputStream().read() < 0;
		}
		catch (IOException ex) {
			return true;
		}
	}

	@Test
	void writeAfterClose_fails() throws Exception {
		try (ServerSocket server = server(); MonitoredSocket socket = connect(server); Socket peer = server.accept()) {
			OutputStream output = socket.getOutputStream();
			socket.close();
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> output.write(1));
			assertThat(peer.getInputStream().read()).isNegative();
		}
	}

	@Test
	void readThatTimesOut_isNoActivity() throws Exception {
		try (ServerSocket server = server(); MonitoredSocket socket = connect(server); Socket peer = server.accept()) {
			long last = socket.lastData();
			socket.setSoTimeout(1);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> socket.getInputStream().read());
			assertThat(socket.lastData()).isEqualTo(last);
			assertThat(peer.isClosed()).isFalse();
		}
	}

	/**
	 * An SSL socket that is closed shuts the input of the socket below down first, which
	 * ends a read before the socket counts as closed.
	 */
	@Test
	void shutdownOfInput_isNoActivity() throws Exception {
		assertNoActivity(Socket::shutdownInput);
	}

	/**
	 * Before that, it shuts the output down. A proxy passes this on, or closes its side.
	 */
	@Test
	void answerToShutdownOfOutput_isNoActivity() throws Exception {
		try (ServerSocket server = server(); MonitoredSocket socket = connect(server); Socket peer = server.accept()) {
			long last = socket.lastData();
			socket.shutdownOutput();
			assertThat(peer.getInputStream().read()).isNegative();
			peer.close();
			assertThat(socket.getInputStream().read()).isNegative();
			assertThat(socket.lastData()).isEqualTo(last);
		}
	}

	@Test
	void close_isNoActivity() throws Exception {
		for (int i = 0; i < 200; i++) {
			assertNoActivity(Socket::close);
		}
	}

	private void assertNoActivity(End end) throws Exception {
		try (ServerSocket server = server(); MonitoredSocket socket = connect(server); Socket peer = server.accept()) {
			long last = socket.lastData();
			InputStream input = socket.getInputStream();
			CountDownLatch reading = new CountDownLatch(1);
			CompletableFuture<Void> read = CompletableFuture.runAsync(() -> {
				reading.countDown();
				try {
					input.read();
				}
				catch (IOException ex) {
					// expected: closed
				}
			});
			reading.await();
			end.of(socket);
			read.get(60, TimeUnit.SECONDS);
			assertThat(socket.lastData()).isEqualTo(last);
			assertThat(peer.isClosed()).isFalse();
		}
	}

	private static ServerSocket server() throws IOException {
		return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
	}

	private MonitoredSocket connect(ServerSocket server) throws IOException {
		MonitoredSocket socket = new MonitoredSocket();
		socket.connect(server.getLocalSocketAddress());
		return socket;
	}

	private interface End {

		void of(Socket socket) throws IOException;

	}

}
