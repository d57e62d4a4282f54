/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

/**
 * A client has not got to its end.
 */
final class ClientFailedException extends RuntimeException {

	ClientFailedException(Contender contender, int code) {
		super("'" + contender.name() + "' has failed, exit code " + code + "; what it has written is above");
	}

}
