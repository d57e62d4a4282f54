/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import dev.informer.support.UntrustedText;

/**
 * Thrown when the cache is read in a namespace that its informer does not watch. An empty
 * result would say that the namespace has no objects.
 */
public class NamespaceNotWatchedException extends IllegalArgumentException {

	private final String informer;

	private final String namespace;

	/**
	 * Create an exception.
	 * @param informer the name of the informer
	 * @param namespace the namespace
	 * @param reason what the informer does instead, as the predicate of a sentence
	 */
	public NamespaceNotWatchedException(String informer, String namespace, String reason) {
		super("Cannot read the namespace '" + UntrustedText.of(namespace) + "' from the cache of informer '" + informer
				+ "': it " + reason + ". Let the informer watch the namespace, or read it from an informer that does.");
		this.informer = informer;
		this.namespace = namespace;
	}

	/**
	 * Return the name of the informer.
	 * @return the name
	 */
	public String informer() {
		return this.informer;
	}

	/**
	 * Return the namespace.
	 * @return the name that was passed to the read
	 */
	public String namespace() {
		return this.namespace;
	}

}
