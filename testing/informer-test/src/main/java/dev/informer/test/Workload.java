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

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster in which something happens, for demonstrations and tests: deployments get
 * replica sets and pods, pods are scheduled, become ready and go, deployments are rolled
 * to new images and report it in their status as the real controller does, ConfigMaps
 * change. What others do to these objects is followed: a deployment that is scaled
 * through the API is scaled here.
 *
 * <pre>
 * try (Workload workload = Workload.on(kubernetes)
 *     .nodes("node-1", "node-2")
 *     .deployment("shop", "web", 3, "web:1.0")
 *     .configMap("shop", "settings", "app", "shop")
 *     .start()) { ... }
 * </pre>
 * <p>
 * Given a seed, the same steps do the same things. {@link #step()} and {@link #close()}
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
	 * Describes a workload.
	 * @param kubernetes the server in which it takes place
	 * @return a builder; nothing happens before it is started
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
			logger.atWarn().setCause(ex).log("A step of the workload failed; it goes on with the next one");
		}
	}

	/**
	 * Takes one step, in addition to those of the schedule.
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
				.log("Somebody else changed the workload's objects; it goes on with the next step");
		}
	}

	/**
	 * Ends it. The objects stay as they are.
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
	 * What a workload consists of. Not thread-safe.
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
		 * What all chance depends on. Default: 1.
		 * @param seed the seed
		 * @return this
		 */
		public Builder seed(long seed) {
			this.random.setSeed(seed);
			return this;
		}

		/**
		 * The time between two steps. Default: a second.
		 * @param tick the time; zero for no schedule at all, only {@link Workload#step()}
		 * @return this
		 */
		public Builder tick(Duration tick) {
			if (tick.isNegative()) {
				throw new IllegalArgumentException("tick must not be negative, but is " + tick);
			}
			this.tick = tick;
			return this;
		}

		/**
		 * How often a deployment is rolled to a new image; the deployments take turns.
		 * Default: every 30 steps.
		 * @param steps the number of steps
		 * @return this
		 */
		public Builder rolloutEvery(int steps) {
			this.rolloutEvery = positive("rolloutEvery", steps);
			return this;
		}

		/**
		 * How often a ConfigMap is changed and a pod is evicted. Default: every 10 steps.
		 * @param steps the number of steps
		 * @return this
		 */
		public Builder changeEvery(int steps) {
			this.changeEvery = positive("changeEvery", steps);
			return this;
		}

		/**
		 * Adds nodes, on which pods are placed. Default: one, {@code node-1}.
		 * @param names their names
		 * @return this
		 */
		public Builder nodes(String... names) {
			this.nodes.addAll(List.of(names));
			return this;
		}

		/**
		 * Adds a deployment.
		 * @param namespace its namespace, which is created when it is not there
		 * @param name its name, also the value of its pods' label {@code app}
		 * @param replicas how many pods it wants
		 * @param image the image it starts with; later ones have {@code -r1}, {@code -r2}
		 * and so on appended
		 * @return this
		 */
		public Builder deployment(String namespace, String name, int replicas, String image) {
			this.objects.add(WorkloadObjects.namespace(namespace));
			this.objects.add(WorkloadObjects.deployment(namespace, name, replicas, image));
			this.deployments
				.add(new DeploymentSimulation(this.kubernetes, namespace, name, image, this.nodes, this.random));
			return this;
		}

		/**
		 * Adds a ConfigMap whose data changes and whose label goes and comes back.
		 * @param namespace its namespace, which is created when it is not there
		 * @param name its name
		 * @param label the label that it has most of the time
		 * @param value the label's value
		 * @return this
		 */
		public Builder configMap(String namespace, String name, String label, String value) {
			this.objects.add(WorkloadObjects.namespace(namespace));
			this.objects.add(WorkloadObjects.configMap(namespace, name, label, value));
			this.configMaps.add(new ConfigMapSimulation(this.kubernetes, namespace, name, label, value, this.random));
			return this;
		}

		/**
		 * Creates the objects that are not there yet and starts the schedule.
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
				workload.executor.scheduleAtFixedRate(workload::scheduledStep, 0, this.tick.toNanos(),
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
