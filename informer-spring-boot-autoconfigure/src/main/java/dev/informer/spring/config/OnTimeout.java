/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

/**
 * What happens when required informers have not synced in time.
 */
public enum OnTimeout {

	/** The application does not start. */
	FAIL,

	/** A warning says which ones and why, and the application goes on. */
	WARN,

	/** The application goes on. */
	IGNORE

}
