/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.ChangedPart;
import dev.informer.client.type.ObjectType;
import dev.informer.client.type.ValueType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of parts of objects, by the properties of their class. Values are compared
 * by their contents.
 */
final class ObjectParts {

	private static final Set<String> ENVELOPE = Set.of("apiVersion", "kind", "metadata");

	private static final String STATUS = "status";

	private ObjectParts() {
	}

	/**
	 * Return whether two states of an object differ in one of some parts.
	 */
	static boolean differ(KubernetesObject one, KubernetesObject other, Set<ChangedPart> parts) {
		return parts.stream().anyMatch((part) -> !ValueType.equal(valueOf(one, part), valueOf(other, part)));
	}

	/**
	 * Return whether the deletion of an object has been requested since, or has
	 * proceeded: other finalizers are left.
	 */
	static boolean differInDeletion(KubernetesObject before, KubernetesObject after) {
		V1ObjectMeta last = before.getMetadata();
		V1ObjectMeta now = after.getMetadata();
		if (now == null || now.getDeletionTimestamp() == null) {
			return false;
		}
		return last == null || last.getDeletionTimestamp() == null
				|| !elements(last.getFinalizers()).equals(elements(now.getFinalizers()));
	}

	private static @Nullable Object valueOf(KubernetesObject object, ChangedPart part) {
		V1ObjectMeta metadata = object.getMetadata();
		return switch (part) {
			case LABELS -> entries(metadata.getLabels());
			case ANNOTATIONS -> entries(metadata.getAnnotations());
			case OWNERS -> elements(metadata.getOwnerReferences());
			case STATUS -> members(object).get(STATUS);
			case SPEC -> spec(object);
		};
	}

	private static Map<String, String> entries(@Nullable Map<String, String> map) {
		return (map != null) ? map : Map.of();
	}

	private static List<?> elements(@Nullable List<?> list) {
		return (list != null) ? list : List.of();
	}

	private static Map<String, Object> spec(KubernetesObject object) {
		Map<String, Object> members = members(object);
		members.remove(STATUS);
		return members;
	}

	/**
	 * Return the values of an object other than its type and metadata.
	 */
	private static Map<String, Object> members(KubernetesObject object) {
		Map<String, Object> members = new HashMap<>();
		if (object instanceof DynamicKubernetesObject untyped) {
			members.putAll(untyped.getRaw().asMap());
			members.keySet().removeAll(ENVELOPE);
			return members;
		}
		((ObjectType) ValueType.of(object.getClass())).properties().forEach((name, property) -> {
			Object value = ENVELOPE.contains(name) ? null : property.get(object);
			if (value != null) {
				members.put(name, value);
			}
		});
		return members;
	}

}
