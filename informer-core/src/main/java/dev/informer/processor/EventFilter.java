/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which objects and which of their changes a handler wants to be told. When that cannot
 * be said, because the filter throws, the answer is yes: one event too many does less
 * harm than one that is missing. Thread-safe as far as the filter is.
 *
 * @param <T> the type of the objects
 */
final class EventFilter<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(EventFilter.class);

	private final String handler;

	private final @Nullable Predicate<? super T> filter;

	private final Set<ChangedPart> changes;

	private final HandlerListener listener;

	EventFilter(String handler, HandlerOptions<T> options, HandlerListener listener) {
		this.handler = handler;
		this.filter = options.filter();
		this.changes = options.changes();
		this.listener = listener;
	}

	/**
	 * Whether the handler wants to know of an object in this state.
	 */
	boolean matches(T object) {
		return this.filter == null || yesIfItThrows(object, () -> this.filter.test(object));
	}

	/**
	 * Whether the handler wants to know that an object has changed.
	 */
	boolean isChanged(T told, T now) {
		return this.changes.isEmpty() || yesIfItThrows(now, () -> ObjectParts.differ(told, now, this.changes));
	}

	private boolean yesIfItThrows(T object, BooleanSupplier question) {
		try {
			return question.getAsBoolean();
		}
		catch (Throwable ex) {
			report(object, ex);
			return true;
		}
	}

	private void report(T object, Throwable cause) {
		try {
			this.listener.filterFailed(this.handler, ObjectKey.of(object), cause);
		}
		catch (Throwable ex) {
			logger.atError()
				.addKeyValue("handler", this.handler)
				.setCause(ex)
				.log("What hears of the filter of handler '{}' has thrown", this.handler);
		}
	}

}
