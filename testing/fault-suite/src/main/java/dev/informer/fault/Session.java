/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.informer.fault.client.ClientProcess;
import dev.informer.fault.client.ClockShift;
import dev.informer.fault.client.Connection;
import dev.informer.fault.client.Figures;
import dev.informer.fault.client.HostsFile;
import dev.informer.fault.health.HealthMonitor;
import dev.informer.fault.journal.Oracle;
import dev.informer.fault.journal.Violation;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.proxy.BufferingProxy;
import dev.informer.fault.proxy.ErrorServer;
import dev.informer.fault.proxy.FaultProxy;
import dev.informer.fault.proxy.ServerKey;
import dev.informer.fault.server.ClientAccess;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.Needs;
import dev.informer.fault.server.Needs.Route;
import dev.informer.fault.server.Workload;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.FileSystemUtils;

/**
 * Control plane with a workload, a proxy, and a client behind it, for several runs of
 * scenarios in turn. Not thread-safe.
 */
final class Session implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Session.class);

	/** Maximum time for which the {@link #bufferingProxy} holds bytes back. */
	static final Duration BUFFERED = Duration.ofSeconds(15);

	/** Names of the handlers whose events are in the journal of the client. */
	private static final Map<WatchedResource, Set<String>> HANDLERS = Map.of(WatchedResource.CONFIG_MAPS,
			Set.of("configmapskeep", "configmapscoalesce", "configmapsslow", "configmapsfailing",
					"configmapsconcurrent"),
			WatchedResource.PODS, Set.of("podskeepfailing", "podsslow"), WatchedResource.WIDGETS,
			Set.of("widgetskeep", "widgetscoalesce"));

	private final Path folder;

	/** Resources to close, the last one first. */
	private final Deque<AutoCloseable> opened;

	private final Cluster cluster;

	private final FaultProxy proxy;

	private final ErrorServer errorServer;

	/** Proxy that decrypts, behind {@link #proxy}. */
	private final BufferingProxy bufferingProxy;

	private final ClientProcess client;

	private final @Nullable ClockShift clock;

	private final @Nullable HostsFile hosts;

	private final Workload workload;

	private final Oracle oracle;

	private final HealthMonitor monitor;

	private final long started = System.nanoTime();

	private @Nullable Figures first;

	private boolean keepsFiles;

	private Session(Needs needs, Path folder, Deque<AutoCloseable> opened) throws IOException, InterruptedException {
		this.folder = folder;
		this.opened = opened;
		this.cluster = opened(new Cluster(needs, folder));
		this.proxy = opened(new FaultProxy(this.cluster.port()));
		ServerKey key = new ServerKey(folder);
		this.errorServer = opened(new ErrorServer(key));
		this.bufferingProxy = opened(new BufferingProxy(key, this.cluster::port, BUFFERED));
		this.cluster.access().trust(key.certificate());
		this.clock = needs.shiftedClock() ? new ClockShift(folder) : null;
		this.workload = opened(new Workload(this.cluster.api()));
		this.hosts = (needs.route() == Route.HOST_NAME) ? new HostsFile(folder) : null;
		this.client = opened(
				ClientProcess.start(folder, connection(needs.route()), needs.heap(), this.clock, this.hosts));
		this.oracle = opened(new Oracle(this.client.journal(), HANDLERS));
		this.monitor = opened(HealthMonitor.start(this.client));
	}

	private Connection connection(Route route) throws IOException {
		ClientAccess access = this.cluster.access();
		return switch (route) {
			case ADDRESS -> access.connection("127.0.0.1", this.proxy.port());
			case HOST_NAME -> access.connection(HostsFile.SERVER, this.proxy.port());
			case PLUGIN -> access.connectionWithPlugin("127.0.0.1", this.proxy.port());
		};
	}

	static Session start(Needs needs) throws Exception {
		Deque<AutoCloseable> opened = new ArrayDeque<>();
		try {
			return new Session(needs, Files.createTempDirectory("fault-suite-"), opened);
		}
		catch (IOException | InterruptedException | RuntimeException ex) {
			close(opened);
			throw ex;
		}
	}

	private <T extends AutoCloseable> T opened(T resource) {
		this.opened.push(resource);
		return resource;
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
	 */
	void shiftClock(Duration shift) throws IOException {
		Objects.requireNonNull(this.clock, "not requested by the needs of the scenario").shift(shift);
	}

	/**
	 * Return the host names of the client.
	 */
	HostsFile hosts() {
		return Objects.requireNonNull(this.hosts, "not requested by the needs of the scenario");
	}

	BufferingProxy bufferingProxy() {
		return this.bufferingProxy;
	}

	Workload workload() {
		return this.workload;
	}

	Oracle oracle() {
		return this.oracle;
	}

	HealthMonitor monitor() {
		return this.monitor;
	}

	/**
	 * Compare the resources of the client with those after the first run.
	 */
	List<Violation> growth() throws IOException, InterruptedException {
		Figures now = this.client.figures();
		Figures before = this.first;
		if (before == null) {
			this.first = now;
			return List.of();
		}
		return now.growthSince(before).stream().map((figure) -> new Violation("growth", figure)).toList();
	}

	/**
	 * Return the resources of the client after the first run and now, and its log lines.
	 */
	String summary() throws IOException, InterruptedException {
		double minutes = (System.nanoTime() - this.started) / 60e9;
		return "after the first run %s, at the end %s; %.0f log lines per minute in %.1f minutes".formatted(this.first,
				this.client.figures(), this.client.logLines() / minutes, minutes);
	}

	/**
	 * Return the last lines of the logs of the client and its servers.
	 */
	String logTails() throws IOException {
		return this.client.logTail() + System.lineSeparator() + this.cluster.controlPlane().logTails();
	}

	/**
	 * Keep journal and log of the client after the end of the session.
	 */
	void keepFiles() {
		this.keepsFiles = true;
	}

	@Override
	public void close() throws Exception {
		close(this.opened);
		if (this.keepsFiles) {
			logger.info("Journal and log of the client are in {}", this.folder);
		}
		else {
			FileSystemUtils.deleteRecursively(this.folder);
		}
	}

	private static void close(Deque<AutoCloseable> opened) throws Exception {
		while (!opened.isEmpty()) {
			opened.pop().close();
		}
	}

}
