/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Authentication webhook of an API server that accepts one token at a time, of a user
 * with all rights. Thread-safe.
 */
public final class TokenWebhook implements AutoCloseable {

	private final HttpServer server;

	private volatile String valid = "none";

	public TokenWebhook() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	private void answer(HttpExchange exchange) throws IOException {
		JsonMapper mapper = JsonMapper.shared();
		JsonNode review = mapper.readTree(exchange.getRequestBody().readAllBytes());
		ObjectNode answer = mapper.createObjectNode();
		answer.put("apiVersion", review.path("apiVersion").asString()).put("kind", "TokenReview");
		ObjectNode status = answer.putObject("status");
		boolean accepted = review.path("spec").path("token").asString().equals(this.valid);
		status.put("authenticated", accepted);
		if (accepted) {
			status.putObject("user").put("username", "plugin-user").putArray("groups").add("system:masters");
		}
		byte[] body = mapper.writeValueAsBytes(answer);
		exchange.getResponseHeaders().add("Content-Type", "application/json");
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	/**
	 * Accept a token in place of the last one.
	 */
	public void accept(String token) {
		this.valid = token;
	}

	/**
	 * Return the kubeconfig with which the API server finds the webhook.
	 */
	public byte[] kubeconfig() {
		return """
				apiVersion: v1
				kind: Config
				current-context: webhook
				contexts: [{name: webhook, context: {cluster: webhook, user: webhook}}]
				clusters: [{name: webhook, cluster: {server: "http://127.0.0.1:%d/"}}]
				users: [{name: webhook, user: {}}]
				""".formatted(this.server.getAddress().getPort()).getBytes(StandardCharsets.US_ASCII);
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
