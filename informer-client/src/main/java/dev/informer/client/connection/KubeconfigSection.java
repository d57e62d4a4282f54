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

	private final Map<String, YamlValue.Entry> entries;

	KubeconfigSection(@Nullable Path file, String path, @Nullable YamlValue value, int line) {
		this.file = file;
		this.path = path;
		this.line = line;
		Map<String, YamlValue.Entry> map = (value == null || value.isNull()) ? Map.of() : value.map();
		if (map == null) {
			throw InvalidConnectionException.ofKubeconfig(location(this.line), path, "is not a mapping",
					"Specify keys and values, as kubectl config writes them.");
		}
		this.entries = map;
	}

	private static boolean isNull(@Nullable YamlValue value) {
		return value == null || value.isNull();
	}

	private @Nullable YamlValue get(String key) {
		YamlValue.Entry entry = this.entries.get(key);
		return (entry != null) ? entry.value() : null;
	}

	private int line(String key) {
		YamlValue.Entry entry = this.entries.get(key);
		return (entry != null) ? entry.line() : this.line;
	}

	Set<String> keys() {
		return Set.copyOf(this.entries.keySet());
	}

	/**
	 * Return whether a key has a value.
	 */
	boolean has(String key) {
		return !isNull(get(key));
	}

	@Nullable String text(String key) {
		YamlValue value = get(key);
		return (value == null || value.isNull()) ? null : emptyToNull(scalar(key, value));
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
		YamlValue value = get(key);
		if (value == null || value.isNull()) {
			return false;
		}
		if (Tag.BOOL.equals(value.tag())) {
			return isTrue(value);
		}
		throw invalid(key, "is neither true nor false", "Specify true or false.");
	}

	private static boolean isTrue(YamlValue value) {
		return TRUE.contains(String.valueOf(value.text()).toLowerCase(Locale.ROOT));
	}

	List<String> texts(String key) {
		return items(key).stream().map((item) -> scalar(key, item)).toList();
	}

	KubeconfigSection section(String key) {
		return section(key, path(key));
	}

	List<KubeconfigSection> sections(String key) {
		List<KubeconfigSection> sections = new ArrayList<>();
		for (YamlValue item : items(key)) {
			sections.add(new KubeconfigSection(this.file, path(key) + "[" + sections.size() + "]", item, item.line()));
		}
		return sections;
	}

	/**
	 * Return the value of a key as maps, lists and scalars.
	 */
	@Nullable Object value(String key) {
		return value(get(key));
	}

	private static @Nullable Object value(@Nullable YamlValue value) {
		if (value == null || value.isNull()) {
			return null;
		}
		if (value.map() != null) {
			Map<String, @Nullable Object> values = new LinkedHashMap<>();
			value.map().forEach((key, entry) -> values.put(key, value(entry.value())));
			return values;
		}
		if (value.list() != null) {
			List<@Nullable Object> values = new ArrayList<>();
			value.list().forEach((item) -> values.add(value(item)));
			return values;
		}
		String text = String.valueOf(value.text());
		if (Tag.BOOL.equals(value.tag())) {
			return isTrue(value);
		}
		return (Tag.INT.equals(value.tag()) && text.matches("-?[0-9]{1,18}")) ? Long.valueOf(text) : text;
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

	private List<YamlValue> items(String key) {
		YamlValue value = get(key);
		if (value == null || value.isNull()) {
			return List.of();
		}
		if (value.list() != null) {
			return value.list();
		}
		throw invalid(key, "is not a list", "Specify a list.");
	}

	private String scalar(String key, YamlValue value) {
		String text = value.text();
		if (text == null) {
			throw invalid(key, "is not a text", "Specify a text.");
		}
		if (!TEXTS.contains(value.tag())) {
			throw invalid(key, "is a number or another value that is not a text, which kubectl rejects",
					"Add quotation marks.");
		}
		return text;
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
