/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.test;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetesOptions;

/**
 * Changes the server that {@link AutoConfigureEmbeddedKubernetes} starts. Beans of this
 * type are called in their order.
 */
public interface EmbeddedKubernetesCustomizer {

	/**
	 * Sets options.
	 * @param options the options, before the server starts
	 */
	default void customize(EmbeddedKubernetesOptions options) {
	}

	/**
	 * Creates what is to be there when the informers start.
	 * @param kubernetes the server, before anything is connected to it
	 */
	default void populate(EmbeddedKubernetes kubernetes) {
	}

}
