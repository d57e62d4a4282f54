/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * An informer has given up for good, for a reason that does not go away by itself.
 */
public class InformerFailedException extends IllegalStateException {

	private final String informer;

	private final transient InformerFailure failure;

	/**
	 * Creates an exception.
	 * @param informer the name of the informer
	 * @param failure what it failed with
	 */
	public InformerFailedException(String informer, InformerFailure failure) {
		super("Informer '" + informer + "' has stopped: " + failure.message(), failure.cause());
		this.informer = informer;
		this.failure = failure;
	}

	/**
	 * The name of the informer.
	 * @return the name
	 */
	public String informer() {
		return this.informer;
	}

	/**
	 * What the informer failed with.
	 * @return the failure
	 */
	public InformerFailure failure() {
		return this.failure;
	}

}
