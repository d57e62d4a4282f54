/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import io.micrometer.observation.Observation;

/**
 * Context of the observation of a handler invocation.
 */
public class InformerObservationContext extends Observation.Context {

	private final SharedIndexInformer<?> informer;

	private final String handler;

	private final ResourceEvent<?> event;

	private volatile boolean completed;

	/**
	 * Create a context.
	 * @param informer the informer
	 * @param handler the name of the handler
	 * @param event the event
	 */
	public InformerObservationContext(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event) {
		this.informer = informer;
		this.handler = handler;
		this.event = event;
	}

	/**
	 * Return the informer.
	 * @return the informer
	 */
	public SharedIndexInformer<?> getInformer() {
		return this.informer;
	}

	/**
	 * Return the name of the handler.
	 * @return the name
	 */
	public String getHandler() {
		return this.handler;
	}

	/**
	 * Return the event. Its object is shared with the cache: do not modify it.
	 * @return the event
	 */
	public ResourceEvent<?> getEvent() {
		return this.event;
	}

	/**
	 * Return whether the handler has returned.
	 * @return {@code false} while the handler is running, and if it has thrown
	 */
	public boolean isCompleted() {
		return this.completed;
	}

	void complete() {
		this.completed = true;
	}

}
