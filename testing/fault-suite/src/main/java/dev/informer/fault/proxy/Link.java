/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.IOException;
import java.net.Socket;
import java.util.function.Supplier;

/**
 * Connection through the proxy: two sockets and a pump for each direction.
 */
final class Link {

	private final Socket client;

	private final Socket server;

	private final Pump upstream;

	private final Pump downstream;

	Link(Socket client, Socket server, Supplier<Shape> upstream, Supplier<Shape> downstream) {
		this.client = client;
		this.server = server;
		this.upstream = new Pump(client, server, upstream, this::close);
		this.downstream = new Pump(server, client, downstream, this::close);
	}

	void start(String name) {
		this.upstream.start(name + "-up");
		this.downstream.start(name + "-down");
	}

	void swallow(boolean up, boolean down) {
		if (up) {
			this.upstream.swallow();
		}
		if (down) {
			this.downstream.swallow();
		}
	}

	boolean isClosed() {
		return this.client.isClosed() && this.server.isClosed();
	}

	/**
	 * Close both sockets with FIN.
	 */
	void close() {
		close(this.client);
		close(this.server);
	}

	/**
	 * Close both sockets with RST.
	 */
	void reset() {
		reset(this.client);
		reset(this.server);
	}

	static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// Closed by its other end
		}
	}

	static void reset(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// Closed by its other end
		}
		close(socket);
	}

}
