/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Informer and namespace of a {@link Reflector}.
 *
 * @param namespace the namespace; empty for all namespaces
 * @param transforming whether objects are modified before they are stored
 */
public record ReflectorSettings(SharedIndexInformer<?> informer, String namespace, boolean transforming) {

	/**
	 * Create settings without a transform.
	 */
	public ReflectorSettings(SharedIndexInformer<?> informer, String namespace) {
		this(informer, namespace, false);
	}

	/**
	 * Return whether objects may have parts of others.
	 */
	boolean shareValues() {
		return options().shareValues() && !this.transforming;
	}

	InformerOptions options() {
		return this.informer.options();
	}

	ResourceType<?> resourceType() {
		return this.informer.resourceType();
	}

	/**
	 * Return whether an earlier reflector of the informer may have followed the
	 * namespace.
	 */
	boolean isReturning() {
		return options().namespaceSelector() != null || options().watchedSet() != null;
	}

	/**
	 * Return a random timeout of a watch, from {@code watchTimeout} to twice as long, so
	 * that watches that were opened together do not end together.
	 */
	Duration randomWatchTimeout() {
		long shortest = TimeUnit.NANOSECONDS.toSeconds(TimeSource.nanos(options().watchTimeout()));
		return Duration.ofSeconds(shortest + ThreadLocalRandom.current().nextLong(shortest));
	}

	/**
	 * Return the selectors as text for messages.
	 */
	String selectors() {
		return "label selector " + quoted(options().labelSelector()) + " and field selector "
				+ quoted(options().fieldSelector());
	}

	private static String quoted(@Nullable String selector) {
		return (selector != null) ? "'" + selector + "'" : "(none)";
	}

	/**
	 * Return resource and namespace as text for messages.
	 */
	String where() {
		String where = "";
		if (resourceType().namespaced()) {
			where = this.namespace.isEmpty() ? " in all namespaces" : " in namespace " + this.namespace;
		}
		return resourceType().qualifiedName() + where;
	}

}
