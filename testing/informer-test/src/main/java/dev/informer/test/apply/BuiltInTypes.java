/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.apply;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.informer.test.store.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;

/**
 * Types of the built-in kinds. The table and its format come from
 * {@code .ci/apply-schema}.
 */
final class BuiltInTypes {

	private static final BuiltInTypes TABLE = read();

	private final Map<String, Integer> kinds = new HashMap<>();

	private final List<Map<String, FieldType.Field>> structs = new ArrayList<>();

	/**
	 * Return the type of a kind.
	 * @return the type, {@code null} if the table does not contain the kind
	 */
	static @Nullable FieldType of(String apiVersion, String kind) {
		Integer number = TABLE.kinds.get(apiVersion + " " + kind);
		return (number != null) ? TABLE.struct(number, false) : null;
	}

	/**
	 * Return the type of the metadata of all objects.
	 */
	static FieldType metadata() {
		return Objects.requireNonNull(of("meta.k8s.io/v1", "ObjectMeta"));
	}

	private static BuiltInTypes read() {
		BuiltInTypes table = new BuiltInTypes();
		try (InputStream in = Objects.requireNonNull(BuiltInTypes.class.getResourceAsStream("apply-schema.txt"));
				BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
			String line;
			while (!(line = reader.readLine()).isEmpty()) {
				int space = line.lastIndexOf(' ');
				table.kinds.put(line.substring(0, space), Integer.valueOf(line.substring(space + 1)));
			}
			List<String> lines = reader.lines().toList();
			lines.forEach((struct) -> table.structs.add(new LinkedHashMap<>()));
			for (int i = 0; i < lines.size(); i++) {
				table.parse(lines.get(i), table.structs.get(i));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return table;
	}

	private FieldType struct(int number, boolean atomic) {
		return FieldType.map(this.structs.get(number), null, atomic);
	}

	private void parse(String line, Map<String, FieldType.Field> fields) {
		for (String text : line.isEmpty() ? new String[0] : line.split(" ")) {
			int colon = text.indexOf(':');
			int equals = text.indexOf('=');
			String code = (equals < 0) ? text.substring(colon + 1) : text.substring(colon + 1, equals);
			char flag = code.charAt(code.length() - 1);
			boolean flagged = flag == '?' || flag == '!' || flag == '~';
			String type = flagged ? code.substring(0, code.length() - 1) : code;
			JsonNode zero = switch (flag) {
				case '!' -> zero(type);
				case '~' -> NullNode.getInstance();
				default -> null;
			};
			fields.put(text.substring(0, colon), new FieldType.Field(type(type), flag == '?', zero,
					(equals < 0) ? null : Json.MAPPER.readTree(text.substring(equals + 1))));
		}
	}

	private static JsonNode zero(String code) {
		return switch (code.charAt(0)) {
			case 's' -> JsonNodeFactory.instance.stringNode("");
			case 'n', 'o' -> JsonNodeFactory.instance.numberNode(0);
			case 'b' -> JsonNodeFactory.instance.booleanNode(false);
			case 'q' -> JsonNodeFactory.instance.stringNode("0");
			case 'm', '^' -> Json.object();
			default -> NullNode.getInstance();
		};
	}

	private FieldType type(String code) {
		String rest = code.substring(1);
		return switch (code.charAt(0)) {
			case 's' -> FieldType.scalar(FieldType.Scalar.STRING);
			case 'n' -> FieldType.scalar(FieldType.Scalar.NUMBER);
			case 'b' -> FieldType.scalar(FieldType.Scalar.BOOLEAN);
			case 't', 'q', 'o' -> FieldType.scalar(FieldType.Scalar.ANY);
			case 'j' -> FieldType.map(Map.of(), FieldType.DEDUCED, false);
			case '*' -> FieldType.list(type(rest), true, List.of());
			case '+' -> FieldType.list(type(rest), false, List.of());
			case '[' -> {
				int end = code.indexOf(']');
				yield FieldType.list(type(code.substring(end + 1)), false, List.of(code.substring(1, end).split(",")));
			}
			case '%' -> FieldType.map(Map.of(), type(rest), false);
			case '^' -> (rest.charAt(0) == '%') ? FieldType.map(Map.of(), type(rest.substring(1)), true)
					: struct(Integer.parseInt(rest.substring(1)), true);
			case 'm' -> struct(Integer.parseInt(rest), false);
			default -> throw new IllegalStateException("Unknown type in apply-schema.txt: " + code);
		};
	}

}
