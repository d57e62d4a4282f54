/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import dev.informer.InformerOptions;
import dev.informer.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Reflector} reflects, and how.
 *
 * @param informer the name of the informer that it belongs to
 * @param resourceType the resource
 * @param namespace the namespace; empty for all of them
 * @param options page size, watch timeout and backoff
 */
public record ReflectorSettings(String informer, ResourceType<?> resourceType, String namespace,
		InformerOptions options) {

	/**
	 * Return a random timeout of a watch, from {@code watchTimeout} to twice as long, so
	 * that watches that were opened together do not end together.
	 */
	Duration randomWatchTimeout() {
		long shortest = this.options.watchTimeout().toSeconds();
		return Duration.ofSeconds(shortest + ThreadLocalRandom.current().nextLong(shortest));
	}

	/**
	 * The selectors, for somebody who has to look them over.
	 */
	String selectors() {
		return "label selector " + quoted(this.options.labelSelector()) + " and field selector "
				+ quoted(this.options.fieldSelector());
	}

	private static String quoted(@Nullable String selector) {
		return (selector != null) ? "'" + selector + "'" : "(none)";
	}

	/**
	 * What is reflected, for somebody who reads it.
	 */
	String where() {
		String scope = "";
		if (this.resourceType.namespaced()) {
			scope = this.namespace.isEmpty() ? " in all namespaces" : " in namespace " + this.namespace;
		}
		return this.resourceType.qualifiedName() + scope;
	}

}
