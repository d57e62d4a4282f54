/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Sender of commands to the server over a plain socket, so that no class of an HTTP
 * client is warmed up.
 */
public final class ServerControl {

	private final URI server;

	/**
	 * Create a control.
	 * @param server the address of the server
	 */
	public ServerControl(URI server) {
		this.server = server;
	}

	/**
	 * Restart the server.
	 * @param settings the settings of the server, such as {@code pods=20000&gzip=true}
	 * @throws IOException if the command cannot be sent
	 */
	public void reset(String settings) throws IOException {
		send("/control/reset?" + settings);
	}

	/**
	 * Make the server send events.
	 * @param resource the path of the resource
	 * @param count the number of events
	 * @return the resource version after the events
	 * @throws IOException if the command cannot be sent
	 */
	public String events(String resource, long count) throws IOException {
		return send("/control/events?resource=" + resource + "&count=" + count);
	}

	/**
	 * Make the server send events at a fixed rate. Returns before they are sent.
	 * @param resource the path of the resource
	 * @param count the number of events
	 * @param rate the number of events per second
	 * @throws IOException if the command cannot be sent
	 */
	public void pacedEvents(String resource, int count, int rate) throws IOException {
		send("/control/events?resource=" + resource + "&count=" + count + "&rate=" + rate);
	}

	/**
	 * Return the stamps of the last events with a fixed rate.
	 * @param resource the path of the resource
	 * @return the wall-clock times in nanoseconds by resource version
	 * @throws IOException if the command cannot be sent
	 */
	public Map<Long, Long> stamps(String resource) throws IOException {
		return send("/control/stamps?resource=" + resource).lines()
			.map((line) -> line.split(" "))
			.collect(Collectors.toMap((parts) -> Long.valueOf(parts[0]), (parts) -> Long.valueOf(parts[1])));
	}

	/**
	 * Make the server expire all watches.
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
				throw new IOException("Server answered " + target + " with '" + response + "'");
			}
			return response.substring(response.indexOf("\r\n\r\n") + 4);
		}
	}

}
