/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Bean that customizes the informers of a type before they start: adds indices and
 * handlers, sets a transform. A customizer for {@link KubernetesObject} is called for the
 * informers of all types. Customizers are called in their order.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface InformerCustomizer<T extends KubernetesObject> {

	/**
	 * Customize an informer.
	 * @param informer the informer, not started yet; its name distinguishes it from
	 * others of the type
	 */
	void customize(SharedIndexInformer<T> informer);

}
