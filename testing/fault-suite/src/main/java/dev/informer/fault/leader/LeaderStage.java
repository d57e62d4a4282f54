/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.LeaderHandler;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.Violation;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.leader.LeaderOracle.Verdict;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.Workload;
import dev.informer.test.cluster.ControlPlane;

/**
 * Three replicas and their servers, while objects change. Not thread-safe.
 */
final class LeaderStage implements AutoCloseable {

	private static final int REPLICAS = 3;

	private static final Duration TIMEOUT = Duration.ofSeconds(120);

	private static final long POLL_MILLIS = 50;

	private final Cluster cluster;

	private final ReplicaDurations durations;

	private final List<Replica> replicas = new ArrayList<>();

	/** Changes for the handler that returns quickly. */
	private final Workload quick;

	/** Changes for the other handlers, which are busy all the time. */
	private final Workload lengthy;

	/** Leader and its fencing token before the fault. */
	private Replica leader;

	private int token;

	/** Time from which the next term is awaited. */
	private long since;

	/**
	 * Create replicas that are not running, and start the changes.
	 * @param cluster the cluster
	 * @param durations the durations of the election
	 * @param folder an empty folder for the files of the replicas
	 */
	LeaderStage(Cluster cluster, ReplicaDurations durations, Path folder) throws IOException, InterruptedException {
		this.cluster = cluster;
		this.durations = durations;
		for (int i = 0; i < REPLICAS; i++) {
			this.replicas.add(new Replica(Files.createDirectory(folder.resolve("replica-" + i)), cluster, durations));
		}
		this.leader = this.replicas.get(0);
		this.quick = new Workload(cluster.api(), Map.of(WatchedResource.CONFIG_MAPS, 40), 20);
		this.lengthy = new Workload(cluster.api(), Map.of(WatchedResource.PODS, 4, WatchedResource.WIDGETS, 1), 4);
	}

