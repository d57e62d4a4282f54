/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Server sockets on the loopback interface.
 * <p>
 * A port that is not configured is chosen below the range of ephemeral ports. The
 * operating system could assign an ephemeral port to an outgoing connection while a
 * server refuses connections, and a client that keeps connecting to it could end up
 * connected to itself.
 */
final class LoopbackListeners {

	static final int FIRST = 15_000;

	static final int LAST = 32_000;

	private static final int BACKLOG = 512;

	private static final int ATTEMPTS = 1_000;

	private LoopbackListeners() {
	}

	/**
	 * Listen on a port.
	 * @param port the port, 0 for any free one
	 * @return the listening socket
	 * @throws UncheckedIOException if the port is in use
	 */
	static ServerSocketChannel listen(int port) {
		return (port != 0) ? listenOn(port) : listenAnywhere();
	}

	private static ServerSocketChannel listenOn(int port) {
		try {
			return bind(port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot listen on loopback port " + port
					+ ". Set another one with EmbeddedKubernetesOptions.port, or none for any free one.", ex);
		}
	}

	private static ServerSocketChannel listenAnywhere() {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			try {
				return bind(ThreadLocalRandom.current().nextInt(FIRST, LAST));
			}
			catch (BindException ex) {
				// in use; try another one
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Cannot listen on the loopback interface", ex);
			}
		}
		throw new IllegalStateException(
				"Cannot find a free loopback port between %d and %d. Set one with EmbeddedKubernetesOptions.port."
					.formatted(FIRST, LAST));
	}

	private static ServerSocketChannel bind(int port) throws IOException {
		ServerSocketChannel socket = ServerSocketChannel.open();
		try {
			socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

}
