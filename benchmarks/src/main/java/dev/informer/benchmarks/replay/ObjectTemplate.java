/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Template of an object: pieces of JSON, each with the field that follows it. The first
 * brace is left out, because the kind may have to follow it. Immutable.
 */
final class ObjectTemplate {

	/**
	 * Placeholder of a field. One in quotes with a {@code #} has a value that is not a
	 * string.
	 */
	private static final Pattern GAP = Pattern.compile("\"\\$\\{#(\\w+)}\"|\\$\\{(\\w+)}");

	private final List<byte[]> pieces = new ArrayList<>();

	private final List<ObjectField> fields = new ArrayList<>();

	private final byte[] end;

	private ObjectTemplate(String json) {
		Matcher gap = GAP.matcher(json);
		int position = 1;
		while (gap.find()) {
			this.pieces.add(Bytes.of(json.substring(position, gap.start())));
			this.fields.add(ObjectField.of((gap.group(1) != null) ? gap.group(1) : gap.group(2)));
			position = gap.end();
		}
		this.end = Bytes.of(json.substring(position));
	}

	/**
	 * Read a template.
	 * @param name the name of a file in this package
	 */
	static ObjectTemplate read(String name) {
		return new ObjectTemplate(tree(name).toString());
	}

	/**
	 * Read a template of objects of one namespace.
	 * @param name the name of a file in this package
	 * @param namespace the namespace; {@code null} for different ones
	 */
	static ObjectTemplate read(String name, @Nullable String namespace) {
		String json = tree(name).toString();
		return new ObjectTemplate((namespace != null) ? json.replace("${namespace}", namespace) : json);
	}

	/**
	 * Read the metadata of a template.
	 * @param name the name of a file in this package
	 */
	static ObjectTemplate readMetadata(String name) {
		ObjectNode metadata = JsonMapper.shared().createObjectNode();
		metadata.set("metadata", tree(name).path("metadata"));
		return new ObjectTemplate(metadata.toString());
	}

	private static JsonNode tree(String name) {
		try (InputStream file = ObjectTemplate.class.getResourceAsStream(name)) {
			if (file == null) {
				throw new IllegalArgumentException("Missing template '" + name + "'");
			}
			return JsonMapper.shared().readTree(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Write an object without its first brace.
	 */
	void write(ObjectState object, BodyOutput out) throws IOException {
		for (int gap = 0; gap < this.fields.size(); gap++) {
			out.text(this.pieces.get(gap));
			this.fields.get(gap).write(object, out);
		}
		out.text(this.end);
	}

}
