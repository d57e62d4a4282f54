/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LoopbackListenersTests {

	@Test
	void anyPort_isNoneThatOutgoingConnectionsAreGiven() throws IOException {
		for (int i = 0; i < 20; i++) {
			try (ServerSocket socket = LoopbackListeners.listen(0)) {
				assertThat(socket.getLocalPort()).isBetween(LoopbackListeners.FIRST, LoopbackListeners.LAST - 1);
			}
		}
	}

	@Test
	void chosenPort_isTaken() throws IOException {
		int port;
		try (ServerSocket socket = LoopbackListeners.listen(0)) {
			port = socket.getLocalPort();
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> LoopbackListeners.listen(port))
				.withMessageContaining("loopback port " + port)
				.withMessageContaining("EmbeddedKubernetesOptions.port");
		}
		try (ServerSocket again = LoopbackListeners.listen(port)) {
			assertThat(again.getLocalPort()).isEqualTo(port);
		}
	}

}
