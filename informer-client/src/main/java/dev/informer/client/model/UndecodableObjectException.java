/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;

/**
 * Thrown when an object cannot be decoded. The reader is at its end, so that the next
 * object can be read.
 */
public final class UndecodableObjectException extends Exception {

	private static final long serialVersionUID = 1L;

	private final transient UndecodableObject object;

	/**
	 * Create an exception without stack trace: its reason is in the response.
	 */
	public UndecodableObjectException(UndecodableObject object) {
		super(object.reason(), null, false, false);
		this.object = object;
	}

	/**
	 * Create an exception for an object that does not fit its class.
	 */
	public UndecodableObjectException(ObjectState state, String reason) {
		this(new UndecodableObject(state, reason));
	}

	/**
	 * Return what was read of the object.
	 */
	public UndecodableObject object() {
		return this.object;
	}

}
