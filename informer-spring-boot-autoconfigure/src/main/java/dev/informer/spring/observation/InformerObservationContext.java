/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import io.micrometer.observation.Observation;

/**
 * The context of the observation of a call of a handler.
 */
public class InformerObservationContext extends Observation.Context {

	private final SharedIndexInformer<?> informer;

	private final String handler;

	private final ResourceEvent<?> event;

	private volatile boolean completed;

	/**
	 * Creates a context.
	 * @param informer the informer
	 * @param handler the name of the handler
	 * @param event what the handler is told
	 */
	public InformerObservationContext(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event) {
		this.informer = informer;
		this.handler = handler;
		this.event = event;
	}

	/**
	 * The informer.
	 * @return the informer
	 */
	public SharedIndexInformer<?> getInformer() {
		return this.informer;
	}

	/**
	 * The name of the handler.
	 * @return the name
	 */
	public String getHandler() {
		return this.handler;
	}

	/**
	 * What the handler is told. The object in it is shared and must not be changed.
	 * @return the event
	 */
	public ResourceEvent<?> getEvent() {
		return this.event;
	}

	/**
	 * Whether the handler has returned.
	 * @return {@code false} while it is running and when it has thrown
	 */
	public boolean isCompleted() {
		return this.completed;
	}

	void complete() {
		this.completed = true;
	}

}
