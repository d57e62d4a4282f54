/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Supplier;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Nodes of a living cluster, which exist as objects only.
 */
final class Nodes {

	private static final Duration READY_TIMEOUT = Duration.ofSeconds(90);

	private static final String NODE = """
			{"apiVersion": "v1", "kind": "Node",
			 "metadata": {"name": "%1$s", "labels": {"kubernetes.io/hostname": "%1$s", "kubernetes.io/os": "linux"}},
			 "status": {"capacity": {"cpu": "64", "memory": "256Gi", "pods": "110"},
			            "allocatable": {"cpu": "64", "memory": "256Gi", "pods": "110"}}}
			""";

	private final ApiConnection connection;

	private final int count;

	Nodes(ApiConnection connection, int count) {
		this.connection = connection;
		this.count = count;
	}

	void create() {
		try {
			for (int number = 1; number <= this.count; number++) {
				this.connection.post("/api/v1/nodes", NODE.formatted("node-" + number)).expectSuccess();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create the nodes of the cluster", ex);
		}
	}

	/**
	 * Wait until pods can be scheduled to every node.
	 * @param check called while waiting; an exception that it throws ends the wait
	 * @param logs what to show when the nodes do not become ready
	 */
	void awaitReady(Runnable check, Supplier<String> logs) {
		Deadline.in(READY_TIMEOUT).await(() -> {
			check.run();
			return countReady() == this.count;
		}, () -> "%d nodes ready. %s".formatted(this.count, logs.get()));
	}

	private long countReady() {
		try {
			JsonNode nodes = JsonMapper.shared().readTree(this.connection.get("/api/v1/nodes").expectSuccess());
			return nodes.path("items").valueStream().filter(Nodes::isReady).count();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot list the nodes of the cluster", ex);
		}
	}

	private static boolean isReady(JsonNode node) {
		return node.path("spec").path("taints").isEmpty() && node.path("status")
			.path("conditions")
			.valueStream()
			.anyMatch((condition) -> condition.path("type").asString().equals("Ready")
					&& condition.path("status").asString().equals("True"));
	}

}
