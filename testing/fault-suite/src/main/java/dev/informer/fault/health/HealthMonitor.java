/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.health;

import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.fault.client.ClientProcess;
import dev.informer.fault.health.Sample.Report;
import dev.informer.fault.journal.WatchedResource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Poll of health, phases and metrics of a client each second. Thread-safe.
 */
public final class HealthMonitor implements AutoCloseable {

	private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

	private static final long START_TIMEOUT = TimeUnit.SECONDS.toNanos(60);

	private final ClientProcess client;

	private final List<Sample> samples = new CopyOnWriteArrayList<>();

	private final Thread thread = new Thread(this::run, "health-monitor");

	private volatile boolean closed;

	private HealthMonitor(ClientProcess client) {
		this.client = client;
		this.thread.setDaemon(true);
	}

	/**
	 * Wait until the endpoints of a client answer, and start to poll them. The first
	 * requests load the classes of the web server, which may exceed their timeout while
	 * several clients start.
	 */
	public static HealthMonitor start(ClientProcess client) throws IOException, InterruptedException {
		HealthMonitor monitor = new HealthMonitor(client);
		long end = System.nanoTime() + START_TIMEOUT;
		Sample first = monitor.poll(System.nanoTime());
		while (first.problem() != null) {
			if (System.nanoTime() > end) {
				throw new IOException("Endpoints of the client do not answer: " + first.problem());
			}
			TimeUnit.NANOSECONDS.sleep(PERIOD);
			first = monitor.poll(System.nanoTime());
		}
		monitor.thread.start();
		return monitor;
	}

	private void run() {
		long next = System.nanoTime();
		while (!this.closed) {
			try {
				long time = System.nanoTime();
				this.samples.add(poll(time));
				next = Math.max(next + PERIOD, System.nanoTime());
				TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
			}
			catch (InterruptedException ex) {
				return;
			}
		}
	}

	private Sample poll(long time) throws InterruptedException {
		try {
			JsonNode health = JsonMapper.shared().readTree(this.client.management("/actuator/health/informers"));
			JsonNode informers = JsonMapper.shared().readTree(this.client.management("/actuator/informers"));
			String metrics = this.client.management("/actuator/prometheus");
			Map<WatchedResource, Report> reports = new EnumMap<>(WatchedResource.class);
			for (WatchedResource resource : WatchedResource.ofEveryClient()) {
				String name = resource.plural();
				JsonNode state = informers.path("informers").path(name).path("state");
				reports.put(resource,
						new Report(health.path("components").path(name).path("status").asString(),
								state.path("phase").asString(), state.hasNonNull("failingSince"),
								metric(metrics, "kubernetes_informer_store_size_objects", name, ""),
								metric(metrics, "kubernetes_informer_last_activity_age_seconds", name, ""),
								metric(metrics, "kubernetes_informer_relists_total", name, "reason=\"expired\"")));
			}
			return new Sample(time, System.nanoTime(), reports, null, false);
		}
		catch (IOException | JacksonException ex) {
			return new Sample(time, System.nanoTime(), Map.of(), ex.toString(), ex instanceof HttpTimeoutException);
		}
	}

	/**
	 * Return a value of an informer. Labels are sorted by name.
	 * @param label a label behind that of the informer; empty for any
	 */
	private static double metric(String metrics, String name, String informer, String label) {
		Matcher matcher = Pattern.compile(name + "\\{[^}]*informer=\"" + informer + "\"[^}]*" + label + "[^}]*} (\\S+)")
			.matcher(metrics);
		return matcher.find() ? Double.parseDouble(matcher.group(1)) : Double.NaN;
	}

	/**
	 * Return the samples since the last call.
	 */
	public List<Sample> take() {
		List<Sample> taken = List.copyOf(this.samples);
		this.samples.removeAll(taken);
		return taken;
	}

	@Override
	public void close() {
		this.closed = true;
		this.thread.interrupt();
	}

}
