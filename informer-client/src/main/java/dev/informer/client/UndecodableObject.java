/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import dev.informer.support.UntrustedText;

/**
 * Object that does not fit the model, is not valid in its wire format, or for which code
 * of the application failed, such as an adapter.
 *
 * @param state the part of its identity that could be read
 * @param reason the path and the expected type; never the value found there
 * @param corrupted whether a server does not send such an object, so that bits have
 * changed on the way, probably those of other objects, too
 */
public record UndecodableObject(ObjectState state, String reason, boolean corrupted) {

	/**
	 * Create a description. The path, which has the names of properties, is converted for
	 * messages.
	 */
	public UndecodableObject {
		reason = UntrustedText.of(reason);
	}

	/**
	 * Create a description of an object that a server may have sent, if it has a name.
	 * @param state the part of its identity that could be read
	 * @param reason the path and the expected type
	 */
	public UndecodableObject(ObjectState state, String reason) {
		this(state, reason, state.key() == null);
	}

}
