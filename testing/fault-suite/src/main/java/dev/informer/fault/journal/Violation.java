/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

/**
 * Violation that an oracle has found.
 *
 * @param kind the kind, the same for similar violations
 * @param detail the handler or cache, and the object
 */
public record Violation(String kind, String detail) {

	@Override
	public String toString() {
		return this.kind + ": " + this.detail;
	}

}
