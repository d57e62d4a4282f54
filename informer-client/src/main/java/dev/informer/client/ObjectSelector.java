/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.Map;

/**
 * Selects objects by their metadata, beside label and field selectors. Immutable; two
 * selectors are {@code equal} if they select the same objects.
 */
public interface ObjectSelector {

	/**
	 * Return whether an object is known not to be selected. The client leaves it out in
	 * any case, also where the server does not apply {@link #parameters()}.
	 * @param state the metadata of the object
	 * @return whether it is excluded
	 */
	boolean excludes(ObjectState state);

	/**
	 * Return whether no object at all is selected, so that nothing has to be requested.
	 * @return whether it is empty
	 */
	default boolean isEmpty() {
		return false;
	}

	/**
	 * Return the parameters with which a server selects the objects.
	 * @return the values of the request parameters by name; empty if no server can
	 */
	default Map<String, String> parameters() {
		return Map.of();
	}

}