	/**
	 * Start all replicas in parallel.
	 */
	void start() throws InterruptedException, ExecutionException {
		ExecutorService executor = Executors.newFixedThreadPool(REPLICAS);
		try {
			List<Callable<Void>> starts = new ArrayList<>();
			for (Replica replica : this.replicas) {
				starts.add(() -> {
					replica.start();
					return null;
				});
			}
			for (Future<Void> start : executor.invokeAll(starts)) {
				start.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Begin a round: wait for a leader, whose term the fault may end.
	 */
	void begin() throws InterruptedException {
		await("a replica leads", this::findLeader);
		this.token = this.leader.log().lastToken();
		fault();
	}

	private boolean findLeader() throws IOException, InterruptedException {
		readLogs();
		String holder = this.cluster.leaseHolder();
		int last = logs().stream().mapToInt(InvocationLog::lastToken).max().orElse(0);
		for (Replica replica : this.replicas) {
			InvocationLog log = replica.log();
			if (replica.isRunning() && holder.equals(log.holder()) && log.lastToken() == last) {
				this.leader = replica;
				return true;
			}
		}
		return false;
	}

	ControlPlane controlPlane() {
		return this.cluster.controlPlane();
	}

	Replica leader() {
		return this.leader;
	}

	/**
	 * Return the replicas that were not leader before the fault.
	 */
	List<Replica> standbys() {
		return this.replicas.stream().filter((replica) -> replica != this.leader).toList();
	}

	List<Replica> replicas() {
		return this.replicas;
	}

	/**
	 * Note that another term has to begin in time from now on.
	 */
	void fault() {
		this.since = System.nanoTime();
	}

	/**
	 * Let time pass.
	 * @param seconds seconds for the default lease duration
	 */
	void hold(int seconds) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(this.durations.scaled(Duration.ofSeconds(seconds)).toNanos());
	}

	/**
	 * Terminate the leader while only the handler that returns quickly is busy.
	 */
	void terminateIdleLeader() throws IOException, InterruptedException {
		this.lengthy.pause();
		try {
			List<Violation> unhandled = awaitHandled(EnumSet.of(LeaderHandler.SLOW, LeaderHandler.STUBBORN));
			if (!unhandled.isEmpty()) {
				throw new IllegalStateException("Handlers are not idle: " + unhandled);
			}
			fault();
			this.leader.terminate();
		}
		finally {
			this.lengthy.resume();
		}
		awaitTakeover();
	}

	/**
	 * Terminate the leader while all handlers are busy. The next term is awaited from the
	 * end of the last invocation, which the leader waits for.
	 */
	void terminateBusyLeader() throws IOException, InterruptedException {
		InvocationLog log = this.leader.log();
		await("a slow handler is busy", () -> {
			log.read();
			return log.isRunning(LeaderHandler.SLOW) && log.isRunning(LeaderHandler.STUBBORN);
		});
		fault();
		this.leader.terminate();
		log.read();
		this.since = Math.max(this.since, log.lastEnd());
		awaitTakeover();
	}

	/**
	 * Wait until an invocation has begun in a later term.
	 */
	void awaitTakeover() throws IOException, InterruptedException {
		long end = System.nanoTime() + this.durations.lease().plusSeconds(30).toNanos();
		while (nextTerm().isEmpty() && System.nanoTime() < end) {
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
			readLogs();
		}
	}

	private OptionalLong nextTerm() {
		return LeaderOracle.firstBegin(logs().stream(), this.token);
	}

	/**
	 * Undo all faults, and wait until all changes so far were handled.
	 * @return a violation for each handler to which that does not apply
	 */
	List<Violation> recover() throws IOException, InterruptedException {
		for (Replica replica : this.replicas) {
			replica.recover();
		}
		return awaitHandled(EnumSet.allOf(LeaderHandler.class));
	}

	private List<Violation> awaitHandled(Set<LeaderHandler> handlers) throws IOException, InterruptedException {
		ObjectStates expected = this.cluster.api().list();
		long end = System.nanoTime() + TIMEOUT.toNanos();
		while (true) {
			readLogs();
			List<Violation> unhandled = LeaderOracle.unhandled(logs(), handlers, expected);
			if (unhandled.isEmpty() || System.nanoTime() > end) {
				return unhandled;
			}
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
		}
	}

	/**
	 * Return the result of the round, after {@link #recover}.
	 */
	Takeover takeover() {
		OptionalLong next = nextTerm();
		return new Takeover(next.isPresent(),
				next.isPresent() ? Duration.ofNanos(Math.max(0, next.getAsLong() - this.since)) : Duration.ZERO);
	}

	/**
	 * Judge all invocations so far.
	 */
	Verdict judge() throws IOException {
		readLogs();
		return LeaderOracle.judge(logs(), System.nanoTime());
	}

	/**
	 * Return the numbers of invocations, processes and terms.
	 */
	String summary() {
		long now = System.nanoTime();
		return "%d invocations by %d processes in %d terms".formatted(
				logs().stream().mapToLong((log) -> log.invocations(now).size()).sum(), logs().size(),
				logs().stream().flatMap((log) -> log.terms().keySet().stream()).distinct().count());
	}

	private List<InvocationLog> logs() {
		return this.replicas.stream().flatMap((replica) -> replica.logs().stream()).toList();
	}

	private void readLogs() throws IOException {
		for (InvocationLog log : logs()) {
			log.read();
		}
	}

	private static void await(String description, Condition condition) throws InterruptedException {
		long end = System.nanoTime() + TIMEOUT.toNanos();
		while (!condition.isMet()) {
			if (System.nanoTime() > end) {
				throw new IllegalStateException("Timed out: " + description);
			}
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
		}
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable resource : Stream.concat(Stream.of(this.quick, this.lengthy), this.replicas.stream())
			.toList()) {
			resource.close();
		}
	}

	private interface Condition {

		boolean holds() throws IOException, InterruptedException;

		default boolean isMet() throws InterruptedException {
			try {
				return holds();
			}
			catch (IOException ex) {
				// The API server is starting
				return false;
			}
		}

	}

	/**
	 * Begin of another term.
	 *
	 * @param happened whether another term has begun
	 * @param after the time from the fault to its first invocation
	 */
	record Takeover(boolean happened, Duration after) {

	}

}
