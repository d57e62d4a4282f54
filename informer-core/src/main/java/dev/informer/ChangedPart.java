/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Parts of an object by which a handler can select updates. With any selection, an update
 * by which {@code metadata.deletionTimestamp} becomes set is delivered, and each change
 * of {@code metadata.finalizers} after that.
 */
public enum ChangedPart {

	/**
	 * Desired state: {@code spec}, and every other property apart from {@code metadata}
	 * and {@code status}, such as {@code data} of a ConfigMap or {@code rules} of a Role.
	 */
	SPEC,

	/**
	 * Observed state: {@code status}.
	 */
	STATUS,

	/** {@code metadata.labels}. */
	LABELS,

	/** {@code metadata.annotations}. */
	ANNOTATIONS,

	/** {@code metadata.ownerReferences}. */
	OWNERS

}
