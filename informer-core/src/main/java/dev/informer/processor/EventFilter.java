/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Filter of the objects and changes that a handler is interested in. When the filter
 * throws, it matches: one event too many does less harm than a missing one. Thread-safe
 * as far as the filter is.
 */
final class EventFilter<T extends KubernetesObject> {

	private final @Nullable Predicate<? super T> filter;

	private final Set<ChangedPart> changes;

	private final BiConsumer<T, Throwable> failures;

	EventFilter(HandlerOptions<T> options, BiConsumer<T, Throwable> failures) {
		this.filter = options.filter();
		this.changes = options.changes();
		this.failures = failures;
	}

	/**
	 * Return whether an object in this state is visible to the handler.
	 */
	boolean matches(T object) {
		try {
			return this.filter == null || this.filter.test(object);
		}
		catch (Throwable ex) {
			this.failures.accept(object, ex);
			return true;
		}
	}

	/**
	 * Return whether two states of an object differ for the handler.
	 */
	boolean isChanged(T lastDelivered, T current) {
		try {
			return this.changes.isEmpty() || ObjectParts.differ(lastDelivered, current, this.changes)
					|| ObjectParts.differInDeletion(lastDelivered, current);
		}
		// equals is the code of the objects' authors, too
		catch (Throwable ex) {
			this.failures.accept(current, ex);
			return true;
		}
	}

}
