/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Mapping of a kubeconfig that knows its file, the path of its keys and their lines, so
 * that each failure names them. Immutable.
 */
final class KubeconfigSection {

	/** Limit for values that aliases multiply. */
	private static final int MAX_VALUES = 100_000;

	private static final Set<Tag> TEXTS = Set.of(Tag.STR, Tag.TIMESTAMP);

	/** Values of a boolean in YAML 1.1, which kubectl reads. */
	private static final Set<String> TRUE = Set.of("true", "yes", "on");

	private final @Nullable Path file;

	private final String path;

	private final int line;

	private final Map<String, NodeTuple> entries;

	private KubeconfigSection(@Nullable Path file, String path, @Nullable Node node, int line) {
		this.file = file;
		this.path = path;
		this.line = line;
		if (!isNull(node) && !(node instanceof MappingNode)) {
			throw InvalidConnectionException.ofKubeconfig(location(this.line), path, "is not a mapping",
					"Specify keys and values, as kubectl config writes them.");
		}
		this.entries = (node instanceof MappingNode mapping) ? entries(file, mapping) : Map.of();
	}

	/**
	 * Return the root of a document; {@code null} if the document is empty.
	 */
	static KubeconfigSection document(@Nullable Path file, @Nullable Node root) {
		if (root != null) {
			check(file, root, new ArrayList<>(), 0);
		}
		return new KubeconfigSection(file, "", root, 1);
	}

	/**
	 * Check all values of a node, which aliases may multiply, and return their number in
	 * addition to those before it.
	 */
	private static int check(@Nullable Path file, Node node, List<Node> outer, int before) {
		int values = before + 1;
		if (values > MAX_VALUES) {
			throw invalid(file, node, "has more than " + MAX_VALUES + " values");
		}
		if (outer.stream().anyMatch((each) -> each == node)) {
			throw invalid(file, node, "has an alias that contains itself");
		}
		List<Node> inner = List.of();
		if (node instanceof MappingNode mapping) {
			inner = mapping.getValue().stream().map(NodeTuple::getValueNode).toList();
		}
		else if (node instanceof SequenceNode sequence) {
			inner = sequence.getValue();
		}
		outer.add(node);
		for (Node each : inner) {
			values = check(file, each, outer, values);
		}
		outer.remove(outer.size() - 1);
		if (node instanceof MappingNode mapping) {
			entries(file, mapping);
		}
		return values;
	}

	/**
	 * Return the entries of a mapping as kubectl does: the last one of several equal keys
	 * wins, and so does a merge key over those before it.
	 */
	private static Map<String, NodeTuple> entries(@Nullable Path file, MappingNode mapping) {
		Map<String, NodeTuple> entries = new LinkedHashMap<>();
		for (NodeTuple entry : mapping.getValue()) {
			if (!(entry.getKeyNode() instanceof ScalarNode key)) {
				throw invalid(file, entry.getKeyNode(), "has a key that is not a text");
			}
			if (!Tag.MERGE.equals(key.getTag())) {
				entries.put(key.getValue(), entry);
				continue;
			}
			List<Node> merged = (entry.getValueNode() instanceof SequenceNode list) ? list.getValue()
					: List.of(entry.getValueNode());
			for (int i = merged.size() - 1; i >= 0; i--) {
				if (!(merged.get(i) instanceof MappingNode other)) {
					throw invalid(file, key, "has a merge key without a mapping");
				}
				entries.putAll(entries(file, other));
			}
		}
		return entries;
	}

	private static InvalidConnectionException invalid(@Nullable Path file, Node node, String reason) {
		return InvalidConnectionException.ofKubeconfig(location(file, line(node)), "", reason,
				"Correct the file: kubectl rejects it as well.");
	}

	private static int line(Node node) {
		return node.getStartMark().getLine() + 1;
	}

	private static boolean isNull(@Nullable Node node) {
		return node == null || Tag.NULL.equals(node.getTag());
	}

	private @Nullable Node get(String key) {
		NodeTuple entry = this.entries.get(key);
		return (entry != null && !isNull(entry.getValueNode())) ? entry.getValueNode() : null;
	}

	private int line(String key) {
		NodeTuple entry = this.entries.get(key);
		return (entry != null) ? line(entry.getKeyNode()) : this.line;
	}

	Set<String> keys() {
		return Set.copyOf(this.entries.keySet());
	}

	/**
	 * Return whether a key has a value.
	 */
	boolean has(String key) {
		return get(key) != null;
	}

	@Nullable String text(String key) {
		Node value = get(key);
		String text = (value != null) ? scalar(key, value) : "";
		return text.isEmpty() ? null : text;
	}

	String requiredText(String key) {
		String text = text(key);
		if (text == null) {
			throw invalid(key, "is missing", "Add the key.");
		}
		return text;
	}

