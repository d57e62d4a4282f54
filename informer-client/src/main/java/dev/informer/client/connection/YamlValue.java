/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Value of a kubeconfig, without the text of the file, which the nodes of the parser
 * refer to. Keys are resolved as kubectl does: the last one of several equal ones wins,
 * and so does a merge key over those before it.
 *
 * @param content a text, a map, a list, or {@code null}
 * @param tag the type of a text
 */
record YamlValue(@Nullable Object content, Tag tag, int line) {

	/** Limit for values that aliases multiply. */
	private static final int MAX_VALUES = 100_000;

	static YamlValue of(@Nullable Path file, @Nullable Node root) {
		return (root != null) ? new Converter(file).convert(root) : new YamlValue(null, Tag.NULL, 1);
	}

	boolean isNull() {
		return this.content == null;
	}

	@SuppressWarnings("unchecked")
	@Nullable Map<String, Entry> map() {
		return (this.content instanceof Map<?, ?> map) ? (Map<String, Entry>) map : null;
	}

	@SuppressWarnings("unchecked")
	@Nullable List<YamlValue> list() {
		return (this.content instanceof List<?> list) ? (List<YamlValue>) list : null;
	}

	@Nullable String text() {
		return (this.content instanceof String text) ? text : null;
	}

	/**
	 * Value of a key.
	 */
	record Entry(YamlValue value, int line) {
	}

	/**
	 * Conversion of the nodes of one document.
	 */
	private static final class Converter {

		private final @Nullable Path file;

		private final List<Node> open = new ArrayList<>();

		private int values;

		private Converter(@Nullable Path file) {
			this.file = file;
		}

		private YamlValue convert(Node node) {
			this.values++;
			if (this.values > MAX_VALUES) {
				throw invalid(node, "has more than " + MAX_VALUES + " values");
			}
			if (Tag.NULL.equals(node.getTag())) {
				return new YamlValue(null, Tag.NULL, line(node));
			}
			if (node instanceof ScalarNode scalar) {
				return new YamlValue(scalar.getValue(), node.getTag(), line(node));
			}
			if (this.open.stream().anyMatch((outer) -> outer == node)) {
				throw invalid(node, "has an alias that contains itself");
			}
			this.open.add(node);
			Object content = (node instanceof MappingNode mapping) ? map(mapping)
					: ((SequenceNode) node).getValue().stream().map(this::convert).toList();
			this.open.remove(this.open.size() - 1);
			return new YamlValue(content, node.getTag(), line(node));
		}

		private Map<String, Entry> map(MappingNode mapping) {
			Map<String, Entry> map = new LinkedHashMap<>();
			mapping.getValue().forEach((tuple) -> {
				if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
					throw invalid(tuple.getKeyNode(), "has a key that is not a text");
				}
				YamlValue value = convert(tuple.getValueNode());
				if (Tag.MERGE.equals(key.getTag())) {
					merge(key, value, map);
				}
				else {
					map.put(key.getValue(), new Entry(value, line(key)));
				}
			});
			return map;
		}

		private void merge(Node key, YamlValue value, Map<String, Entry> map) {
			List<YamlValue> merged = (value.list() != null) ? value.list() : List.of(value);
			for (int i = merged.size() - 1; i >= 0; i--) {
				Map<String, Entry> entries = merged.get(i).map();
				if (entries == null) {
					throw invalid(key, "has a merge key without a mapping");
				}
				map.putAll(entries);
			}
		}

		private InvalidConnectionException invalid(Node node, String reason) {
			return InvalidConnectionException.ofKubeconfig(KubeconfigSection.location(this.file, line(node)), "",
					reason, "Correct the file: kubectl rejects it as well.");
		}

		private static int line(Node node) {
			return node.getStartMark().getLine() + 1;
		}

	}

}
