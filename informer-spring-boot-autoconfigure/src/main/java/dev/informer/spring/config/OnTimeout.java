/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

/**
 * Reactions when required informers have not synced in time.
 */
public enum OnTimeout {

	/** The application fails to start. */
	FAIL,

	/** Startup continues after a warning that names the informers and the reasons. */
	WARN,

	/** Startup continues without a warning. */
	IGNORE

}
