/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * Parameters of a LIST request.
 *
 * @param resourceVersion empty for the most recent state, {@code "0"} for any state that
 * the server has cached, otherwise the minimum version; {@code null} to omit it, as a
 * continuation requires
 * @param limit the maximum number of items per page; 0 for no limit
 * @param continueToken the token of the previous page; {@code null} for the first page
 * @param metadataOnly whether the server may leave out everything but the metadata
 * @param selector the objects to list; {@code null} for all
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions">Resource
 * versions</a>
 */
public record ListRequest(@Nullable String resourceVersion, int limit, @Nullable String continueToken,
		boolean metadataOnly, @Nullable ObjectSelector selector) {

	/**
	 * Create a request for entire objects.
	 * @param resourceVersion the resource version
	 * @param limit the maximum number of items per page
	 * @param continueToken the token of the previous page
	 */
	public ListRequest(@Nullable String resourceVersion, int limit, @Nullable String continueToken) {
		this(resourceVersion, limit, continueToken, false, null);
	}

	/**
	 * Return a request for the objects that a selector selects.
	 * @param selector the selector; {@code null} for all objects
	 * @return the new request
	 */
	public ListRequest of(@Nullable ObjectSelector selector) {
		return new ListRequest(this.resourceVersion, this.limit, this.continueToken, this.metadataOnly, selector);
	}

}
