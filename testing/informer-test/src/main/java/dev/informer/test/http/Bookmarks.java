/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.time.Duration;
import java.util.Map;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * Schedule and content of the bookmarks of a watch, one per interval and one shortly
 * before its end, and the time of that end.
 */
final class Bookmarks {

	private static final long BEFORE_END = Duration.ofSeconds(2).toNanos();

	/**
	 * JSON of an empty Go struct per resource, as the real server sends it in bookmarks.
	 */
	private static final Map<String, String> EMPTY_OBJECTS = Map.of("pods",
			"{\"spec\":{\"containers\":null},\"status\":{}}", "deployments.apps",
			"{\"spec\":{\"selector\":null,\"template\":{\"metadata\":{},\"spec\":{\"containers\":null}},"
					+ "\"strategy\":{}},\"status\":{}}",
			"replicasets.apps",
			"{\"spec\":{\"selector\":null,\"template\":{\"metadata\":{},\"spec\":"
					+ "{\"containers\":null}}},\"status\":{\"replicas\":0}}",
			"nodes", "{\"spec\":{},\"status\":{\"daemonEndpoints\":{\"kubeletEndpoint\":{\"Port\":0}}}}", "services",
			"{\"spec\":{},\"status\":{\"loadBalancer\":{}}}", "namespaces", "{\"spec\":{},\"status\":{}}");

	private final ResourceDefinition definition;

	private final Representation representation;

	private final boolean wanted;

	private final long interval;

	private final long beforeEnd;

	private final long deadline;

	private long next;

	Bookmarks(ResourceDefinition definition, Representation representation, boolean wanted, Duration interval, long now,
			long deadline) {
		this.definition = definition;
		this.representation = representation;
		this.wanted = wanted;
		this.interval = ApiResponse.nanos(interval);
		this.deadline = deadline;
		this.beforeEnd = deadline - BEFORE_END;
		schedule(now);
	}

	private void schedule(long now) {
		this.next = now + this.interval;
		if (this.beforeEnd - now > 0 && this.next - this.beforeEnd > 0) {
			this.next = this.beforeEnd;
		}
	}

	boolean isDue(long now) {
		return this.wanted && now - this.next >= 0;
	}

	/**
	 * Return the time of the next bookmark or of the end, comparable with
	 * {@link System#nanoTime()}.
	 */
	long next() {
		return this.wanted ? Math.min(this.next, this.deadline) : this.deadline;
	}

	/**
	 * Return whether the watch has lasted for its whole duration.
	 */
	boolean isOver(long now) {
		return now - this.deadline >= 0;
	}

	void sent(long now) {
		schedule(now);
	}

	ObjectNode at(long resourceVersion) {
		ResourceDefinition type = this.representation.type(this.definition);
		ObjectNode bookmark = Json.object();
		if (type.builtIn()) {
			bookmark.put("kind", type.kind()).put("apiVersion", type.apiVersion());
		}
		else {
			bookmark.put("apiVersion", type.apiVersion()).put("kind", type.kind());
		}
		bookmark.putObject("metadata").put("resourceVersion", Long.toString(resourceVersion));
		if (this.representation == Representation.WHOLE && this.definition.builtIn()) {
			String empty = EMPTY_OBJECTS.getOrDefault(this.definition.resource(), "{}");
			bookmark.setAll(Json.tree(empty));
		}
		return bookmark;
	}

	/**
	 * Create the bookmark that marks the end of the initial events.
	 */
	ObjectNode initialEnd(long resourceVersion) {
		ObjectNode bookmark = at(resourceVersion);
		ObjectNode metadata = Json.childObject(bookmark, "metadata");
		Json.childObject(metadata, "annotations").put("k8s.io/initial-events-end", "true");
		if (!this.representation.type(this.definition).builtIn()) {
			metadata.set("resourceVersion", metadata.remove("resourceVersion"));
		}
		return bookmark;
	}

}
