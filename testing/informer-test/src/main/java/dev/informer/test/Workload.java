/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.informer.test.http.ApiResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulated activity in a cluster, for demonstrations and tests. Deployments get replica
 * sets and pods, pods are scheduled, become ready and are evicted, deployments are rolled
 * to new images, and ConfigMaps change. The status of deployments is reported as by the
 * real controller. Changes made through the API are followed: a deployment scaled by a
 * client is scaled by the simulation.
 *
 * <pre>
 * try (Workload workload = Workload.on(kubernetes)
 *     .nodes("node-1", "node-2")
 *     .deployment("shop", "web", 3, "web:1.0")
 *     .configMap("shop", "settings", "app", "shop")
 *     .start()) { ... }
 * </pre>
 * <p>
 * The same seed and steps lead to the same changes. {@link #step()} and {@link #close()}
 * may be called from any thread.
 */
public final class Workload implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Workload.class);

	private final List<DeploymentSimulation> deployments;

	private final List<ConfigMapSimulation> configMaps;

	private final int rolloutEvery;

	private final int changeEvery;

	private final ScheduledExecutorService executor;

	private volatile @Nullable Thread thread;

	private int steps;

	private Workload(Builder builder) {
		this.deployments = List.copyOf(builder.deployments);
		this.configMaps = List.copyOf(builder.configMaps);
		this.rolloutEvery = builder.rolloutEvery;
		this.changeEvery = builder.changeEvery;
		this.executor = Executors.newSingleThreadScheduledExecutor(this::thread);
	}

	/**
	 * Create a builder for a workload.
	 * @param kubernetes the server to run the workload on
	 * @return the builder
	 */
	public static Builder on(EmbeddedKubernetes kubernetes) {
		return new Builder(kubernetes);
	}

	private Thread thread(Runnable task) {
		Thread created = new Thread(task, "workload");
		created.setDaemon(true);
		this.thread = created;
		return created;
	}

	private void scheduledStep() {
		try {
			step();
		}
		catch (RuntimeException ex) {
			logger.atWarn().setCause(ex).log("Workload step failed; continuing with the next one");
		}
	}

	/**
	 * Run one step, in addition to the scheduled ones.
	 */
	public synchronized void step() {
		this.steps++;
		this.deployments.forEach((deployment) -> attempt(deployment, DeploymentSimulation::step));
		if (!this.deployments.isEmpty() && this.steps % this.rolloutEvery == 0) {
			int turn = this.steps / this.rolloutEvery;
			attempt(this.deployments.get(turn % this.deployments.size()), DeploymentSimulation::roll);
		}
		if (this.steps % this.changeEvery == 0) {
			int turn = this.steps / this.changeEvery;
			if (!this.configMaps.isEmpty()) {
				attempt(this.configMaps.get(turn % this.configMaps.size()), ConfigMapSimulation::change);
			}
			if (!this.deployments.isEmpty()) {
				attempt(this.deployments.get(turn % this.deployments.size()), DeploymentSimulation::evict);
			}
		}
	}

	private static <T> void attempt(T target, Consumer<T> action) {
		try {
			action.accept(target);
		}
		catch (KubernetesStatusException ex) {
			logger.atDebug()
				.addKeyValue("code", ex.code())
				.addKeyValue("reason", ex.reason())
				.log("Workload object was changed or deleted by a client; continuing with the next step");
		}
	}

	/**
	 * Stop the workload. Its objects are kept.
	 */
	@Override
	public void close() {
		this.executor.shutdownNow();
		try {
			this.executor.awaitTermination(10, TimeUnit.SECONDS);
			Thread current = this.thread;
			if (current != null) {
				current.join(TimeUnit.SECONDS.toMillis(10));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Builder for a workload. Not thread-safe.
	 */
	public static final class Builder {

		private final EmbeddedKubernetes kubernetes;

		private final List<ObjectNode> objects = new ArrayList<>();

		private final List<String> nodes = new ArrayList<>();

		private final List<DeploymentSimulation> deployments = new ArrayList<>();

		private final List<ConfigMapSimulation> configMaps = new ArrayList<>();

		private final Random random = new Random(1);

		private Duration tick = Duration.ofSeconds(1);

		private int rolloutEvery = 30;

		private int changeEvery = 10;

		private Builder(EmbeddedKubernetes kubernetes) {
			this.kubernetes = kubernetes;
		}

		/**
		 * Set the seed of all random decisions. The default is 1.
		 * @param seed the seed
		 * @return this instance
		 */
		public Builder seed(long seed) {
			this.random.setSeed(seed);
			return this;
		}

		/**
		 * Set the interval between two steps. The default is one second.
		 * @param tick the interval; zero to run steps with {@link Workload#step()} only
		 * @return this instance
		 */
		public Builder tick(Duration tick) {
			if (tick.isNegative()) {
				throw new IllegalArgumentException("tick must not be negative, but is " + tick);
			}
			this.tick = tick;
			return this;
		}

		/**
		 * Set the number of steps between two rollouts. The deployments are rolled in
		 * turn. The default is 30.
		 * @param steps the number of steps, at least 1
		 * @return this instance
		 */
		public Builder rolloutEvery(int steps) {
			this.rolloutEvery = positive("rolloutEvery", steps);
			return this;
		}

		/**
		 * Set the number of steps after which a ConfigMap is changed and a pod is
		 * evicted. The default is 10.
		 * @param steps the number of steps, at least 1
		 * @return this instance
		 */
		public Builder changeEvery(int steps) {
			this.changeEvery = positive("changeEvery", steps);
			return this;
		}

		/**
		 * Add nodes for pods. The default is one node, {@code node-1}.
		 * @param names the names of the nodes
		 * @return this instance
		 */
		public Builder nodes(String... names) {
			this.nodes.addAll(List.of(names));
			return this;
		}

		/**
		 * Add a deployment.
		 * @param namespace the namespace, created if it does not exist
		 * @param name the name, also the value of the pods' label {@code app}
		 * @param replicas the number of pods
		 * @param image the initial image; rollouts append {@code -r1}, {@code -r2} and so
		 * on
		 * @return this instance
		 */
		public Builder deployment(String namespace, String name, int replicas, String image) {
			this.objects.add(WorkloadObjects.namespace(namespace));
			this.objects.add(WorkloadObjects.deployment(namespace, name, replicas, image));
			this.deployments
				.add(new DeploymentSimulation(this.kubernetes, namespace, name, image, this.nodes, this.random));
			return this;
		}

		/**
		 * Add a ConfigMap whose data changes and whose label is removed and restored.
		 * @param namespace the namespace, created if it does not exist
		 * @param name the name
		 * @param label the name of the label
		 * @param value the value of the label
		 * @return this instance
		 */
		public Builder configMap(String namespace, String name, String label, String value) {
			this.objects.add(WorkloadObjects.namespace(namespace));
			this.objects.add(WorkloadObjects.configMap(namespace, name, label, value));
			this.configMaps.add(new ConfigMapSimulation(this.kubernetes, namespace, name, label, value, this.random));
			return this;
		}

		/**
		 * Create the missing objects and start the schedule.
		 * @return the running workload
		 */
		public Workload start() {
			if (this.nodes.isEmpty()) {
				this.nodes.add("node-1");
			}
			this.nodes.forEach((node) -> createIfAbsent(WorkloadObjects.node(node)));
			this.objects.forEach(this::createIfAbsent);
			Workload workload = new Workload(this);
			if (!this.tick.isZero()) {
				workload.executor.scheduleAtFixedRate(workload::scheduledStep, 0, ApiResponse.nanos(this.tick),
						TimeUnit.NANOSECONDS);
			}
			return workload;
		}

		private void createIfAbsent(ObjectNode object) {
			try {
				this.kubernetes.create(object);
			}
			catch (KubernetesStatusException ex) {
				if (!ex.reason().equals("AlreadyExists")) {
					throw ex;
				}
			}
		}

		private static int positive(String name, int steps) {
			if (steps < 1) {
				throw new IllegalArgumentException(name + " must be at least 1, but is " + steps);
			}
			return steps;
		}

	}

}
