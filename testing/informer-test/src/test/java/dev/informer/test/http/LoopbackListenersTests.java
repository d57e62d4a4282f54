/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LoopbackListenersTests {

	@Test
	void anyPort_isNotEphemeral() throws IOException {
		for (int i = 0; i < 20; i++) {
			try (ServerSocketChannel socket = LoopbackListeners.listen(0)) {
				assertThat(socket.socket().getLocalPort()).isBetween(LoopbackListeners.FIRST,
						LoopbackListeners.LAST - 1);
			}
		}
	}

	@Test
	void configuredPort_isUsed() throws IOException {
		int port;
		try (ServerSocketChannel socket = LoopbackListeners.listen(0)) {
			port = socket.socket().getLocalPort();
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> LoopbackListeners.listen(port))
				.withMessageContaining("loopback port " + port)
				.withMessageContaining("EmbeddedKubernetesOptions.port");
		}
		try (ServerSocketChannel again = LoopbackListeners.listen(port)) {
			assertThat(again.socket().getLocalPort()).isEqualTo(port);
		}
	}

}
