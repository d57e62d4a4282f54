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
import java.util.List;
import java.util.Objects;

import dev.informer.fault.client.ClientException;
import dev.informer.fault.client.ClientProcess;
import dev.informer.fault.client.ClockShift;
import dev.informer.fault.client.Connection;
import dev.informer.fault.client.Coordination;
import dev.informer.fault.client.ReplicaDurations;
import dev.informer.fault.journal.InvocationEntry.Owned;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.proxy.FaultProxy;
import dev.informer.fault.proxy.FaultProxy.Accepting;
import dev.informer.fault.server.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * Replica behind a proxy, in one process after another. Not thread-safe.
 */
final class Replica implements AutoCloseable {

	private final Path folder;

	private final Cluster cluster;

	private final Coordination coordination;

	private final ReplicaDurations durations;

	private final FaultProxy proxy;

	private final String user;

	private final Connection connection;

	private final @Nullable ClockShift clock;

	private final List<InvocationLog> logs = new ArrayList<>();

	private @Nullable ClientProcess process;

	private boolean running;

	private boolean suspended;

	private boolean cutOff;

	private boolean watchDenied;

	private boolean writesDenied;

	/**
	 * Create a replica that is not running.
	 * @param folder an empty folder for its files
	 * @param number its number, from 0
	 * @param coordination the way in which replicas share the invocations
	 */
	Replica(Path folder, int number, Cluster cluster, Coordination coordination, ReplicaDurations durations)
			throws IOException, InterruptedException {
		this.folder = folder;
		this.cluster = cluster;
		this.coordination = coordination;
		this.durations = durations;
		this.clock = ClockShift.isAvailable() ? new ClockShift(folder) : null;
		this.proxy = new FaultProxy(cluster.port());
		this.user = Cluster.replica(number);
		this.connection = cluster.connectReplica(number, this.proxy.port());
	}

	/**
	 * Start a process if none is running.
	 */
	void start() throws IOException, InterruptedException {
		if (this.running) {
			return;
		}
		Path files = Files.createDirectory(this.folder.resolve("process-" + this.logs.size()));
		ClientProcess started = ClientProcess.startReplica(files, this.connection, this.coordination, this.durations,
				this.clock);
		this.process = started;
		this.running = true;
		this.logs.add(new InvocationLog(started.journal()));
		started.verifyClocks(Duration.ZERO);
	}

	/**
	 * Undo all faults. Connections that were half-open are cut, as by a network that has
	 * lost their state.
	 */
	void recover() throws IOException, InterruptedException {
		if (this.running && !process().isAlive()) {
			ended();
			throw new ClientException("A replica has ended without a reason of the suite");
		}
		if (this.suspended) {
			resume();
		}
		if (this.watchDenied) {
			this.cluster.access().grantLeaseWatch(this.user);
			this.watchDenied = false;
		}
		if (this.writesDenied) {
			this.cluster.access().grantWrites(this.user);
			this.writesDenied = false;
		}
		this.proxy.heal();
		this.proxy.reset();
		this.cutOff = false;
		if (this.clock != null) {
			this.clock.shift(Duration.ZERO);
		}
		start();
	}

	boolean isRunning() {
		return this.running && !this.suspended;
	}

	/**
	 * Return whether the process can renew its Lease. One that may not watch Leases may
	 * have given up its slots, or see the Leases in lists.
	 */
	boolean isReachable() {
		return isRunning() && !this.cutOff && !(this.watchDenied && !ownsSlots());
	}

	private boolean ownsSlots() {
		Owned last = log().lastOwned();
		return last != null && !last.slots().isEmpty();
	}

	/**
	 * Return the invocations of the last process.
	 */
	InvocationLog log() {
		return this.logs.get(this.logs.size() - 1);
	}

	/**
	 * Return the invocations of each process.
	 */
	List<InvocationLog> logs() {
		return this.logs;
	}

	FaultProxy proxy() {
		return this.proxy;
	}

	private ClientProcess process() {
		return Objects.requireNonNull(this.process, "not started");
	}

	void kill() throws InterruptedException {
		process().kill();
		ended();
	}

	/**
	 * Terminate the process with SIGTERM, and wait for its end.
	 */
	void terminate() throws IOException, InterruptedException {
		log().terminated(System.nanoTime());
		process().terminate();
		// It has not ended in time
		process().kill();
		ended();
	}

	private void ended() {
		log().processEnded(System.nanoTime());
		this.running = false;
	}

	/**
	 * Suspend the process with SIGSTOP.
	 */
	void suspend() throws IOException, InterruptedException {
		this.suspended = true;
		process().suspend();
		log().suspended(System.nanoTime());
	}

	/**
	 * Resume the process with SIGCONT.
	 */
	void resume() throws IOException, InterruptedException {
		log().resumed(System.nanoTime());
		process().signal("CONT");
		this.suspended = false;
	}

	/**
	 * Let all bytes of all connections vanish.
	 */
	void partition() {
		this.cutOff = true;
		this.proxy.accepting(Accepting.SILENT);
		this.proxy.halfOpen(true, true);
	}

	/**
	 * Deny the process to watch Leases. It can renew its own.
	 */
	void denyLeaseWatch() throws IOException, InterruptedException {
		this.cluster.access().revokeLeaseWatch(this.user);
		this.watchDenied = true;
	}

	/**
	 * Deny the process to write for gadgets.
	 */
	void denyWrites() throws IOException, InterruptedException {
		this.cluster.access().revokeWrites(this.user);
		this.writesDenied = true;
	}

	/**
	 * Reset all connections and refuse new ones.
	 */
	void refuse() {
		this.cutOff = true;
		this.proxy.refuse();
	}

	/**
	 * Return the last lines that the last process has logged.
	 */
	String logTail() throws IOException {
		return (this.process != null) ? this.process.logTail() : "No process was started.";
	}

	/**
	 * Return the content of the caches of the process.
	 */
	ObjectStates cache() throws IOException, InterruptedException {
		return process().cache();
	}

	/**
	 * Shift the wall clock of the process, and verify that its monotonic clock continues.
	 */
	void shiftClock(Duration shift) throws IOException, InterruptedException {
		Objects.requireNonNull(this.clock, "no C compiler").shift(shift);
		if (!this.suspended) {
			process().verifyClocks(shift);
		}
	}

	@Override
	public void close() throws IOException {
		if (this.process != null) {
			this.process.close();
		}
		this.proxy.close();
		for (InvocationLog log : this.logs) {
			log.close();
		}
	}

}
