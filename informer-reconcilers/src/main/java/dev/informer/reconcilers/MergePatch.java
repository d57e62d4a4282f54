/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.Map;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;

/**
 * JSON merge patches.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7396">RFC 7396</a>
 */
final class MergePatch {

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
			// not by equals, which compares unlike classes of numbers as doubles
			if (old != null && value.toString().equals(old.toString())) {
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

}
