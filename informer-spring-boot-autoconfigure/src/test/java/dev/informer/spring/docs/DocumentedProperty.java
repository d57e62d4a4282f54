/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.util.ClassUtils;

/**
 * A property, as its metadata says.
 *
 * @param name its name, with {@code <name>} or {@code <id>} in place of a key of a map
 * @param type the name of its class
 * @param defaultValue its default; {@code null} for none
 * @param description what it is for
 */
record DocumentedProperty(String name, String type, @Nullable String defaultValue, String description) {

	private static final Map<String, String> TYPES = Map.of("java.time.Duration", "duration", "java.lang.String",
			"text", "java.io.File", "file", "java.lang.Integer", "integer", "java.lang.Double", "number",
			"java.lang.Boolean", "boolean", "org.springframework.util.unit.DataSize", "size", "java.lang.Class<?>",
			"class", "java.lang.Class<? extends java.lang.Throwable>", "class");

	static DocumentedProperty of(String prefix, JsonNode metadata) {
		JsonNode value = metadata.get("defaultValue");
		String type = metadata.get("type").asString();
		return new DocumentedProperty(prefix + metadata.get("name").asString(), type,
				(value != null) ? defaultValue(type, value.asString()) : null,
				metadata.path("description").asString(""));
	}

	/**
	 * Return a default in the form in which it is set: Boot writes enum constants of its
	 * endpoints with an underscore.
	 */
	private static String defaultValue(String type, String value) {
		return type.startsWith("java.") ? value : value.replace('_', '-');
	}

	/**
	 * The row in the table of properties. A property that inherits the value of another
	 * one has no description of its own.
	 * @param inherited whether the value of another property is the default
	 */
	String row(boolean inherited) {
		String value = (this.defaultValue != null) ? "`" + this.defaultValue + "`" : "";
		String text = this.description;
		if (this.defaultValue == null && inherited) {
			value = "inherited";
			text = "";
		}
		return "| `%s` | %s | %s | %s |".formatted(this.name, values(this.type), value, text.replace("|", "\\|"));
	}

	private static String values(String type) {
		String known = TYPES.get(type);
		if (known != null) {
			return known;
		}
		if (type.startsWith("java.util.")) {
			return "list of " + values(type.substring(type.indexOf('<') + 1, type.lastIndexOf('>')));
		}
		Class<?> resolved = ClassUtils.resolveClassName(type, DocumentedProperty.class.getClassLoader());
		if (resolved.isEnum()) {
			return Arrays.stream(resolved.getEnumConstants())
				.map((constant) -> "`" + constant.toString().toLowerCase(Locale.ROOT).replace('_', '-') + "`")
				.collect(Collectors.joining(", "));
		}
		throw new IllegalStateException("What values of " + type + " look like has to be said in " + List.of(TYPES));
	}

}
