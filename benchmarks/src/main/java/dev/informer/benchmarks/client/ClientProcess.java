/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main class of one client in a separate JVM: from the start to a complete store, then
 * through a burst of updates.
 */
public final class ClientProcess {

	/** Logging is initialized long before the clock starts, as in an application. */
	private static final Logger logger = LoggerFactory.getLogger(ClientProcess.class);

	private static final Duration PATIENCE = Duration.ofMinutes(10);

	private static final String PODS = "/api/v1/pods";

	private final ClientSettings settings;

	private final Report report;

	private final Tally tally = new Tally();

	private ClientProcess(ClientSettings settings, Report report) {
		this.settings = settings;
		this.report = report;
	}

	/**
	 * Run a client.
	 * @param arguments see {@link ClientSettings#of}
	 * @throws Exception if the client fails
	 */
	public static void main(String[] arguments) throws Exception {
		new ClientProcess(ClientSettings.of(arguments), new Report(System.out)).run();
		System.exit(0);
	}

	private void run() throws Exception {
		logger.debug("Running {}", this.settings.client());
		if (this.settings.warmUp()) {
			try (BenchmarkClient first = this.settings.client().create(this.settings, new Tally())) {
				first.warmUp();
			}
		}
		double serverCpu = ProcessFigures.cpuSeconds(this.settings.serverPid());
		double cpu = ProcessFigures.cpuSeconds();
		long began = System.nanoTime();
		try (BenchmarkClient client = this.settings.client().create(this.settings, this.tally)) {
			client.start();
			this.tally.await(this.settings.objects(), PATIENCE);
			awaitSynced(client);
			this.report.figure(Figure.SYNC_SECONDS, secondsSince(began));
			this.report.figure(Figure.SYNC_CPU_SECONDS, ProcessFigures.cpuSeconds() - cpu);
			if (this.settings.serverPid() != 0) {
				this.report.figure(Figure.SERVER_CPU_SECONDS,
						ProcessFigures.cpuSeconds(this.settings.serverPid()) - serverCpu);
			}
			this.report.figure(Figure.SYNC_PEAK_MEGABYTES, ProcessFigures.peakMegabytes());
			if (this.settings.profile()) {
				new ProcessProfile(System.err).printThreads();
			}
			this.report.figure(Figure.LIST_LIVE_MEGABYTES, ProcessFigures.liveMegabytes());
			if (this.settings.profile()) {
				new ProcessProfile(System.err).printHeap(this.settings.objects());
			}
			if (this.settings.updates() > 0) {
				update();
			}
			this.report.figure(Figure.PEAK_MEGABYTES, ProcessFigures.peakMegabytes());
			if (this.settings.client() != ClientType.FLOOR) {
				this.settings.verify(client.encoding(), client.resourceVersions().size());
			}
		}
	}

	private void awaitSynced(BenchmarkClient client) throws TimeoutException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!client.hasSynced()) {
			if (System.nanoTime() - deadline > 0) {
				throw new TimeoutException("Not synced after " + PATIENCE);
			}
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
		}
	}

	private void update() throws Exception {
		long told = this.tally.events();
		double cpu = ProcessFigures.cpuSeconds();
		long began = System.nanoTime();
		new ServerControl(this.settings.server()).events(PODS, this.settings.updates());
		this.tally.await(told + this.settings.updates(), PATIENCE);
		this.report.figure(Figure.UPDATES_SECONDS, secondsSince(began));
		this.report.figure(Figure.UPDATES_CPU_SECONDS, ProcessFigures.cpuSeconds() - cpu);
		this.report.figure(Figure.UPDATES_LIVE_MEGABYTES, ProcessFigures.liveMegabytes());
	}

	private static double secondsSince(long began) {
		return (System.nanoTime() - began) / 1e9;
	}

}
