/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Sends commands to the server over a bare socket: no class of any HTTP client is warmed
 * by it.
 */
public final class ServerControl {

	private final URI server;

	/**
	 * Creates a control.
	 * @param server where the server is
	 */
	public ServerControl(URI server) {
		this.server = server;
	}

	/**
	 * Restart the server.
	 * @param settings what it plays, such as {@code pods=20000&gzip=true}
	 * @throws IOException if the command cannot be sent
	 */
	public void reset(String settings) throws IOException {
		send("/control/reset?" + settings);
	}

	/**
	 * Has events happen.
	 * @param resource the path of the resource
	 * @param count how many
	 * @return the resource version after them
	 * @throws IOException if the command cannot be sent
	 */
	public String events(String resource, long count) throws IOException {
		return send("/control/events?resource=" + resource + "&count=" + count);
	}

	/**
	 * Has all watches expire.
	 * @param resource the path of the resource
	 * @return the resource version of the next list
	 * @throws IOException if the command cannot be sent
	 */
	public String expire(String resource) throws IOException {
		return send("/control/expire?resource=" + resource);
	}

	private String send(String target) throws IOException {
		try (Socket socket = new Socket(this.server.getHost(), this.server.getPort())) {
			String request = "GET " + target + " HTTP/1.1\r\nHost: replay\r\n\r\n";
			socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
			socket.shutdownOutput();
			String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (!response.startsWith("HTTP/1.1 200")) {
				throw new IOException("The server has answered " + target + " with '" + response + "'");
			}
			return response.substring(response.indexOf("\r\n\r\n") + 4);
		}
	}

}
