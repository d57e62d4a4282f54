/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Thrown when an informer has failed permanently.
 */
public class InformerFailedException extends IllegalStateException {

	private final String informer;

	private final transient InformerFailure failure;

	/**
	 * Create an exception.
	 * @param informer the name of the informer
	 * @param failure the failure
	 */
	public InformerFailedException(String informer, InformerFailure failure) {
		super("Informer '" + informer + "' failed permanently: " + failure.message(), failure.cause());
		this.informer = informer;
		this.failure = failure;
	}

	/**
	 * Return the name of the informer.
	 * @return the name
	 */
	public String informer() {
		return this.informer;
	}

	/**
	 * Return the failure.
	 * @return the failure
	 */
	public InformerFailure failure() {
		return this.failure;
	}

}
