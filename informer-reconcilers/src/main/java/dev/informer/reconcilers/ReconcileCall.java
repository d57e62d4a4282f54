/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Call of a reconciler, as its interceptors see it.
 */
public interface ReconcileCall {

	/**
	 * Return the reconciler.
	 * @return the registration
	 */
	ReconcilerRegistration reconciler();

	/**
	 * Return the primary object.
	 * @return the copy that is passed to the reconciler
	 */
	KubernetesObject primary();

	/**
	 * Return the context.
	 * @return the context
	 */
	ReconcileContext context();

	/**
	 * Return whether the object is being deleted, so that its cleanup is called.
	 * @return whether this is a cleanup
	 */
	boolean cleanup();

	/**
	 * Return for how long the call was held until the caches had what earlier calls for
	 * the object have written.
	 * @return the duration; zero if it was not held
	 */
	Duration held();

	/**
	 * Call the reconciler.
	 * @throws Exception its failure
	 * @throws IllegalStateException if it was called before
	 */
	void proceed() throws Exception;

	/**
	 * Outcomes of a call.
	 */
	enum Outcome {

		/** The reconciler has returned. */
		SUCCESS,

		/**
		 * It has asked for a later call, or read a cache that has not synced. No failure.
		 */
		LATER,

		/**
		 * A write was refused because the object has another version (409), or the
		 * exception is one of {@link ReconcilerOptions#conflictExceptions()}. No failure.
		 */
		CONFLICT,

		/** It has thrown another exception. */
		FAILURE

	}

}
