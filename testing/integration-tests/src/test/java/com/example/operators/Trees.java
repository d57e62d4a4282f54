/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.custom.Quantity;

/**
 * Trees of JSON.
 */
final class Trees {

	private Trees() {
	}

	/**
	 * Return the text of each value by its path; of objects and lists, that they exist.
	 */
	static Map<String, String> flat(JsonElement tree) {
		Map<String, String> flat = new TreeMap<>();
		add(flat, "", tree);
		return flat;
	}

	private static void add(Map<String, String> flat, String path, JsonElement value) {
		if (value instanceof JsonObject object) {
			flat.put(path, "{}");
			object.asMap().forEach((name, part) -> add(flat, path.isEmpty() ? name : path + "." + name, part));
		}
		else if (value instanceof JsonArray array) {
			flat.put(path, "[" + array.size() + "]");
			for (int i = 0; i < array.size(); i++) {
				add(flat, path + "[" + i + "]", array.get(i));
			}
		}
		else {
			flat.put(path, text(path, value));
		}
	}

	private static String text(String path, JsonElement value) {
		String text = value.toString();
		if (path.matches(".*\\.resources\\.(limits|requests)\\.[^.]+")) {
			return Quantity.fromString(value.getAsString()).toSuffixedString();
		}
		if (text.matches("-?[0-9.]+(E|e)-?[0-9]+")) {
			return new BigDecimal(text).stripTrailingZeros().toPlainString();
		}
		return text.replaceFirst("(T[0-9:]{8})\\.0{6}Z\"$", "$1Z\"");
	}

	/**
	 * Return an object that a JSON merge patch was applied to.
	 */
	static JsonObject merged(JsonObject tree, JsonObject patch) {
		JsonObject merged = tree.deepCopy();
		patch.asMap().forEach((name, value) -> {
			if (value.isJsonNull()) {
				merged.remove(name);
			}
			else if (value instanceof JsonObject changes) {
				boolean object = merged.get(name) instanceof JsonObject;
				merged.add(name, merged(object ? merged.getAsJsonObject(name) : new JsonObject(), changes));
			}
			else {
				merged.add(name, value);
			}
		});
		return merged;
	}

}
