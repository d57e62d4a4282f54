/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.informer.fault.client.ClientProcess;
import dev.informer.fault.client.ClientType;
import dev.informer.fault.client.ClockShift;
import dev.informer.fault.client.Figures;
import dev.informer.fault.health.HealthMonitor;
import dev.informer.fault.journal.Oracle;
import dev.informer.fault.proxy.ErrorServer;
import dev.informer.fault.proxy.FaultProxy;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.Needs;
import dev.informer.fault.server.Workload;
import org.jspecify.annotations.Nullable;

/**
 * Control plane with a workload, a proxy, and a client behind it, for several runs of
 * scenarios in turn. Not thread-safe.
 */
final class Session implements AutoCloseable {

	private final Path folder;

	private final Cluster cluster;

	private final FaultProxy proxy;

	private final ErrorServer errorServer;

	private final ClientProcess client;

	private final @Nullable ClockShift clock;

	private final Workload workload;

	private final Oracle oracle;

	private final @Nullable HealthMonitor monitor;

	private final long started = System.nanoTime();

	private @Nullable Figures first;

	private Session(Path folder, Cluster cluster, FaultProxy proxy, ErrorServer errorServer, ClientProcess client,
			@Nullable ClockShift clock, Workload workload, Oracle oracle) {
		this.folder = folder;
		this.cluster = cluster;
		this.proxy = proxy;
		this.errorServer = errorServer;
		this.client = client;
		this.clock = clock;
		this.workload = workload;
		this.oracle = oracle;
		this.monitor = client.hasManagement() ? new HealthMonitor(client) : null;
	}

	static Session start(ClientType type, Needs needs) throws IOException, InterruptedException {
		Path folder = Files.createTempDirectory("fault-suite-");
		Cluster cluster = new Cluster(needs, folder);
		try {
			FaultProxy proxy = new FaultProxy(cluster.port());
			ErrorServer errorServer = new ErrorServer(folder);
			cluster.trust(errorServer.certificate());
			ClockShift clock = needs.shiftedClock() ? new ClockShift(folder) : null;
			Workload workload = new Workload(cluster.api());
			ClientProcess client = ClientProcess.start(type, folder, cluster.connection(proxy.port()), needs.heap(),
					clock);
			return new Session(folder, cluster, proxy, errorServer, client, clock, workload,
					new Oracle(client.journal(), type.handlers()));
		}
		catch (IOException | InterruptedException | RuntimeException ex) {
			cluster.close();
			throw ex;
		}
	}

	Cluster cluster() {
		return this.cluster;
	}

	FaultProxy proxy() {
		return this.proxy;
	}

	ErrorServer errorServer() {
		return this.errorServer;
	}

	ClientProcess client() {
		return this.client;
	}

	/**
	 * Set the clock of the client.
	 * @param shift the difference from the clock of the machine
	 */
	void shiftClock(Duration shift) throws IOException {
		Objects.requireNonNull(this.clock, "not requested by the needs of the scenario").shift(shift);
	}

	Workload workload() {
		return this.workload;
	}

	Oracle oracle() {
		return this.oracle;
	}

	@Nullable HealthMonitor monitor() {
		return this.monitor;
	}

	/**
	 * Compare the resources of the client with those after the first run.
	 * @return what has grown
	 */
	List<String> growth() throws IOException, InterruptedException {
		Figures now = this.client.figures();
		Figures before = this.first;
		if (before == null) {
			this.first = now;
			return List.of();
		}
		return now.growthSince(before);
	}

	/**
	 * Return the resources of the client after the first run and now, and its log lines.
	 * @return a line of text
	 */
	String summary() throws IOException, InterruptedException {
		double minutes = (System.nanoTime() - this.started) / 60e9;
		return "after the first run %s, at the end %s; %.0f log lines per minute in %.1f minutes"
			.formatted(this.first, this.client.figures(), this.client.logLines() / minutes, minutes);
	}

	/**
	 * Return the folder with the files of the client.
	 */
	Path folder() {
		return this.folder;
	}

	/**
	 * Delete the files of the client.
	 */
	void deleteFiles() {
		try (Stream<Path> files = Files.walk(this.folder)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot delete " + this.folder, ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.workload.close();
		HealthMonitor current = this.monitor;
		if (current != null) {
			current.close();
		}
		this.client.close();
		this.proxy.close();
		this.errorServer.close();
		this.oracle.close();
		this.cluster.close();
	}

}
