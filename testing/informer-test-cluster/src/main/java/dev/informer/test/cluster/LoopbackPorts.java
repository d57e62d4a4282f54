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
 * They are taken from below the range from which operating systems number outgoing
 * connections: a port of that range may be gone when the server is started on it again,
 * and a client that keeps trying to reach a stopped server there can end up connected to
 * itself. Nothing holds a port between being found and being used, so whoever uses one
 * must be ready to try another.
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
