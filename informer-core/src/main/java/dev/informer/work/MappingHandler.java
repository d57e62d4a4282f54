/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.work;

import dev.informer.ResourceEventHandler;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Handler that maps the events of an informer for something else, which messages name
 * instead. What it has not received is no loss: each start maps all objects.
 *
 * @param <T> the type of the objects
 */
public interface MappingHandler<T extends KubernetesObject> extends ResourceEventHandler<T> {

	/**
	 * Return for what the events are mapped, such as {@code reconciler 'quotas'}.
	 */
	String subject();

	/**
	 * Return the threads that work on what is mapped, which are started like those of
	 * handlers.
	 */
	WorkerThreads<?> threads();

}
