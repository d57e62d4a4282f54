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
 * The keys that there are below a prefix, read from a class of properties.
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
	 * Says which part of a key is not known, and what could stand there.
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
		return "'" + name + "' takes another kind of value";
	}

	private static String unknown(String parent, String element, Collection<String> known) {
		Optional<String> nearest = Names.nearest(element, known);
		if (known.isEmpty()) {
			return "'" + parent + "' has a value, and nothing below it";
		}
		return "There is no '" + element + "' below '" + parent + "'"
				+ nearest.map((each) -> ", did you mean '" + each + "'?").orElse(".") + " It takes " + known;
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
