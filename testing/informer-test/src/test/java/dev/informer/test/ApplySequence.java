/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

import dev.informer.test.store.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random sequence of writes of three managers to one object, which two servers have to
 * answer in the same way.
 */
final class ApplySequence {

	private static final List<String> MANAGERS = List.of("ann", "bob", "cat");

	private static final Set<String> ASSIGNED = Set.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");

	private static final int STEPS = 14;

	private final Random random;

	private final ApplySample sample;

	private final String path;

	private final String name;

	private final List<String> log = new ArrayList<>();

	ApplySequence(long seed, String namespace) {
		this.random = new Random(seed);
		this.sample = ApplySample.values()[(int) (seed % ApplySample.values().length)];
		this.name = "s" + seed;
		this.path = this.sample.path(namespace);
	}

	/**
	 * Write to both servers and compare their answers and objects.
	 * @throws AssertionError if they differ
	 */
	void run(TestClient real, TestClient embedded) {
		for (int i = 0; i < STEPS; i++) {
			Write write = write();
			this.log.add(write.text());
			JsonNode before = get(real);
			TestClient.Answer expected = write.to(real, before);
			if (isInvalid(expected)) {
				this.log.add("  skipped: " + expected.message());
				continue;
			}
			TestClient.Answer actual = write.to(embedded, get(embedded));
			compare("answer", answer(expected), answer(actual));
			compare("object", normalized(get(real)), normalized(get(embedded)));
		}
	}

	/**
	 * Return whether a write was rejected by a validation, which the embedded server does
	 * not have.
	 */
	private static boolean isInvalid(TestClient.Answer answer) {
		return answer.code() == 422 || answer.code() == 400;
	}

	private JsonNode get(TestClient client) {
		TestClient.Answer answer = client.get(this.path + "/" + this.name);
		return (answer.code() == 200) ? answer.json() : Json.object();
	}

	private void compare(String what, JsonNode expected, JsonNode actual) {
		List<String> differences = new ArrayList<>();
		collect("", expected, actual, differences);
		if (!differences.isEmpty()) {
			throw new AssertionError(String.join("\n", this.log) + "\nThe " + what + "s differ (real, embedded):\n"
					+ String.join("\n", differences));
		}
	}

	private static void collect(String path, @Nullable JsonNode expected, @Nullable JsonNode actual,
			List<String> differences) {
		if (expected instanceof ObjectNode && actual instanceof ObjectNode) {
			Set<String> names = new TreeSet<>(expected.propertyNames());
			names.addAll(actual.propertyNames());
			names.forEach((name) -> collect(path + "/" + name, expected.get(name), actual.get(name), differences));
		}
		else if (expected instanceof ArrayNode && actual instanceof ArrayNode && expected.size() == actual.size()) {
			for (int i = 0; i < expected.size(); i++) {
				collect(path + "/" + i, expected.get(i), actual.get(i), differences);
			}
		}
		else if (expected == null || actual == null || !Json.isSame(expected, actual)) {
			differences.add(path + ": " + expected + ", " + actual);
		}
	}

	private static JsonNode answer(TestClient.Answer answer) {
		ObjectNode result = (ObjectNode) normalized(answer.json());
		result.put("code", answer.code());
		if (result.path("details").get("causes") instanceof ArrayNode causes) {
			((ObjectNode) result.path("details")).set("causes", sorted(causes));
		}
		if (result.path("details") instanceof ObjectNode details) {
			details.remove("uid");
		}
		return result;
	}

	private static ArrayNode sorted(ArrayNode array) {
		List<JsonNode> items = new ArrayList<>(StreamSupport.stream(array.spliterator(), false).toList());
		items.sort(Comparator.comparing((item) -> new String(Json.sortedBytes(item))));
		return Json.MAPPER.createArrayNode().addAll(items);
	}

	private static JsonNode normalized(JsonNode object) {
		if (object.path("metadata") instanceof ObjectNode metadata) {
			metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp"));
			if (metadata.get("managedFields") instanceof ArrayNode entries) {
				entries.forEach((entry) -> {
					if (((ObjectNode) entry).remove("time") != null) {
						((ObjectNode) entry).put("timed", true);
					}
				});
				metadata.set("managedFields", sorted(entries));
			}
		}
		if (object.path("spec") instanceof ObjectNode spec) {
			spec.remove(ASSIGNED);
		}
		return object;
	}

	private Write write() {
		String manager = MANAGERS.get(this.random.nextInt(MANAGERS.size()));
		String query = "?fieldManager=" + manager;
		String object = this.path + "/" + this.name;
		int kind = this.random.nextInt(100);
		if (kind < 35) {
			return apply(object, query);
		}
		if (kind < 50) {
			return apply(object, query + "&force=true");
		}
		if (kind < 60) {
			ObjectNode status = this.sample.status(this.random);
			String force = this.random.nextBoolean() ? "&force=true" : "";
			return send("PATCH", object + "/status" + query + force, identified(status),
					"application/apply-patch+yaml");
		}
		if (kind < 67) {
			return send("PATCH", object + "/status" + query, this.sample.status(this.random),
					"application/merge-patch+json");
		}
		if (kind < 80) {
			return send("PATCH", object + query, this.sample.patch(this.random), "application/merge-patch+json");
		}
		if (kind < 90) {
			ObjectNode patch = this.sample.patch(this.random);
			return new Write("PUT " + query + " " + patch, (client, current) -> {
				ObjectNode body = Json.merge((ObjectNode) current.deepCopy(), patch);
				return client.send("PUT", object + query, body.toString(), "application/json");
			});
		}
		if (kind < 95) {
			ObjectNode body = identified(this.sample.configuration(this.random, true));
			return send("POST", this.path + query, body, "application/json");
		}
		return new Write("DELETE", (client, current) -> client.delete(object));
	}

	private Write apply(String object, String query) {
		ObjectNode body = identified(this.sample.configuration(this.random, this.random.nextInt(3) > 0));
		return send("PATCH", object + query, body, "application/apply-patch+yaml");
	}

	private ObjectNode identified(ObjectNode body) {
		body.put("apiVersion", this.sample.apiVersion()).put("kind", this.sample.kind());
		Json.childObject(body, "metadata").put("name", this.name);
		return body;
	}

	private static Write send(String method, String path, ObjectNode body, String type) {
		return new Write(method + " " + path + " " + body,
				(client, current) -> client.send(method, path, body.toString(), type));
	}

	/**
	 * Write to a server.
	 *
	 * @param text the description
	 * @param request sends it, given the current object
	 */
	private record Write(String text, Request request) {

		TestClient.Answer to(TestClient client, JsonNode current) {
			return this.request.send(client, current);
		}

	}

	/**
	 * Request to a server.
	 */
	private interface Request {

		TestClient.Answer send(TestClient client, JsonNode current);

	}

}
