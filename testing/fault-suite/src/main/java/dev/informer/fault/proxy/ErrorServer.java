/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

/**
 * HTTPS server that answers each request with an error, in place of an API server that is
 * overloaded. Thread-safe.
 */
public final class ErrorServer implements AutoCloseable {

	private final HttpsServer server;

	private volatile int status = 503;

	/**
	 * Start the server on a free port.
	 */
	public ErrorServer(ServerKey key) throws IOException {
		this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
		this.server.setHttpsConfigurator(new HttpsConfigurator(key.context()));
		this.server.createContext("/", this::respond);
		this.server.start();
	}

	private void respond(HttpExchange exchange) {
		try (exchange) {
			byte[] body = """
					{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
					 "message": "injected by the fault suite", "reason": "%s", "code": %d}
					""".formatted((this.status == 429) ? "TooManyRequests" : "ServiceUnavailable", this.status)
				.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", "application/json");
			exchange.getResponseHeaders().set("Retry-After", "1");
			exchange.getResponseHeaders().set("Connection", "close");
			exchange.sendResponseHeaders(this.status, body.length);
			exchange.getResponseBody().write(body);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Set the status of the responses.
	 */
	public void respondWith(int status) {
		this.status = status;
	}

	/**
	 * Return the port.
	 */
	public int port() {
		return this.server.getAddress().getPort();
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
