/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import dev.informer.fault.Scenario.Trait;
import dev.informer.fault.server.Needs;
import org.jspecify.annotations.Nullable;

/**
 * Runs of scenarios. Scenarios with the same needs share a session, until one of them
 * ends its client or control plane or leaves it in a wrong state.
 */
final class SuiteRunner {

	/**
	 * Scenarios that share a session at most, so that several sessions can run in
	 * parallel.
	 */
	private static final int BATCH = 8;

	private final SuiteOptions options;

	private final PrintStream out;

	SuiteRunner(SuiteOptions options, PrintStream out) {
		this.options = options;
		this.out = out;
	}

	/**
	 * Run all scenarios.
	 */
	List<TrialResult> run() throws InterruptedException {
		ExecutorService executor = Executors.newFixedThreadPool(this.options.parallel());
		try {
			List<Callable<List<TrialResult>>> tasks = new ArrayList<>();
			batches().forEach((batch) -> tasks.add(() -> run(repeated(batch))));
			List<TrialResult> results = new ArrayList<>();
			for (Future<List<TrialResult>> future : executor.invokeAll(tasks)) {
				results.addAll(future.get());
			}
			return results;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A batch of scenarios failed", ex.getCause());
		}
		finally {
			executor.shutdownNow();
		}
	}

	private List<List<Scenario>> batches() {
		Map<Needs, List<Scenario>> byNeeds = new LinkedHashMap<>();
		this.options.scenarios()
			.forEach((scenario) -> byNeeds.computeIfAbsent(scenario.needs(), (key) -> new ArrayList<>()).add(scenario));
		List<List<Scenario>> batches = new ArrayList<>();
		for (List<Scenario> scenarios : byNeeds.values()) {
			for (int from = 0; from < scenarios.size(); from += BATCH) {
				batches.add(scenarios.subList(from, Math.min(scenarios.size(), from + BATCH)));
			}
		}
		return batches;
	}

	private Iterator<Scenario> repeated(List<Scenario> batch) {
		return Collections.nCopies(this.options.runs(), batch).stream().flatMap(List::stream).iterator();
	}

	/**
	 * Run scenarios in random order, in one session as long as it lasts.
	 */
	List<TrialResult> soak() throws Exception {
		List<Scenario> candidates = this.options.scenarios()
			.stream()
			.filter((scenario) -> scenario.needs().equals(Needs.DEFAULT) && !scenario.has(Trait.ENDS_CLIENT))
			.toList();
		long seed = System.nanoTime();
		Random random = new Random(seed);
		this.out.println("Soak of " + this.options.soak() + " with seed " + seed);
		long end = System.nanoTime() + this.options.soak().toNanos();
		return run(Stream.generate(() -> candidates.get(random.nextInt(candidates.size())))
			.takeWhile((scenario) -> System.nanoTime() < end)
			.iterator());
	}

	private List<TrialResult> run(Iterator<Scenario> scenarios) throws Exception {
		List<TrialResult> results = new ArrayList<>();
		Session session = null;
		try {
			while (scenarios.hasNext()) {
				session = run(session, scenarios.next(), results);
			}
		}
		finally {
			close(session);
		}
		return results;
	}

	/**
	 * Run a scenario, and run it again if the suite itself fails.
	 * @param session the session of the last scenario, {@code null} to start another one
	 * @return the session for the next scenario, {@code null} if this one has ended
	 */
	private @Nullable Session run(@Nullable Session session, Scenario scenario, List<TrialResult> results)
			throws Exception {
		Session next = attempt(session, scenario, results);
		if (results.get(results.size() - 1).isFailure()) {
			close(next);
			results.remove(results.size() - 1);
			next = attempt(null, scenario, results);
		}
		return next;
	}

	private @Nullable Session attempt(@Nullable Session session, Scenario scenario, List<TrialResult> results)
			throws Exception {
		Session current = session;
		TrialResult result;
		try {
			if (current == null) {
				current = Session.start(scenario.needs());
			}
			result = new Trial(current, scenario).run();
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			result = TrialResult.incomplete(scenario, ex, current != null && !current.client().isAlive());
		}
		results.add(result);
		long run = results.stream().filter((other) -> other.scenario().equals(scenario)).count();
		print(run, result, (current != null) ? current.logTails() : "");
		if (current != null && (result.isBreach() || result.isFailure())) {
			current.keepFiles();
		}
		if (scenario.has(Trait.ENDS_CLIENT) || !result.settled()) {
			close(current);
			return null;
		}
		return current;
	}

	private void close(@Nullable Session session) throws Exception {
		if (session == null) {
			return;
		}
		try {
			this.out.println("  session: " + session.summary());
		}
		catch (IOException | InterruptedException ex) {
			this.out.println("  session: the client does not answer");
		}
		session.close();
	}

	private synchronized void print(long run, TrialResult result, String logTails) {
		if (result.isFailure()) {
			this.out.printf("%s, run %d: SUITE FAILED: %s%n", result.scenario(), run, result.failure());
		}
		else {
			this.out.printf("%s, run %d: recovery %.2f s, %d changes/s, %d events%s%s%n", result.scenario(), run,
					result.recovery().toMillis() / 1000.0, result.rate(), result.events(),
					result.expired() ? ", after a 410" : "", result.isBreach() ? " - BREACH" : "");
		}
		result.health().forEach((violation) -> this.out.println("  health: " + violation));
		result.oracle().stream().limit(10).forEach((violation) -> this.out.println("  oracle: " + violation));
		if (result.isBreach() || result.isFailure()) {
			logTails.lines().forEach((line) -> this.out.println("  " + line));
		}
	}

}
