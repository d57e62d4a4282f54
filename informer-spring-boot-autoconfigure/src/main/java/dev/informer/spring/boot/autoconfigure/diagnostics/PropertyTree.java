/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.informer.spring.config.Names;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * Known keys below a prefix, read from a properties class.
 */
final class PropertyTree {

	private final ConfigurationPropertyName prefix;

	private final ResolvableType type;

	PropertyTree(String prefix, Class<?> type) {
		this.prefix = ConfigurationPropertyName.of(prefix);
		this.type = ResolvableType.forClass(type);
	}

	boolean isAbove(ConfigurationPropertyName name) {
		return this.prefix.isAncestorOf(name);
	}

	/**
	 * Explain which element of a key is unknown, and which elements are known; or which
	 * nested properties a key has, if it is known.
	 */
	String explain(ConfigurationPropertyName name) {
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
		if (type.toClass().getName().startsWith("dev.informer.spring.") && !type.toClass().isEnum()) {
			for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type.toClass())) {
				Method getter = property.getReadMethod();
				if (getter != null && getter.getDeclaringClass() != Object.class) {
					children.put(DataObjectPropertyName.toDashedForm(property.getName()),
							ResolvableType.forMethodReturnType(getter));
				}
			}
		}
		return children;
	}

}
