/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

/**
 * Kubernetes verb of a request.
 */
public enum Verb {

	/**
	 * Read a collection.
	 */
	LIST,

	/**
	 * Watch a collection.
	 */
	WATCH,

	/**
	 * Read an object.
	 */
	GET,

	/**
	 * Create an object.
	 */
	CREATE,

	/**
	 * Replace an object.
	 */
	UPDATE,

	/**
	 * Change parts of an object.
	 */
	PATCH,

	/**
	 * Delete an object.
	 */
	DELETE,

	/**
	 * Delete a collection.
	 */
	DELETECOLLECTION,

	/**
	 * Any request that is not for a resource, such as discovery and health checks.
	 */
	OTHER

}
