/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.Scenario.Trait;
import dev.informer.fault.client.ClientProcess;
import dev.informer.fault.health.Outage;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.proxy.FaultProxy;
import dev.informer.fault.server.Cluster;
import dev.informer.test.cluster.ControlPlane;

/**
 * Servers, client and network that a scenario acts on, and the measurement of recoveries.
 * Not thread-safe.
 */
final class Stage {

	/** Time after which a recovery is no longer waited for. */
	static final Duration RECOVERY_TIMEOUT = Duration.ofMinutes(3);

	private static final Duration SERVER_TIMEOUT = Duration.ofSeconds(120);

	/** Time in which a change that the cache lacks may be on its way. */
	private static final long IN_FLIGHT_MILLIS = 100;

	private static final long POLL_MILLIS = 20;

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

	Session session() {
		return this.session;
	}

	/**
	 * Note that the client receives nothing from now on. By default this is the start of
	 * the scenario.
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
	 * Wait until the server serves a change, then until the caches contain this change
	 * and agree with the server. Measure the second time.
	 */
	void recover() throws IOException, InterruptedException {
		ObjectStates marker = awaitServer();
		long servable = System.nanoTime();
		long end = servable + RECOVERY_TIMEOUT.toNanos();
		Map<WatchedResource, Long> reached = new EnumMap<>(WatchedResource.class);
		boolean recovered = false;
		while (!recovered && System.nanoTime() < end) {
			boolean complete = reached.size() == marker.byResource().size();
			if (!complete) {
				TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
				findReached(marker, reached);
			}
			else if (agrees()) {
				recovered = true;
			}
			else {
				// The caches contained the change, and were wrong all the same until now
				reached.replaceAll((resource, time) -> System.nanoTime());
			}
		}
		long last = recovered ? Collections.max(reached.values()) : end;
		this.recoveries.add(Duration.ofNanos(last - servable));
		for (WatchedResource resource : this.scenario.resources()) {
			addOutage(resource, servable, reached.getOrDefault(resource, end));
		}
	}

	/**
	 * Note that the client has been connected again until now, though changes do not
	 * reach it in time. No recovery is measured.
	 */
	void reconnected() {
		this.scenario.resources().forEach((resource) -> addOutage(resource, this.blindSince, System.nanoTime()));
	}

	private void addOutage(WatchedResource resource, long servable, long recovered) {
		this.outages.add(new Outage(resource, this.blindSince, servable, recovered, this.scenario.has(Trait.NOTICED),
				this.scenario.has(Trait.SILENT_SERVER)));
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

	private void findReached(ObjectStates marker, Map<WatchedResource, Long> reached) throws InterruptedException {
		ObjectStates cached;
		try {
			cached = client().objects(Cluster.MARKER);
		}
		catch (IOException ex) {
			// The client is too busy to answer
			return;
		}
		long now = System.nanoTime();
		marker.byResource().forEach((resource, objects) -> {
			if (objects.equals(cached.of(resource))) {
				reached.putIfAbsent(resource, now);
			}
		});
	}

	private boolean agrees() throws InterruptedException {
		try {
			ObjectStates before = cluster().api().list();
			TimeUnit.MILLISECONDS.sleep(IN_FLIGHT_MILLIS);
			ObjectStates cache = client().cache();
			return cache.agreesWith(before, cluster().api().list());
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Note a recovery that was measured by the scenario.
	 */
	void recovered(Duration recovery) {
		this.recoveries.add(recovery);
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
