/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Listens on the loopback interface.
 * <p>
 * A port that nobody asked for is taken from below the range from which operating systems
 * number outgoing connections. One within that range could be some client's by the time a
 * server that refused connections for a while listens on it again, and a client that
 * keeps trying to reach it there could end up connected to itself.
 */
final class LoopbackListeners {

	static final int FIRST = 15_000;

	static final int LAST = 32_000;

	private static final int BACKLOG = 512;

	private static final int ATTEMPTS = 1_000;

	private LoopbackListeners() {
	}

	/**
	 * Listens on a port.
	 * @param port the port, 0 for any free one
	 * @return the socket that listens
	 * @throws UncheckedIOException when the port is not free
	 */
	static ServerSocket listen(int port) {
		return (port != 0) ? listenOn(port) : listenAnywhere();
	}

	private static ServerSocket listenOn(int port) {
		try {
			return bind(port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot listen on loopback port " + port
					+ "; choose another one with EmbeddedKubernetesOptions.port, or none for any free one", ex);
		}
	}

	private static ServerSocket listenAnywhere() {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			try {
				return bind(ThreadLocalRandom.current().nextInt(FIRST, LAST));
			}
			catch (BindException ex) {
				// somebody else's; another one is tried
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Cannot listen on the loopback interface", ex);
			}
		}
		throw new IllegalStateException(
				"No free loopback port between %d and %d; choose one with ".formatted(FIRST, LAST)
						+ "EmbeddedKubernetesOptions.port");
	}

	private static ServerSocket bind(int port) throws IOException {
		ServerSocket socket = new ServerSocket();
		try {
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

}
