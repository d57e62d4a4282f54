/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * The parts of an object whose changes a handler can ask for.
 */
public enum ChangedPart {

	/**
	 * What the object shall be: {@code spec} where there is one, and everything else that
	 * is neither {@code metadata} nor {@code status}, such as {@code data} of a ConfigMap
	 * or {@code rules} of a Role.
	 */
	SPEC,

	/** What the object is: {@code status}. */
	STATUS,

	/** {@code metadata.labels}. */
	LABELS,

	/** {@code metadata.annotations}. */
	ANNOTATIONS,

	/** {@code metadata.ownerReferences}. */
	OWNERS

}
