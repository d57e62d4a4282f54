/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

import javax.net.SocketFactory;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ConnectionSockets}.
 */
class ConnectionSocketsTests {

	private static final Duration HANDSHAKE = Duration.ofMillis(10);

	private final ConnectionSockets sockets = new ConnectionSockets(SocketFactory.getDefault());

	@AfterEach
	void close() {
		this.sockets.close();
	}

	@Test
	void connectionThatNoRequestUses_isAbortedAfterSomeTime() throws IOException {
		try (ScriptedServer server = new ScriptedServer((peer) -> {
		})) {
			MonitoredSocket used = connect(server);
			used.use(true);
			MonitoredSocket shaking = connect(server);
			this.sockets.abortUnused(Duration.ofMinutes(1));
			assertThat(shaking.isClosed()).isFalse();
			await().until(() -> shaking.isUnused(HANDSHAKE));
			this.sockets.abortUnused(HANDSHAKE);
			assertThat(shaking.isClosed()).isTrue();
			assertThat(used.isClosed()).isFalse();
		}
	}

	private MonitoredSocket connect(ScriptedServer server) throws IOException {
		MonitoredSocket socket = (MonitoredSocket) this.sockets.createSocket();
		socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
		return socket;
	}

}
