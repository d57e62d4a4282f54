/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;

/**
 * A bean that changes the informers of a type that the starter makes, before they start:
 * adds indices and handlers, sets a transform. One for {@link KubernetesObject} is called
 * for the informers of all types. Several are called in their order.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface InformerCustomizer<T extends KubernetesObject> {

	/**
	 * Changes an informer.
	 * @param informer the informer, not started yet; its name tells it from others of the
	 * type
	 */
	void customize(SharedIndexInformer<T> informer);

}
