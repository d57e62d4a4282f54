/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.client.ClientException;
import dev.informer.fault.client.Coordination;
import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.ReplicaHandler;
import dev.informer.fault.journal.Violation;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.proxy.BufferingProxy;
import dev.informer.fault.proxy.ServerKey;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.Workload;
import dev.informer.test.cluster.ControlPlane;

/**
 * Replicas and their servers, while objects change. Not thread-safe.
 */
abstract class ReplicaStage implements AutoCloseable {

	static final int REPLICAS = 3;

	private static final Duration TIMEOUT = Duration.ofSeconds(120);

	/** Time by which watches are late. */
	private static final Duration BUFFERED = Duration.ofSeconds(8);

	private static final long POLL_MILLIS = 50;

	private final Cluster cluster;

	private final Coordination coordination;

	private final ReplicaDurations durations;

	private final Path folder;

	private final List<Workload> workloads = new ArrayList<>();

	/** Workloads with deletions. */
	private final List<Workload> deleting = new ArrayList<>();

	private final Children children;

	/** UIDs of the objects that existed after a restore of etcd. */
	private final Set<String> broughtBack = new HashSet<>();

	private final BufferingProxy bufferingProxy;

	private final List<Replica> replicas = new ArrayList<>();

	/** Replicas with those that join later. */
	private final List<Replica> all = new ArrayList<>();

	/** Time from which a takeover is awaited. */
	private long since;

	/**
	 * Create replicas that are not running.
	 */
	ReplicaStage(Cluster cluster, Coordination coordination, ReplicaDurations durations, Path folder)
			throws IOException, InterruptedException {
		this.cluster = cluster;
		this.coordination = coordination;
		this.durations = durations;
		this.folder = folder;
		cluster.createNamespace(Cluster.GADGETS, 0);
		cluster.customResource(WatchedResource.GADGETS, true, "v1");
		this.children = new Children(cluster.api());
		ServerKey key = new ServerKey(folder);
		this.bufferingProxy = new BufferingProxy(key, cluster::port, durations.scaled(BUFFERED));
		cluster.access().trust(key.certificate());
		change(Map.of(WatchedResource.GADGETS, 20), 10, true);
		for (int i = 0; i < REPLICAS; i++) {
			this.replicas.add(newReplica());
		}
	}

	/**
	 * Create objects, and start to change them until this stage is closed.
	 */
	final Workload change(Map<WatchedResource, Integer> objects, int rate, boolean deletions)
			throws IOException, InterruptedException {
		Workload workload = new Workload(this.cluster.api(), objects, rate, deletions);
		this.workloads.add(workload);
		if (deletions) {
			this.deleting.add(workload);
		}
		return workload;
	}

	/**
	 * Create a replica that is not running, and that is closed with this stage.
	 */
	final Replica newReplica() throws IOException, InterruptedException {
		Replica created = new Replica(Files.createDirectory(this.folder.resolve("replica-" + this.all.size())),
				this.all.size(), this.cluster, this.coordination, this.durations);
		this.all.add(created);
		return created;
	}

	/**
	 * Start all replicas in parallel.
	 */
	void start() throws IOException, InterruptedException, ExecutionException {
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
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof IOException failure) {
				throw failure;
			}
			throw ex;
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Begin a round: wait until the replicas are as they are to be before a fault.
	 */
	abstract void begin() throws IOException, InterruptedException;

	/**
	 * Return the replica that the fault concerns.
	 */
	abstract Replica target();

	/**
	 * Return the replicas without the {@link #target}.
	 */
	List<Replica> others() {
		return this.replicas.stream().filter((replica) -> replica != target()).toList();
	}

	List<Replica> replicas() {
		return this.replicas;
	}

	ControlPlane controlPlane() {
		return this.cluster.controlPlane();
	}

	Cluster cluster() {
		return this.cluster;
	}

	ReplicaDurations durations() {
		return this.durations;
	}

	/**
	 * Note that others have to take over in time from now on.
	 */
	void fault() {
		faultAt(System.nanoTime());
	}

	void faultAt(long time) {
		this.since = time;
	}

	long since() {
		return this.since;
	}

	/**
	 * Terminate a replica, and await the takeover from the end of its last invocation,
	 * which it waits for.
	 */
	final void terminate(Replica replica) throws IOException, InterruptedException {
		fault();
		replica.terminate();
		replica.log().read();
		faultAt(Math.max(this.since, replica.log().lastEnd()));
	}

