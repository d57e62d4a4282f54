/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

import javax.net.SocketFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ConnectionSockets}.
 */
@Timeout(60)
class ConnectionSocketsTests {

	/**
	 * As that of a server that sends an alert of TLS and closes while a request arrives.
	 */
	@Test
	void resetByPeer_isReportedByReadsAfterTheUnreadData() throws Exception {
		try (ServerSocket server = server(); Socket socket = connect(server); Socket peer = server.accept()) {
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
		try (ServerSocket server = server(); Socket socket = connect(server); Socket peer = server.accept()) {
			OutputStream output = socket.getOutputStream();
			socket.close();
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> output.write(1));
			assertThat(peer.getInputStream().read()).isNegative();
		}
	}

	private static ServerSocket server() throws IOException {
		return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
	}

	private Socket connect(ServerSocket server) throws IOException {
		Socket socket = new ConnectionSockets(SocketFactory.getDefault()).createSocket();
		socket.connect(server.getLocalSocketAddress());
		return socket;
	}

}
