/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.informer.fault.journal.Violation;
import dev.informer.fault.leader.LeaderOracle.Verdict;
import dev.informer.fault.leader.LeaderStage.Takeover;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.Needs;

import org.springframework.util.FileSystemUtils;

/**
 * Rounds of faults of replicas that elect a leader.
 */
public final class LeaderSuite {

	private final LeaderOptions options;

	private final PrintStream out;

	private final List<RoundResult> results = new ArrayList<>();

	/** Violations and reports of all rounds so far. */
	private final Set<Violation> known = new LinkedHashSet<>();

	private LeaderSuite(LeaderOptions options, PrintStream out) {
		this.options = options;
		this.out = out;
	}

	/**
	 * Run rounds, and print the table of their results.
	 * @param options the options
	 * @param out the stream for the results
	 * @return whether no round has a violation
	 * @throws Exception if the servers or the replicas cannot be started
	 */
	public static boolean run(LeaderOptions options, PrintStream out) throws Exception {
		return new LeaderSuite(options, out).run();
	}

	private boolean run() throws Exception {
		this.out.printf("%d rounds with seed %d and a lease duration of %d ms%n", this.options.rounds(),
				this.options.seed(), this.options.durations().lease().toMillis());
		Path folder = Files.createTempDirectory("leader-suite-");
		try (Cluster cluster = new Cluster(Needs.DEFAULT, folder);
				LeaderStage stage = new LeaderStage(cluster, this.options.durations(), folder)) {
			stage.start();
			for (LeaderFault fault : this.options.sequence()) {
				RoundResult result = run(stage, fault);
				this.results.add(result);
				print(result);
			}
			this.out.println("  " + stage.summary());
		}
		this.out.println();
		new LeaderTable(this.results, this.options.durations()).print(this.out);
		boolean passed = this.results.stream().allMatch((result) -> result.violations().isEmpty());
		if (passed) {
			FileSystemUtils.deleteRecursively(folder);
		}
		else {
			this.out.println("Journals and logs of the replicas are in " + folder);
		}
		return passed;
	}

	private RoundResult run(LeaderStage stage, LeaderFault fault) throws InterruptedException {
		try {
			stage.begin();
			fault.action().run(stage);
			List<Violation> violations = new ArrayList<>(stage.recover());
			Takeover takeover = stage.takeover();
			Verdict verdict = stage.judge();
			violations.addAll(takeUnknown(verdict.violations()));
			return RoundResult.of(fault, takeover, this.options.durations(), violations,
					takeUnknown(verdict.reports()));
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			return RoundResult.failed(fault, ex);
		}
	}

	/**
	 * Return what no earlier round has found.
	 */
	private List<Violation> takeUnknown(List<Violation> found) {
		return found.stream().filter(this.known::add).toList();
	}

	private void print(RoundResult result) {
		Takeover takeover = result.takeover();
		this.out.printf("round %d, %s: %s%s%n", this.results.size(), result.fault(),
				takeover.happened() ? "next term after " + takeover.after().toMillis() + " ms" : "same term",
				result.violations().isEmpty() ? "" : " - VIOLATION");
		result.violations().stream().limit(10).forEach((violation) -> this.out.println("  violation: " + violation));
		result.reports().forEach((report) -> this.out.println("  reported: " + report));
	}

}
