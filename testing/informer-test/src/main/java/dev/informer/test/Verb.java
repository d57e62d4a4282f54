/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

/**
 * What a request asks for, in Kubernetes' words.
 */
public enum Verb {

	/** Reads a collection. */
	LIST,

	/** Follows a collection. */
	WATCH,

	/** Reads one object. */
	GET,

	/** Makes an object. */
	CREATE,

	/** Replaces an object. */
	UPDATE,

	/** Changes parts of an object. */
	PATCH,

	/** Deletes an object. */
	DELETE,

	/** Deletes a collection. */
	DELETECOLLECTION,

	/** Anything that is not about a resource, such as discovery and health. */
	OTHER

}
