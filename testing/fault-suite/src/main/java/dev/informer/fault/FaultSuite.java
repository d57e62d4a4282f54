/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.PrintStream;
import java.util.List;

import dev.informer.fault.client.ClientType;

/**
 * Main class that runs scenarios with faults and prints the table of their results.
 */
public final class FaultSuite {

	private FaultSuite() {
	}

	/**
	 * Run scenarios. The exit code is 1 if the informer missed a bar.
	 * @param arguments see the README of this module
	 * @throws Exception if a control plane or a client cannot be started
	 */
	public static void main(String[] arguments) throws Exception {
		System.exit(run(SuiteOptions.of(List.of(arguments)), System.out) ? 0 : 1);
	}

	/**
	 * Run scenarios.
	 * @return whether the informer reached all bars
	 */
	static boolean run(SuiteOptions options, PrintStream out) throws Exception {
		SuiteRunner runner = new SuiteRunner(options, out);
		List<TrialResult> results = options.soak().isZero() ? runner.run() : runner.soak();
		out.println();
		new ResultTable(results).print(out);
		return results.stream()
			.filter((result) -> result.client() == ClientType.INFORMER)
			.noneMatch(TrialResult::isBreach);
	}

}
