/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.client.type.ValueType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Whether the selectors of an informer select an object, as far as the object shows it.
 * The server has accepted the selectors; what this class cannot read excludes nothing.
 */
final class Selection {

	/** Commas that are not within parentheses. */
	private static final Pattern SEPARATOR = Pattern.compile(",(?![^()]*\\))");

	private static final Pattern REQUIREMENT = Pattern
		.compile("\\s*(!?)\\s*([^\\s!=<>(),]+)\\s*(?:(==|=|!=|>|<|notin\\b|in\\b)\\s*\\(?([^()]*)\\)?)?\\s*");

	private Selection() {
	}

	/**
	 * Return whether an informer is one of a resource, in any version.
	 */
	static boolean isOf(SharedIndexInformer<?> informer, ResourceType<?> type) {
		ResourceType<?> cached = informer.resourceType();
		return cached.plural().equals(type.plural()) && cached.group().equals(type.group());
	}

	/**
	 * Return whether an informer has the objects of a namespace.
	 * @param namespace the namespace; {@code null} for cluster-scoped objects
	 */
	static boolean isIn(SharedIndexInformer<?> informer, @Nullable String namespace) {
		Set<String> namespaces = informer.statesByNamespace().keySet();
		return namespace == null || namespaces.contains("") || namespaces.contains(namespace);
	}

	/**
	 * Return whether an object is known not to be selected by the labels or fields.
	 */
	static boolean excludes(InformerOptions options, KubernetesObject object) {
		return excludesLabels(options.labelSelector(), object) || excludesFields(options.fieldSelector(), object);
	}

	/**
	 * Return whether an object is known not to be one of the watched set.
	 */
	static boolean excludes(InformerOptions options, ObjectState state) {
		ObjectSelector selector = (options.watchedSet() != null) ? options.watchedSet().selector() : null;
		return selector != null && selector.excludes(state);
	}

	private static boolean excludesLabels(@Nullable String selector, KubernetesObject object) {
		Map<String, String> labels = object.getMetadata().getLabels();
		Map<String, String> present = (labels != null) ? labels : Map.of();
		return requirements(selector).anyMatch((requirement) -> !isMet(requirement, present.get(requirement.group(2))));
	}

	private static boolean excludesFields(@Nullable String selector, KubernetesObject object) {
		return requirements(selector).anyMatch((requirement) -> {
			String value = field(object, requirement.group(2));
			return value != null && requirement.group(3) != null && !isMet(requirement, value);
		});
	}

	private static Stream<Matcher> requirements(@Nullable String selector) {
		return (selector == null || selector.isBlank() || selector.indexOf('\\') >= 0) ? Stream.empty()
				: SEPARATOR.splitAsStream(selector).map(REQUIREMENT::matcher).filter(Matcher::matches);
	}

	private static boolean isMet(Matcher requirement, @Nullable String value) {
		String operator = requirement.group(3);
		if (operator == null) {
			return (value != null) == requirement.group(1).isEmpty();
		}
		List<String> values = Stream.of(requirement.group(4).split(",", -1)).map(String::strip).toList();
		return switch (operator) {
			case "=", "==", "in" -> value != null && values.contains(value);
			case "!=", "notin" -> value == null || !values.contains(value);
			// numbers, which the server compares
			default -> value != null;
		};
	}

	/**
	 * Return the value of a field; {@code null} if it has none, because the server may
	 * have a default.
	 */
	private static @Nullable String field(KubernetesObject object, String path) {
		ObjectState state = ObjectState.of(object);
		if (path.equals("metadata.name")) {
			return state.name();
		}
		if (path.equals("metadata.namespace")) {
			return state.namespace();
		}
		JsonElement current = find(object, path.split("\\."));
		return (current instanceof JsonPrimitive value && value.isString()) ? value.getAsString() : null;
	}

	/**
	 * Return the JSON of a part of an object; {@code null} if it has none, or cannot be
	 * written.
	 */
	static @Nullable JsonElement find(KubernetesObject object, String... path) {
		JsonElement current;
		try {
			current = (object instanceof DynamicKubernetesObject dynamic) ? dynamic.getRaw() : ValueType.jsonOf(object);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
		for (String name : path) {
			current = (current instanceof JsonObject fields) ? fields.get(name) : null;
		}
		return current;
	}

}
