/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.client.ClientProcess;
import dev.informer.fault.health.Outage;
import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.proxy.FaultProxy;
import dev.informer.fault.server.Cluster;
import dev.informer.fault.server.Workload;
import dev.informer.test.cluster.ControlPlane;

/**
 * Servers, client and network that a scenario acts on, and the measurement of recoveries. Not thread-safe.
 */
final class Stage {

	/** Time after which a recovery is no longer waited for. */
	static final Duration RECOVERY_TIMEOUT = Duration.ofMinutes(5);

	private static final Duration SERVER_TIMEOUT = Duration.ofSeconds(120);

	/** Time in which a change that the cache lacks may be on its way. */
	private static final long IN_FLIGHT_MILLIS = 100;

	private final Session session;

	private final Scenario scenario;

	private final List<Duration> recoveries = new ArrayList<>();

	private final List<Outage> outages = new ArrayList<>();

	private long blindSince = System.nanoTime();

	Stage(Session session, Scenario scenario) {
		this.session = session;
		this.scenario = scenario;
	}

	FaultProxy proxy() {
		return this.session.proxy();
	}

	Cluster cluster() {
		return this.session.cluster();
	}

	ControlPlane controlPlane() {
		return this.session.cluster().controlPlane();
	}

	ClientProcess client() {
		return this.session.client();
	}

	Workload workload() {
		return this.session.workload();
	}

	Session session() {
		return this.session;
	}

	/**
	 * Note that the client receives nothing from now on.
	 */
	void blind() {
		this.blindSince = System.nanoTime();
	}

	/**
	 * Let time pass.
	 */
	void hold(Duration duration) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(duration.toNanos());
	}

	/**
	 * Wait until the server serves a change, then until the caches contain this change and
	 * agree with the server. Measure the second time.
	 */
	void recover() throws IOException, InterruptedException {
		ObjectStates marker = awaitServer();
		long servable = System.nanoTime();
		long end = servable + RECOVERY_TIMEOUT.toNanos();
		long recovered = 0;
		while (recovered == 0 && System.nanoTime() < end) {
			if (isReached(marker)) {
				long reached = System.nanoTime();
				recovered = agrees() ? reached : 0;
			}
			else {
				TimeUnit.MILLISECONDS.sleep(20);
			}
		}
		Duration recovery = Duration.ofNanos(((recovered != 0) ? recovered : end) - servable);
		this.recoveries.add(recovery);
		if (!this.scenario.has(Scenario.Trait.NOT_BLIND)) {
			this.outages.add(new Outage(this.scenario.resources(), this.blindSince, servable,
					(recovered != 0) ? recovered : System.nanoTime(), this.scenario.has(Scenario.Trait.NOTICED),
					this.scenario.has(Scenario.Trait.SILENT_SERVER)));
		}
	}

	private ObjectStates awaitServer() throws IOException, InterruptedException {
		long end = System.nanoTime() + SERVER_TIMEOUT.toNanos();
		while (true) {
			try {
				return cluster().mark();
			}
			catch (IOException ex) {
				if (System.nanoTime() > end) {
					throw ex;
				}
				TimeUnit.MILLISECONDS.sleep(20);
			}
		}
	}

	private boolean isReached(ObjectStates marker) throws IOException, InterruptedException {
		ObjectStates cached = client().objects(Cluster.MARKER);
		for (WatchedResource resource : WatchedResource.values()) {
			ObjectState expected = marker.of(resource).get(Cluster.MARKER);
			if (expected != null && !expected.equals(cached.of(resource).get(Cluster.MARKER))) {
				return false;
			}
		}
		return true;
	}

	private boolean agrees() throws IOException, InterruptedException {
		ObjectStates before = cluster().api().list();
		TimeUnit.MILLISECONDS.sleep(IN_FLIGHT_MILLIS);
		ObjectStates cache = client().cache();
		return cache.agreesWith(before, cluster().api().list());
	}

	/**
	 * Return the longest of the measured recoveries.
	 */
	Duration worstRecovery() {
		return this.recoveries.isEmpty() ? Duration.ZERO : Collections.max(this.recoveries);
	}

	List<Outage> outages() {
		return List.copyOf(this.outages);
	}

}
