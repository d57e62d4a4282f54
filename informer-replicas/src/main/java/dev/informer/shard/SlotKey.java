/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

/**
 * Part of the name of an object that its slot follows from.
 */
public enum SlotKey {

	/** The namespace and the name: objects are spread one by one. */
	OBJECT,

	/** The namespace: all objects of a namespace belong to the same replica. */
	NAMESPACE

}
