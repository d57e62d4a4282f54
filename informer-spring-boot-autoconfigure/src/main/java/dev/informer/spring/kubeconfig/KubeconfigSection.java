/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.kubeconfig;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Mapping of a kubeconfig that knows its file, the path of its keys and their lines, so
 * that each failure names them. Immutable.
 */
public final class KubeconfigSection {

	private final @Nullable Path file;

	private final String path;

	private final int line;

	private final Map<String, Node> values = new LinkedHashMap<>();

	private final Map<String, Integer> lines = new LinkedHashMap<>();

	KubeconfigSection(@Nullable Path file, String path, @Nullable Node node, int line) {
		this.file = file;
		this.path = path;
		this.line = line;
		if (isNull(node)) {
			return;
		}
		if (!(node instanceof MappingNode mapping)) {
			throw new InvalidKubeconfigException(location(this.line), path, "is not a mapping",
					"Specify keys and values, as kubectl config writes them.");
		}
		mapping.getValue().forEach((tuple) -> {
			if (tuple.getKeyNode() instanceof ScalarNode key) {
				this.values.putIfAbsent(key.getValue(), tuple.getValueNode());
				this.lines.putIfAbsent(key.getValue(), line(key));
			}
		});
	}

	private static int line(Node node) {
		return node.getStartMark().getLine() + 1;
	}

	private static boolean isNull(@Nullable Node node) {
		return node == null || Tag.NULL.equals(node.getTag());
	}

	/**
	 * Return the keys.
	 * @return the keys
	 */
	public Set<String> keys() {
		return Set.copyOf(this.values.keySet());
	}

	/**
	 * Return whether a key has a value.
	 * @param key the key
	 * @return whether the value is neither missing nor null
	 */
	public boolean has(String key) {
		return !isNull(this.values.get(key));
	}

	/**
	 * Return a text.
	 * @param key the key
	 * @return the text; {@code null} if it is missing or empty
	 */
	public @Nullable String text(String key) {
		Node node = this.values.get(key);
		return (node == null || isNull(node)) ? null : emptyToNull(scalar(key, node));
	}

	/**
	 * Return a text that is required.
	 * @param key the key
	 * @return the text
	 */
	public String requiredText(String key) {
		String text = text(key);
		if (text == null) {
			throw invalid(key, "is missing", "Add the key.");
		}
		return text;
	}

	/**
	 * Return a text that is encoded with Base64.
	 * @param key the key
	 * @return the decoded text; {@code null} if it is missing
	 */
	public @Nullable String decodedText(String key) {
		String text = text(key);
		try {
			return (text != null)
					? new String(Base64.getDecoder().decode(text.replaceAll("\\s", "")), StandardCharsets.UTF_8) : null;
		}
		catch (IllegalArgumentException ex) {
			throw invalid(key, "is not encoded with Base64", "Specify PEM content encoded with Base64.");
		}
	}

	/**
	 * Return whether a key is true.
	 * @param key the key
	 * @return whether the value is {@code true}; {@code false} if it is missing
	 */
	public boolean isTrue(String key) {
		String text = text(key);
		if (text == null || text.equals("false")) {
			return false;
		}
		if (text.equals("true")) {
			return true;
		}
		throw invalid(key, "is neither true nor false", "Specify true or false.");
	}

	/**
	 * Return a list of texts.
	 * @param key the key
	 * @return the texts
	 */
	public List<String> texts(String key) {
		return items(key).stream().map((item) -> scalar(key, item)).toList();
	}

	/**
	 * Return a mapping.
	 * @param key the key
	 * @return the mapping; empty if it is missing
	 */
	public KubeconfigSection section(String key) {
		return section(key, path(key));
	}

	/**
	 * Return a list of mappings.
	 * @param key the key
	 * @return the mappings
	 */
	public List<KubeconfigSection> sections(String key) {
		List<KubeconfigSection> sections = new ArrayList<>();
		for (Node item : items(key)) {
			sections.add(new KubeconfigSection(this.file, path(key) + "[" + sections.size() + "]", item, line(item)));
		}
		return sections;
	}

	/**
	 * Return the value of a key as maps, lists and scalars.
	 * @param key the key
	 * @return the value; {@code null} if it is missing
	 */
	public @Nullable Object value(String key) {
		return value(this.values.get(key));
	}

	private static @Nullable Object value(@Nullable Node node) {
		if (node instanceof MappingNode mapping) {
			Map<String, @Nullable Object> values = new LinkedHashMap<>();
			mapping.getValue().forEach((tuple) -> {
				if (tuple.getKeyNode() instanceof ScalarNode key) {
					values.put(key.getValue(), value(tuple.getValueNode()));
				}
			});
			return values;
		}
		if (node instanceof SequenceNode sequence) {
			List<@Nullable Object> values = new ArrayList<>();
			sequence.getValue().forEach((item) -> values.add(value(item)));
			return values;
		}
		if (isNull(node) || !(node instanceof ScalarNode scalar)) {
			return null;
		}
		if (Tag.BOOL.equals(scalar.getTag())) {
			return Boolean.valueOf(scalar.getValue());
		}
		if (Tag.INT.equals(scalar.getTag()) && scalar.getValue().matches("-?[0-9]{1,18}")) {
			return Long.valueOf(scalar.getValue());
		}
		return scalar.getValue();
	}

	/**
	 * Resolve a path relative to the folder of the kubeconfig, as kubectl does.
	 * @param key the key
	 * @return the path; {@code null} if it is missing
	 */
	public @Nullable Path resolvePath(String key) {
		String text = text(key);
		if (text == null) {
			return null;
		}
		if (this.file == null) {
			throw invalid(key, "refers to a file, but the kubeconfig has none to resolve it against",
					"Embed the content, or use informer.connection.kubeconfig.");
		}
		return this.file.toAbsolutePath().resolveSibling(text);
	}

	/**
	 * Reject keys other than known ones: a key that is not understood may change the
	 * identity or the destination of requests.
	 * @param known the known keys
	 */
	public void rejectUnknownKeys(Set<String> known) {
		this.values.keySet().forEach((key) -> {
			if (!known.contains(key)) {
				throw invalid(key, "is an unsupported key",
						"Remove the key, or correct it: supported are " + known.stream().sorted().toList() + ".");
			}
		});
	}

	/**
	 * Create an exception for a key.
	 * @param key the key, or an empty text for this mapping
	 * @param reason the reason as a predicate of the key, without secrets
	 * @param action the remedy
	 * @return the exception
	 */
	public InvalidKubeconfigException invalid(String key, String reason, String action) {
		return new InvalidKubeconfigException(location(this.lines.getOrDefault(key, this.line)),
				key.isEmpty() ? this.path : path(key), reason, action);
	}

	/**
	 * Return a section with another path, such as the name of an entry in place of its
	 * index.
	 */
	KubeconfigSection section(String key, String path) {
		return new KubeconfigSection(this.file, path, this.values.get(key), this.lines.getOrDefault(key, this.line));
	}

	private List<Node> items(String key) {
		Node node = this.values.get(key);
		if (isNull(node)) {
			return List.of();
		}
		if (node instanceof SequenceNode sequence) {
			return sequence.getValue();
		}
		throw invalid(key, "is not a list", "Specify a list.");
	}

	private String scalar(String key, Node node) {
		if (node instanceof ScalarNode scalar) {
			return scalar.getValue();
		}
		throw invalid(key, "is not a text", "Specify a text.");
	}

	private static @Nullable String emptyToNull(String text) {
		return text.isEmpty() ? null : text;
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
