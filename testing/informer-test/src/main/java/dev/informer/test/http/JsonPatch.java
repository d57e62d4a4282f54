/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.util.ArrayList;
import java.util.List;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.store.Json;
import dev.informer.test.store.StatusErrors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON patch (RFC 6902). As on the real server, {@code replace} also adds a missing
 * member. Immutable.
 */
final class JsonPatch {

	private final List<Operation> operations;

	private JsonPatch(List<Operation> operations) {
		this.operations = operations;
	}

	static JsonPatch parse(byte[] body) {
		JsonNode tree = read(body);
		if (!tree.isArray()) {
			throw StatusErrors.badRequest("error decoding patch: json: cannot unmarshal "
					+ (tree.isObject() ? "object" : "value") + " into Go value of type []handlers.jsonPatchOp");
		}
		List<Operation> operations = new ArrayList<>();
		for (JsonNode operation : tree) {
			operations.add(Operation.of(operation));
		}
		return new JsonPatch(operations);
	}

	/**
	 * Read a patch of any type.
	 * @throws KubernetesStatusException if the body is not JSON
	 */
	static JsonNode read(byte[] body) {
		try {
			JsonNode patch = Json.MAPPER.readTree(body);
			if (!patch.isMissingNode()) {
				return patch;
			}
		}
		catch (JacksonException ex) {
			// rejected below
		}
		throw StatusErrors.badRequest("invalid JSON patch");
	}

	/**
	 * Apply all operations of the patch.
	 * @param target the tree, which is modified
	 * @return the result
	 * @throws KubernetesStatusException if an operation is invalid or a test fails; the
	 * tree may have been partially modified
	 */
	ObjectNode apply(ObjectNode target) {
		JsonNode result = target;
		for (Operation operation : this.operations) {
			result = operation.apply(result);
		}
		if (result instanceof ObjectNode object) {
			return object;
		}
		throw StatusErrors.unprocessable();
	}

	private static JsonNode require(JsonNode node) {
		if (node.isMissingNode()) {
			throw StatusErrors.unprocessable();
		}
		return node;
	}

	private static JsonPointer pointer(JsonNode operation, String name) {
		try {
			return JsonPointer.compile(require(operation.path(name)).stringValue());
		}
		catch (IllegalArgumentException | JacksonException ex) {
			throw StatusErrors.unprocessable();
		}
	}

	private static JsonNode add(JsonNode root, JsonPointer path, JsonNode value) {
		if (path.matches()) {
			return value;
		}
		JsonPointer last = path.last();
		JsonNode parent = root.at(path.head());
		if (parent instanceof ObjectNode object) {
			object.set(last.getMatchingProperty(), value);
		}
		else if (parent instanceof ArrayNode array) {
			boolean atEnd = last.getMatchingProperty().equals("-");
			int index = atEnd ? array.size() : last.getMatchingIndex();
			if (index < 0 || index > array.size()) {
				throw StatusErrors.unprocessable();
			}
			array.insert(index, value);
		}
		else {
			throw StatusErrors.unprocessable();
		}
		return root;
	}

	private static JsonNode remove(JsonNode root, JsonPointer path) {
		require(root.at(path));
		if (path.matches()) {
			return MissingNode.getInstance();
		}
		JsonPointer last = path.last();
		JsonNode parent = root.at(path.head());
		if (parent instanceof ObjectNode object) {
			object.remove(last.getMatchingProperty());
		}
		else {
			((ArrayNode) parent).remove(last.getMatchingIndex());
		}
		return root;
	}

	private static JsonNode replace(JsonNode root, JsonPointer path, JsonNode value) {
		if (!path.matches() && root.at(path.head()) instanceof ArrayNode) {
			remove(root, path);
		}
		return add(root, path, value);
	}

	private static JsonNode move(JsonNode root, JsonPointer from, JsonPointer path) {
		JsonNode value = require(root.at(from));
		if (from.equals(path)) {
			return root;
		}
		if (path.toString().startsWith(from + "/")) {
			throw StatusErrors.unprocessable();
		}
		return add(remove(root, from), path, value);
	}

	private static JsonNode test(JsonNode root, JsonPointer path, JsonNode value) {
		JsonNode actual = root.at(path);
		boolean absent = actual.isMissingNode() && value.isNull();
		if (!absent && !Json.isSame(actual, value)) {
			throw StatusErrors.unprocessable();
		}
		return root;
	}

	/**
	 * Operation of a patch.
	 */
	private interface Operation {

		JsonNode apply(JsonNode root);

		static Operation of(JsonNode json) {
			JsonPointer path = pointer(json, "path");
			JsonNode value = json.path("value");
			return switch (Json.text(json, "op")) {
				case "add" -> (root) -> add(root, path, require(value).deepCopy());
				case "remove" -> (root) -> remove(root, path);
				case "replace" -> (root) -> replace(root, path, require(value).deepCopy());
				case "test" -> (root) -> test(root, path, require(value));
				case "move" -> {
					JsonPointer from = pointer(json, "from");
					yield (root) -> move(root, from, path);
				}
				case "copy" -> {
					JsonPointer from = pointer(json, "from");
					yield (root) -> add(root, path, require(root.at(from)).deepCopy());
				}
				default -> throw StatusErrors.unprocessable();
			};
		}

	}

}
