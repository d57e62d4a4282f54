/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.Collection;
import java.util.List;

import dev.informer.client.ResourceType;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Relation from other objects to the primary objects of a reconciler. Thread-safe. Its
 * text describes it for messages, such as {@code watches of V1Secret by index 'secret'}.
 */
interface Relation {

	/**
	 * Return the trigger of a call after a change.
	 */
	Trigger trigger();

	/**
	 * Return the keys of the primary objects that an object concerns. Throws what code of
	 * the user throws.
	 */
	Collection<String> primaries(KubernetesObject object);

	/**
	 * Call code of the user again that has thrown for primary objects, and return the
	 * keys of those for which it does not any more.
	 */
	default List<String> retry() {
		return List.of();
	}

	/**
	 * Return whether code of the user has thrown for primary objects.
	 */
	default boolean isFailing() {
		return false;
	}

	/**
	 * Return whether a text can be the key of an object of a type.
	 */
	static boolean isKey(ResourceType<?> type, @Nullable String key) {
		if (key == null || key.isBlank()) {
			return false;
		}
		int slash = key.indexOf('/');
		// of a type that was not discovered yet, it is not known
		boolean fits = type.kind().isEmpty() || (slash >= 0) == type.namespaced();
		return fits && slash != 0 && slash == key.lastIndexOf('/') && slash < key.length() - 1;
	}

}
