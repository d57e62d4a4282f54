/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import dev.informer.client.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Write of an {@link ObjectWriter}, passed to its {@link WriteInterceptor}.
 */
public interface ObjectWrite {

	/**
	 * Return what is done.
	 * @return the operation
	 */
	Operation operation();

	/**
	 * Return the resource.
	 * @return the resource
	 */
	ResourceType<?> resourceType();

	/**
	 * Return the namespace of the object.
	 * @return the namespace; {@code null} for a cluster-scoped object
	 */
	@Nullable String namespace();

	/**
	 * Return the name of the object.
	 * @return the name; {@code null} if the server generates it
	 */
	@Nullable String name();

	/**
	 * Send the request, if it changes anything.
	 * @return the outcome
	 * @throws ObjectWriteException if the request fails
	 * @throws IllegalStateException if it was called before
	 */
	Outcome proceed() throws ObjectWriteException;

	/**
	 * Operations of an {@link ObjectWriter}.
	 */
	enum Operation {

		/** {@link ObjectWriter#create}. */
		CREATE,

		/** {@link ObjectWriter#apply}. */
		APPLY,

		/** {@link ObjectWriter#update}. */
		UPDATE,

		/** {@link ObjectWriter#updateStatus}. */
		UPDATE_STATUS,

		/** {@link ObjectWriter#patch}. */
		PATCH,

		/** {@link ObjectWriter#delete}. */
		DELETE

	}

	/**
	 * Outcomes of a write.
	 */
	enum Outcome {

		/** The server has answered with success. */
		SUCCESS,

		/**
		 * The same, and the apply has changed again what another manager had changed
		 * since the last apply of the same fields.
		 */
		CONTESTED,

		/** Nothing was sent as nothing would change, or the object to delete was gone. */
		UNCHANGED

	}

}
