/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import dev.informer.reconcilers.ReconcileCall;
import io.micrometer.observation.Observation;

/**
 * Context of the observation of a call of a reconciler.
 */
public class ReconcileObservationContext extends Observation.Context {

	private final ReconcileCall call;

	private volatile boolean completed;

	/**
	 * Create a context.
	 * @param call the call
	 */
	public ReconcileObservationContext(ReconcileCall call) {
		this.call = call;
	}

	/**
	 * Return the call.
	 * @return the call
	 */
	public ReconcileCall getCall() {
		return this.call;
	}

	/**
	 * Return whether the reconciler has returned without an exception.
	 * @return whether it has returned
	 */
	public boolean isCompleted() {
		return this.completed;
	}

	void complete() {
		this.completed = true;
	}

}
