/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.PrintStream;
import java.util.List;

import dev.informer.fault.client.ClientType;
import dev.informer.fault.replica.ReplicaSuite;

/**
 * Main class that runs scenarios with faults, of one client or of replicas that share the
 * invocations of their handlers, and prints the table of their results.
 */
public final class FaultSuite {

	/** Command for replicas that elect a leader. */
	private static final String LEADER = "leader";

	/** Command for replicas that divide objects. */
	private static final String SHARD = "shard";

	private FaultSuite() {
	}

	/**
	 * Run scenarios, or the command {@code leader} or {@code shard}. The exit code is 1
	 * if the informer missed a bar.
	 * @param arguments see the README of this module
	 * @throws Exception if a control plane or a client cannot be started
	 */
	public static void main(String[] arguments) throws Exception {
		System.exit(run(List.of(arguments)) ? 0 : 1);
	}

	private static boolean run(List<String> words) throws Exception {
		String command = words.isEmpty() ? "" : words.get(0);
		if (!command.equals(LEADER) && !command.equals(SHARD)) {
			return run(SuiteOptions.of(words), System.out);
		}
		List<String> options = words.subList(1, words.size());
		return command.equals(LEADER)
				? ReplicaSuite.runLeader(SuiteOptions.values(options, ReplicaSuite.LEADER_OPTIONS), System.out)
				: ReplicaSuite.runShard(SuiteOptions.values(options, ReplicaSuite.SHARD_OPTIONS), System.out);
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
