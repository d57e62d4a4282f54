/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

/**
 * Exception for a client that failed.
 */
final class ClientFailedException extends RuntimeException {

	ClientFailedException(Contender contender, int code) {
		super("'" + contender.name() + "' failed (exit code " + code + "); see its output above");
	}

}