	/**
	 * Return a text that is encoded with Base64.
	 */
	@Nullable String decodedText(String key) {
		String text = text(key);
		try {
			return (text != null)
					? new String(Base64.getDecoder().decode(text.replaceAll("\\s", "")), StandardCharsets.UTF_8) : null;
		}
		catch (IllegalArgumentException ex) {
			throw invalid(key, "is not encoded with Base64", "Specify PEM content encoded with Base64.");
		}
	}

	boolean isTrue(String key) {
		Node value = get(key);
		if (value == null) {
			return false;
		}
		if (value instanceof ScalarNode scalar && Tag.BOOL.equals(scalar.getTag())) {
			return isTrue(scalar);
		}
		throw invalid(key, "is neither true nor false", "Specify true or false.");
	}

	private static boolean isTrue(ScalarNode value) {
		return TRUE.contains(value.getValue().toLowerCase(Locale.ROOT));
	}

	List<String> texts(String key) {
		return items(key).stream().map((item) -> scalar(key, item)).toList();
	}

	KubeconfigSection section(String key) {
		return section(key, path(key));
	}

	List<KubeconfigSection> sections(String key) {
		List<KubeconfigSection> sections = new ArrayList<>();
		for (Node item : items(key)) {
			sections.add(new KubeconfigSection(this.file, path(key) + "[" + sections.size() + "]", item, line(item)));
		}
		return sections;
	}

	/**
	 * Return the value of a key as maps, lists and scalars.
	 */
	@Nullable Object value(String key) {
		return value(get(key));
	}

	private @Nullable Object value(@Nullable Node node) {
		if (node instanceof MappingNode mapping) {
			Map<String, @Nullable Object> values = new LinkedHashMap<>();
			entries(this.file, mapping).forEach((key, entry) -> values.put(key, value(entry.getValueNode())));
			return values;
		}
		if (node instanceof SequenceNode list) {
			List<@Nullable Object> values = new ArrayList<>();
			list.getValue().forEach((item) -> values.add(value(item)));
			return values;
		}
		if (!(node instanceof ScalarNode scalar) || isNull(scalar)) {
			return null;
		}
		if (Tag.BOOL.equals(scalar.getTag())) {
			return isTrue(scalar);
		}
		String text = scalar.getValue();
		return (Tag.INT.equals(scalar.getTag()) && text.matches("-?[0-9]{1,18}")) ? Long.valueOf(text) : text;
	}

	/**
	 * Resolve a path relative to the folder of the kubeconfig, as kubectl does.
	 */
	@Nullable Path resolvePath(String key) {
		String text = text(key);
		if (text == null) {
			return null;
		}
		if (this.file == null) {
			throw invalid(key, "refers to a file, but the kubeconfig has none to resolve it against",
					"Embed the content, or configure the kubeconfig as a file.");
		}
		return this.file.toAbsolutePath().resolveSibling(text);
	}

	/**
	 * Reject keys other than known ones: a key that is not understood may change the
	 * identity or the destination of requests.
	 */
	void rejectUnknownKeys(Set<String> known) {
		this.entries.keySet().forEach((key) -> {
			if (!known.contains(key)) {
				throw invalid(key, "is an unsupported key",
						"Remove the key, or correct it: supported are " + known.stream().sorted().toList() + ".");
			}
		});
	}

	InvalidConnectionException invalid(String key, String reason, String action) {
		return InvalidConnectionException.ofKubeconfig(location(line(key)), key.isEmpty() ? this.path : path(key),
				reason, action);
	}

	/**
	 * Return a section with another path, such as the name of an entry in place of its
	 * index.
	 */
	KubeconfigSection section(String key, String path) {
		return new KubeconfigSection(this.file, path, get(key), line(key));
	}

	private List<Node> items(String key) {
		Node value = get(key);
		if (value == null) {
			return List.of();
		}
		if (value instanceof SequenceNode list) {
			return list.getValue();
		}
		throw invalid(key, "is not a list", "Specify a list.");
	}

	private String scalar(String key, Node value) {
		if (!(value instanceof ScalarNode scalar) || isNull(scalar)) {
			throw invalid(key, "is not a text", "Specify a text.");
		}
		if (!TEXTS.contains(scalar.getTag())) {
			throw invalid(key, "is a number or another value that is not a text, which kubectl rejects",
					"Add quotation marks.");
		}
		return scalar.getValue();
	}

	private String path(String key) {
		return this.path.isEmpty() ? key : this.path + "." + key;
	}

	private String location(int line) {
		return location(this.file, line);
	}

	static String location(@Nullable Path file, int line) {
		return ((file != null) ? file.toString() : "text") + ", line " + line;
	}

	@Override
	public String toString() {
		return location(this.line) + ", " + this.path;
	}

}
