/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;

import dev.informer.fault.client.ClientException;
import dev.informer.fault.journal.Conclusion;
import dev.informer.fault.replica.ReplicaSuite;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main class that runs scenarios with faults, of one client or of replicas that share the
 * invocations of their handlers, and prints the table of their results.
 */
public final class FaultSuite {

	private static final Logger logger = LoggerFactory.getLogger(FaultSuite.class);

	/** Command for replicas that elect a leader. */
	private static final String LEADER = "leader";

	/** Command for replicas that divide objects. */
	private static final String SHARD = "shard";

	private FaultSuite() {
	}

	/**
	 * Run scenarios, or the command {@code leader} or {@code shard}. The exit code is 1
	 * if the informer missed a bar, and 2 if the suite itself failed.
	 */
	public static void main(String[] arguments) {
		System.exit(run(() -> run(List.of(arguments))).exitCode());
	}

	/**
	 * Run the suite. An exception that ends it, such as that of a server that cannot be
	 * started on a busy machine, is a failure of the suite.
	 */
	static Conclusion run(Callable<Conclusion> suite) {
		try {
			return suite.call();
		}
		catch (ClientException ex) {
			logger.error("A client failed", ex);
			return Conclusion.BREACHED;
		}
		catch (Exception ex) {
			logger.error("The suite failed", ex);
			return Conclusion.SUITE_FAILED;
		}
	}

	private static Conclusion run(List<String> words) throws Exception {
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
	static Conclusion run(SuiteOptions options, PrintStream out) throws Exception {
		SuiteRunner runner = new SuiteRunner(options, out);
		List<TrialResult> results = options.soak().isZero() ? runner.run() : runner.soak();
		out.println();
		new ResultTable(results).print(out);
		return conclusion(results);
	}

	static Conclusion conclusion(List<TrialResult> results) {
		return Conclusion.of(results.stream().anyMatch(TrialResult::isBreach),
				results.stream().anyMatch(TrialResult::isFailure));
	}

}
