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
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;
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

	private static final Set<Tag> TEXTS = Set.of(Tag.STR, Tag.TIMESTAMP);

	/** Values of a boolean in YAML 1.1, which kubectl reads. */
	private static final Set<String> TRUE = Set.of("true", "yes", "on");

	private final @Nullable Path file;

	private final String path;

	private final int line;

	private final Map<String, NodeTuple> entries = new LinkedHashMap<>();

	/**
	 * Create a section at a line. A node that is {@code null} has no keys. Of several
	 * equal keys the last one wins, as for kubectl.
	 */
	KubeconfigSection(@Nullable Path file, String path, @Nullable Node node, int line) {
		this.file = file;
		this.path = path;
		this.line = line;
		if (node instanceof MappingNode mapping) {
			mapping.getValue().forEach((entry) -> this.entries.put(key(entry.getKeyNode()), entry));
		}
		else if (!isNull(node)) {
			throw invalid("", "is not a mapping", "Specify keys and values, as kubectl config writes them.");
		}
	}

	private String key(Node node) {
		if (node instanceof ScalarNode key && !Tag.MERGE.equals(key.getTag())) {
			return key.getValue();
		}
		throw InvalidConnectionException.ofKubeconfig(location(this.file, line(node)), this.path,
				"has a merge key, or a key that is not a text", "Write the keys, as kubectl config does.");
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
		return this.entries.keySet();
	}

	/**
	 * Return whether a key has a value other than an empty text.
	 */
	boolean has(String key) {
		Node value = get(key);
		return value != null && !(value instanceof ScalarNode scalar && scalar.getValue().isEmpty());
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
			return TRUE.contains(scalar.getValue().toLowerCase(Locale.ROOT));
		}
		throw invalid(key, "is neither true nor false", "Specify true or false.");
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
		Node value = get(key);
		return (value != null) ? new Values().of(value) : null;
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

	private static final class Values extends SafeConstructor {

		Values() {
			super(new LoaderOptions());
		}

		Object of(Node node) {
			return constructDocument(node);
		}

	}

}
