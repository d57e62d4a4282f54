/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports on the loopback interface.
 * <p>
 * The ports are below the ephemeral range of operating systems: a port of that range may
 * be taken when the server restarts, and a client that retries a stopped server there can
 * connect to itself. A port is not reserved, so callers must be ready to try another one.
 */
final class LoopbackPorts {

	private static final int FIRST = 15_000;

	private static final int LAST = 32_000;

	private static final int ATTEMPTS = 1_000;

	private LoopbackPorts() {
	}

	static int free() {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
			if (isFree(port)) {
				return port;
			}
		}
		throw new IllegalStateException(
				"No free port on the loopback interface between %d and %d".formatted(FIRST, LAST));
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
