/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.WatchedResource;

/**
 * Server in the process of a client through which the suite reads its cache.
 */
final class ControlServer {

	private final JournalClient client;

	ControlServer(JournalClient client) {
		this.client = client;
	}

	/**
	 * Start the server.
	 */
	int start() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		context(server, "/cache", (query) -> this.client.cache().toText());
		context(server, "/object", this::object);
		context(server, "/figures", (query) -> Figures.measure().toText());
		context(server, "/clocks", (query) -> System.currentTimeMillis() + " " + System.nanoTime());
		context(server, "/errors", (query) -> {
			this.client.throwErrors(Integer.parseInt(query));
			return "";
		});
		server.start();
		return server.getAddress().getPort();
	}

	private String object(String key) {
		ObjectStates found = new ObjectStates();
		ObjectStates cache = this.client.cache();
		for (WatchedResource resource : WatchedResource.values()) {
			ObjectState state = cache.of(resource).get(key);
			if (state != null) {
				found.byResource().put(resource, Map.of(key, state));
			}
		}
		return found.toText();
	}

	private static void context(HttpServer server, String path, Answer answer) {
		server.createContext(path, (exchange) -> {
			try (exchange) {
				respond(exchange, answer);
			}
		});
	}

	private static void respond(HttpExchange exchange, Answer answer) throws IOException {
		byte[] body;
		int status = 200;
		try {
			String query = exchange.getRequestURI().getQuery();
			body = answer.to((query != null) ? query : "").getBytes(StandardCharsets.UTF_8);
		}
		catch (RuntimeException ex) {
			status = 500;
			body = ex.toString().getBytes(StandardCharsets.UTF_8);
		}
		exchange.sendResponseHeaders(status, (body.length > 0) ? body.length : -1);
		exchange.getResponseBody().write(body);
	}

	private interface Answer {

		String to(String query) throws IOException;

	}

}