	/**
	 * Let time pass.
	 * @param seconds seconds for the default lease duration
	 */
	void hold(int seconds) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(this.durations.scaled(Duration.ofSeconds(seconds)).toNanos());
	}

	/**
	 * Wait until others have taken over.
	 */
	abstract void awaitTakeover() throws IOException, InterruptedException;

	/**
	 * Let the requests of a replica pass a proxy that decrypts them, and that delays the
	 * responses to watches, until the replica recovers.
	 * @return the proxy
	 */
	BufferingProxy intercept(Replica replica) {
		replica.proxy().target(this.bufferingProxy.port());
		replica.proxy().reset();
		return this.bufferingProxy;
	}

	/**
	 * Back up etcd.
	 */
	void backUp() throws IOException, InterruptedException {
		this.children.backedUp();
		controlPlane().backUpEtcd();
	}

	/**
	 * Restore etcd to its last backup. Others have to take over in time from then on.
	 */
	void restore() throws IOException, InterruptedException {
		this.children.restored();
		controlPlane().restoreEtcd();
		fault();
		list().byResource()
			.values()
			.forEach((states) -> states.values().forEach((state) -> this.broughtBack.add(state.uid())));
		readLogs();
		long version = this.cluster.version();
		logs().forEach((log) -> log.rolledBack(version));
	}

	/**
	 * Undo all faults, and wait until all changes so far were handled.
	 * @return a violation for each handler to which that does not apply, for each
	 * existing object that was delivered as deleted, and for each gadget without what is
	 * wanted
	 */
	List<Violation> recover() throws IOException, InterruptedException {
		for (Replica replica : this.replicas) {
			replica.recover();
		}
		// an object that is deleted now need not be handled any more
		this.deleting.forEach(Workload::pause);
		this.children.pause();
		try {
			// a gadget that is being deleted may go without a call for its last state
			boolean settled = await(TIMEOUT, () -> this.children.differences().isEmpty());
			List<Violation> violations = new ArrayList<>(settled ? List.of() : this.children.differences());
			violations.addAll(awaitHandled(EnumSet.allOf(ReplicaHandler.class)));
			violations.addAll(Verdict.deletedInError(logs(), list(), this.broughtBack));
			return violations;
		}
		finally {
			this.children.resume();
			this.deleting.forEach(Workload::resume);
		}
	}

	private ObjectStates list() throws IOException, InterruptedException {
		return this.cluster.api().list(EnumSet.allOf(WatchedResource.class));
	}

	final List<Violation> awaitHandled(Set<ReplicaHandler> handlers) throws IOException, InterruptedException {
		ObjectStates expected = list();
		long end = System.nanoTime() + TIMEOUT.toNanos();
		while (true) {
			readLogs();
			List<Violation> unhandled = Verdict.unhandled(logs(), handlers, expected);
			if (unhandled.isEmpty() || System.nanoTime() > end) {
				return unhandled;
			}
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
		}
	}

	/**
	 * Return the effects of the fault, after {@link #recover}.
	 */
	abstract List<Effect> effects(Outcome outcome);

	/**
	 * Judge all invocations and all objects that they have created so far.
	 */
	final Verdict judge() throws IOException {
		readLogs();
		return judgeInvocations(System.nanoTime()).and(this.children.verdict());
	}

	/**
	 * Judge all invocations so far.
	 */
	abstract Verdict judgeInvocations(long now);

	/**
	 * Return the numbers of invocations and processes.
	 */
	String summary() {
		long now = System.nanoTime();
		List<Invocation> all = logs().stream().flatMap((log) -> log.invocations(now).stream()).toList();
		return "%d invocations, %d of them of reconcilers, by %d processes, which have created %d Secrets".formatted(
				all.size(), all.stream().filter((one) -> one.entry().handler().isReconciler()).count(), logs().size(),
				this.children.count());
	}

	/**
	 * Return the last lines of the logs of the replicas and their servers.
	 */
	final String logTails() throws IOException {
		StringBuilder tails = new StringBuilder();
		for (Replica replica : this.all) {
			tails.append(replica.logTail()).append(System.lineSeparator());
		}
		return tails + controlPlane().logTails();
	}

	final List<InvocationLog> logs() {
		return this.all.stream().flatMap((replica) -> replica.logs().stream()).toList();
	}

	final void readLogs() throws IOException {
		for (InvocationLog log : logs()) {
			log.read();
		}
	}

	final void await(String description, Condition condition) throws IOException, InterruptedException {
		if (!await(TIMEOUT, condition) && !condition.holds()) {
			throw new ClientException("Timed out: " + description);
		}
	}

	/**
	 * Wait for a condition.
	 * @return whether it was met in time
	 */
	final boolean await(Duration timeout, Condition condition) throws InterruptedException {
		long end = System.nanoTime() + timeout.toNanos();
		while (!condition.isMet()) {
			if (System.nanoTime() > end) {
				return false;
			}
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
		}
		return true;
	}

	@Override
	public void close() throws Exception {
		List<AutoCloseable> resources = new ArrayList<>(this.workloads);
		resources.add(this.children);
		resources.addAll(this.all);
		resources.add(this.bufferingProxy);
		for (AutoCloseable resource : resources) {
			resource.close();
		}
	}

	interface Condition {

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

}
