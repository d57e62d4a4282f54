/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rights;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Authorization webhook of an API server that has no opinion, so that RBAC decides, and
 * remembers what it was asked. It sees more than an audit log: an apply that creates an
 * object asks for two verbs. Thread-safe.
 */
final class AuthorizationWebhook implements AutoCloseable {

	private final Set<Question> questions = ConcurrentHashMap.newKeySet();

	private final HttpServer server;

	AuthorizationWebhook() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	private void answer(HttpExchange exchange) throws IOException {
		JsonMapper mapper = JsonMapper.shared();
		JsonNode review = mapper.readTree(exchange.getRequestBody().readAllBytes());
		JsonNode spec = review.path("spec");
		if (spec.has("resourceAttributes")) {
			this.questions.add(Question.of(spec));
		}
		ObjectNode answer = mapper.createObjectNode();
		answer.put("apiVersion", review.path("apiVersion").asString()).put("kind", "SubjectAccessReview");
		answer.putObject("status").put("allowed", false);
		byte[] body = mapper.writeValueAsBytes(answer);
		exchange.getResponseHeaders().add("Content-Type", "application/json");
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	/**
	 * Return what the server has asked about a user.
	 */
	List<Question> questions(String user) {
		return this.questions.stream().filter((question) -> question.user().equals(user)).toList();
	}

	/**
	 * Return the kubeconfig with which the API server finds the webhook.
	 */
	byte[] kubeconfig() {
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
