/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.Conclusion;
import dev.informer.fault.journal.Violation;
import dev.informer.fault.server.Cluster;

import org.springframework.util.FileSystemUtils;

/**
 * Rounds of faults of replicas that share the invocations of their handlers.
 *
 * @param <S> the type of the stage
 */
public final class ReplicaSuite<S extends ReplicaStage> {

	/** Names of the options for replicas that elect a leader. */
	public static final Set<String> LEADER_OPTIONS = ReplicaOptions.LEADER;

	/** Names of the options for replicas that divide objects. */
	public static final Set<String> SHARD_OPTIONS = ReplicaOptions.SHARD;

	private final ReplicaOptions<S> options;

	private final StageFactory<S> stages;

	private final RoundTable table;

	private final PrintStream out;

	private final List<RoundResult> results = new ArrayList<>();

	/** Violations and reports of all rounds so far. */
	private final Set<Violation> known = new LinkedHashSet<>();

	private ReplicaSuite(ReplicaOptions<S> options, StageFactory<S> stages, RoundTable table, PrintStream out) {
		this.options = options;
		this.stages = stages;
		this.table = table;
		this.out = out;
	}

	/**
	 * Run rounds of replicas that elect a leader, and print the table of their results.
	 * @return whether a round has a violation
	 */
	public static Conclusion runLeader(Map<String, String> options, PrintStream out) throws Exception {
		return new ReplicaSuite<>(ReplicaOptions.ofLeader(options), LeaderStage::new, RoundTable.ofLeader(), out).run();
	}

	/**
	 * Run rounds of replicas that divide objects, and print the table of their results.
	 * @return whether a round has a violation
	 */
	public static Conclusion runShard(Map<String, String> options, PrintStream out) throws Exception {
		return new ReplicaSuite<>(ReplicaOptions.ofShard(options), ShardStage::new, RoundTable.ofShard(), out).run();
	}

	private Conclusion run() throws Exception {
		this.out.printf("%d rounds with seed %d and a lease duration of %d ms%n", this.options.rounds(),
				this.options.seed(), this.options.durations().lease().toMillis());
		Path folder = Files.createTempDirectory("replica-suite-");
		try (Cluster cluster = new Cluster(this.options.needs(), folder);
				S stage = this.stages.create(cluster, this.options.durations(), folder)) {
			stage.start();
			for (Fault<S> fault : this.options.sequence()) {
				RoundResult result = run(stage, fault);
				this.results.add(result);
				print(result, stage.logTails());
			}
			this.out.println("  " + stage.summary());
		}
		this.out.println();
		this.table.print(this.options.faults().stream().map(Fault::name).toList(), this.results, this.out);
		Conclusion conclusion = Conclusion.of(this.results.stream().anyMatch(RoundResult::isBreach),
				this.results.stream().anyMatch(RoundResult::isFailure));
		if (conclusion == Conclusion.PASSED) {
			FileSystemUtils.deleteRecursively(folder);
		}
		else {
			this.out.println("Journals and logs of the replicas are in " + folder);
		}
		return conclusion;
	}

	private RoundResult run(S stage, Fault<S> fault) throws InterruptedException {
		try {
			stage.begin();
			fault.action().run(stage);
			List<Violation> violations = new ArrayList<>(stage.recover());
			List<Effect> effects = stage.effects(fault.outcome());
			Verdict verdict = stage.judge();
			violations.addAll(takeUnknown(verdict.violations()));
			return RoundResult.of(fault.name(), effects, violations, takeUnknown(verdict.reports()));
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			recover(stage, ex);
			return RoundResult.failed(fault.name(), ex);
		}
	}

	/**
	 * Undo the fault of a round that could not be completed, so that the next one can.
	 */
	private void recover(S stage, Exception failure) throws InterruptedException {
		try {
			stage.recover();
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			failure.addSuppressed(ex);
		}
	}

	/**
	 * Return what no earlier round has found.
	 */
	private List<Violation> takeUnknown(List<Violation> found) {
		return found.stream().filter(this.known::add).toList();
	}

	private void print(RoundResult result, String logTails) {
		this.out.printf("round %d, %s: %s%s%n", this.results.size(), result.fault(),
				result.effects().stream().map(Effect::toString).collect(Collectors.joining("; after its end ")),
				result.isFailure() ? "SUITE FAILED: " + result.failure() : result.isBreach() ? " - VIOLATION" : "");
		result.violations().stream().limit(10).forEach((violation) -> this.out.println("  violation: " + violation));
		result.reports().forEach((report) -> this.out.println("  reported: " + report));
		if (result.isBreach() || result.isFailure()) {
			logTails.lines().forEach((line) -> this.out.println("  " + line));
		}
	}

	private interface StageFactory<S extends ReplicaStage> {

		S create(Cluster cluster, ReplicaDurations durations, Path folder) throws IOException, InterruptedException;

	}

}
