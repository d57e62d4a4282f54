/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.util.Map;
import java.util.Set;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.informer.client.type.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * JSON merge patches.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7396">RFC 7396</a>
 */
final class MergePatch {

	private static final Set<String> ZEROS = Set.of("0", "0.0", "false", "\"\"", "[]", "{}");

	private MergePatch() {
	}

	/**
	 * Return the patch that changes an object into another; empty if both are equal.
	 */
	static JsonObject between(JsonObject before, JsonObject after) {
		JsonObject patch = new JsonObject();
		for (String name : before.keySet()) {
			if (!after.has(name)) {
				patch.add(name, JsonNull.INSTANCE);
			}
		}
		for (Map.Entry<String, JsonElement> entry : after.entrySet()) {
			JsonElement old = before.get(entry.getKey());
			JsonElement value = entry.getValue();
			// not by the equals of Gson, which compares unlike classes of numbers as
			// doubles
			if (ValueType.equal(old, value)) {
				continue;
			}
			boolean nested = old instanceof JsonObject && value instanceof JsonObject;
			patch.add(entry.getKey(), nested ? between((JsonObject) old, (JsonObject) value) : value);
		}
		return patch;
	}

	/**
	 * Return whether a patch replaces a list, and with it the changes of others.
	 */
	static boolean replacesList(JsonObject patch, JsonObject before) {
		return patch.entrySet().stream().anyMatch((entry) -> {
			JsonElement old = before.get(entry.getKey());
			return entry.getValue().isJsonArray() || (old != null && old.isJsonArray())
					|| (entry.getValue() instanceof JsonObject nested
							&& replacesList(nested, (old instanceof JsonObject object) ? object : new JsonObject()));
		});
	}

	/**
	 * Return the path of the first value of a patch, or of a whole object, that an answer
	 * does not have; {@code null} if there is none. The server may change a value, and
	 * leaves out zero and what is empty.
	 * @param exact whether each value must be the same, and what is removed be absent
	 */
	static @Nullable String notStored(JsonObject sent, JsonObject answer, boolean exact) {
		for (Map.Entry<String, JsonElement> entry : sent.entrySet()) {
			String path = notStored(entry.getValue(), answer.get(entry.getKey()), exact);
			if (path != null) {
				return entry.getKey() + path;
			}
		}
		return null;
	}

	/**
	 * Return the path of the first value of an object that another one has not, or has
	 * besides it; {@code null} if there is none. Only properties of the first object are
	 * compared.
	 */
	static @Nullable String difference(JsonObject one, JsonObject other) {
		JsonObject same = other.deepCopy();
		same.keySet().retainAll(one.keySet());
		String path = notStored(one, same, true);
		return (path != null) ? path : notStored(same, one, true);
	}

	private static @Nullable String notStored(JsonElement sent, @Nullable JsonElement answer, boolean exact) {
		if (isZero(sent) && (answer == null || answer.isJsonNull())) {
			return null;
		}
		if (sent instanceof JsonObject object && (answer == null || answer instanceof JsonObject)) {
			String path = notStored(object, (answer instanceof JsonObject stored) ? stored : new JsonObject(), exact);
			return (path != null) ? "." + path : null;
		}
		if (answer == null || answer.isJsonNull()) {
			return "";
		}
		if (sent instanceof JsonArray array && answer instanceof JsonArray stored && array.size() == stored.size()) {
			for (int i = 0; i < array.size(); i++) {
				String path = notStored(array.get(i), stored.get(i), exact);
				if (path != null) {
					return "[" + i + "]" + path;
				}
			}
			return null;
		}
		return (exact && !ValueType.equal(sent, answer)) ? "" : null;
	}

	private static boolean isZero(JsonElement value) {
		return value.isJsonNull() || ZEROS.contains(value.toString()) || (value instanceof JsonObject object
				&& object.asMap().values().stream().allMatch(MergePatch::isZero));
	}

}
