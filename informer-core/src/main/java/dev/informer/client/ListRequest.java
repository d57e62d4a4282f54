/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * What a LIST asks for.
 *
 * @param resourceVersion empty for the most recent state, {@code "0"} for whatever the
 * server has at hand, otherwise at least as fresh as this; {@code null} leaves it out, as
 * a continuation has to
 * @param limit how many items a page may have; 0 for no limit
 * @param continueToken the token of the page before; {@code null} for the first page
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions">Resource
 * versions</a>
 */
public record ListRequest(@Nullable String resourceVersion, int limit, @Nullable String continueToken) {

	/**
	 * Asks for the page behind the one that brought this token.
	 * @param token the {@code continue} token
	 * @return the request for the next page
	 */
	public ListRequest next(String token) {
		return new ListRequest(null, this.limit, token);
	}

}
