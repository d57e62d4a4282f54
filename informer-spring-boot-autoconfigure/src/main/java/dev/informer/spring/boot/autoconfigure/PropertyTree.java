/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.informer.spring.config.Names;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * Known keys below a prefix, read from a properties class.
 */
public final class PropertyTree {

	private final ConfigurationPropertyName prefix;

	private final ResolvableType type;

	public PropertyTree(String prefix, Class<?> type) {
		this.prefix = ConfigurationPropertyName.of(prefix);
		this.type = ResolvableType.forClass(type);
	}

	public boolean isAbove(ConfigurationPropertyName name) {
		return this.prefix.isAncestorOf(name);
	}

	/**
	 * Return whether a key is known and has nested properties.
	 * @param name the key
	 * @return whether it takes no value
	 */
	public boolean takesNoValue(ConfigurationPropertyName name) {
		return isAbove(name) && explain(name).contains("takes no value");
	}

	/**
	 * Explain which element of a key is unknown, and which elements are known; or which
	 * nested properties a key has, if it is known.
	 */
	public String explain(ConfigurationPropertyName name) {
		ResolvableType level = this.type;
		for (int index = this.prefix.getNumberOfElements(); index < name.getNumberOfElements(); index++) {
			String element = name.getElement(index, Form.DASHED);
			if (Map.class.isAssignableFrom(level.toClass())) {
				level = level.getGeneric(1);
				continue;
			}
			Map<String, ResolvableType> known = children(level);
			ResolvableType next = known.get(element);
			if (next == null) {
				return unknown(name.chop(index).toString(), element, known.keySet());
			}
			level = next;
		}
		return valueInPlaceOfNested(name, level);
	}

	/**
	 * Return all keys as their elements. Those that are names of informers and such are
	 * {@code *}. Keys of lists end with {@code 0}, and occur without it too.
	 */
	List<List<String>> keys() {
		List<List<String>> keys = new ArrayList<>();
		addKeys(this.type, List.of(this.prefix.toString()), keys);
		return keys;
	}

	private static void addKeys(ResolvableType level, List<String> key, List<List<String>> keys) {
		keys.add(key);
		if (Map.class.isAssignableFrom(level.toClass())) {
			addKeys(level.getGeneric(1), append(key, "*"), keys);
		}
		else if (Collection.class.isAssignableFrom(level.toClass())) {
			keys.add(append(key, "0"));
		}
		children(level).forEach((name, child) -> addKeys(child, append(key, name), keys));
	}

	private static List<String> append(List<String> key, String element) {
		return Stream.concat(key.stream(), Stream.of(element)).toList();
	}

	private static String valueInPlaceOfNested(ConfigurationPropertyName name, ResolvableType type) {
		if (Map.class.isAssignableFrom(type.toClass())) {
			return "'" + name + "' takes no value. Set properties below '" + name + ".<name>'";
		}
		return "'" + name + "' takes no value. Set one of its nested properties: " + children(type).keySet();
	}

	private static String unknown(String parent, String element, Collection<String> known) {
		Optional<String> nearest = Names.nearest(element, known);
		if (known.isEmpty()) {
			return "'" + parent + "' takes a value and has no nested properties";
		}
		return "Unknown property '" + element + "' of '" + parent + "'"
				+ nearest.map((each) -> ", did you mean '" + each + "'?").orElse(".") + " Known properties: " + known;
	}

	private static Map<String, ResolvableType> children(ResolvableType type) {
		Map<String, ResolvableType> children = new TreeMap<>();
		if (type.toClass().getName().startsWith("dev.informer.spring.") && type.toClass().isRecord()) {
			for (RecordComponent property : type.toClass().getRecordComponents()) {
				children.put(DataObjectPropertyName.toDashedForm(property.getName()),
						ResolvableType.forMethodReturnType(property.getAccessor()));
			}
		}
		return children;
	}

}
