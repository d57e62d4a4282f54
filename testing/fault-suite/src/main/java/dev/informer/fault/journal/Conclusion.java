/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

/**
 * Conclusion of the suite.
 */
public enum Conclusion {

	/** The client reached all bars. */
	PASSED(0),

	/** The client missed a bar, or health or oracle are wrong. */
	BREACHED(1),

	/** The suite could not complete a run, so nothing is known about its bar. */
	SUITE_FAILED(2);

	private final int exitCode;

	Conclusion(int exitCode) {
		this.exitCode = exitCode;
	}

	/**
	 * Return the exit code of the program.
	 */
	public int exitCode() {
		return this.exitCode;
	}

	/**
	 * Return the conclusion from all runs.
	 * @param breached whether the client missed a bar in one of them
	 * @param failed whether the suite could not complete one of them
	 */
	public static Conclusion of(boolean breached, boolean failed) {
		if (breached) {
			return BREACHED;
		}
		return failed ? SUITE_FAILED : PASSED;
	}

}
