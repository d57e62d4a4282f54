/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetesOptions;

/**
 * Callback that customizes the server of {@link AutoConfigureEmbeddedKubernetes}. Beans
 * of this type are called in bean order. A lambda creates objects:
 * {@code (kubernetes) -> kubernetes.create(node)}.
 */
@FunctionalInterface
public interface EmbeddedKubernetesCustomizer {

	/**
	 * Set options before the server starts.
	 * @param options the options of the server
	 */
	default void customize(EmbeddedKubernetesOptions options) {
	}

	/**
	 * Create the objects that exist when the informers start.
	 * @param kubernetes the started server, to which no informer is connected yet
	 */
	void populate(EmbeddedKubernetes kubernetes);

}
