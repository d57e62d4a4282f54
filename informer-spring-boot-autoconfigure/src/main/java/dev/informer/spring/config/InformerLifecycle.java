/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;

import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the informers of a registry. While they run, a non-daemon thread keeps
 * the JVM alive, for applications without a web server.
 * <p>
 * <b>Concurrency.</b> Start, stop and close exclude each other by a lock. An informer
 * that is registered at the same time does not wait for it: the informer belongs to the
 * factory before {@link #registered} reads {@link #active}, and {@code active} is read
 * again after its start. Either the stop finds the informer, or the informer finds the
 * stop.
 */
public final class InformerLifecycle {

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final DefaultInformerRegistry registry;

	private final Replicas replicas;

	private final HandlerDelivery handlerDelivery = new HandlerDelivery();

	private final Object lock = new Object();

	/** End of the thread that keeps the JVM alive. */
	private CompletableFuture<Void> released = CompletableFuture.completedFuture(null);

	private volatile boolean active;

	private volatile boolean running;

	private volatile boolean closed;

	/** Start that is running, or the last one. */
	private volatile InformerStartup startup;

	InformerLifecycle(InformerFactory factory, InformerSettings settings, DefaultInformerRegistry registry,
			Replicas replicas) {
		this.factory = factory;
		this.settings = settings;
		this.registry = registry;
		this.replicas = replicas;
		this.startup = newStartup();
	}

	private InformerStartup newStartup() {
		return new InformerStartup(this.factory, this.settings, this.registry, this.replicas, () -> this.active);
	}

	HandlerDelivery handlerDelivery() {
		return this.handlerDelivery;
	}

	boolean isRunning() {
		return this.running;
	}

	/**
	 * Start a registered informer if the others are started.
	 */
	void registered(SharedIndexInformer<?> informer) {
		if (this.active) {
			keepAlive();
			informer.start();
			if (!this.active) {
				informer.stop(Duration.ZERO);
				release();
			}
		}
	}

	private synchronized void keepAlive() {
		if (this.released.isDone()) {
			this.released = new CompletableFuture<>();
			Thread thread = new Thread(this.released::join, "informer-keep-alive");
			thread.setDaemon(false);
			thread.start();
		}
	}

	private synchronized void release() {
		this.released.complete(null);
	}

	void start() {
		synchronized (this.lock) {
			if (this.running) {
				return;
			}
			this.active = true;
			InformerStartup current = newStartup();
			this.startup = current;
			try {
				if (this.closed) {
					throw new IllegalStateException("Cannot start the informers: their context is closed");
				}
				holdHandlers();
				if (!this.registry.informers().isEmpty()) {
					current.run();
					keepAlive();
				}
				this.replicas.start(this.settings.startupTimeout(), this.settings.onTimeout());
			}
			catch (RuntimeException | Error ex) {
				// An Error, for example no memory for another thread, leaves no half
				// start
				stopInformers(Duration.ZERO);
				throw ex;
			}
			finally {
				this.factory.releaseHandlers();
			}
			this.running = true;
		}
	}

	/**
	 * Hold the handlers until the required informers have synced, unless the settings
	 * exclude it. Also before the start: a bean that starts an informer while it is
	 * created, as the discovery of Spring Cloud Kubernetes does, starts no delivery.
	 */
	void holdHandlers() {
		if (this.settings.deliverAfterSync()) {
			this.factory.holdHandlers(this.factory.informers().stream().filter(this.registry::isRequired).toList());
		}
	}

	/**
	 * Stop the informers. A start that is running on another thread fails.
	 */
	void stop() {
		this.startup.cancel();
		synchronized (this.lock) {
			if (this.running) {
				stopInformers(this.settings.drainTimeout());
				this.running = false;
			}
		}
	}

	/**
	 * Stop the informers finally. A start that is running on another thread fails.
	 */
	void close() {
		this.closed = true;
		this.startup.cancel();
		synchronized (this.lock) {
			stopInformers(Duration.ZERO);
			this.running = false;
		}
	}

	private void stopInformers(Duration drain) {
		this.active = false;
		this.startup.cancel();
		release();
		long deadline = System.nanoTime() + TimeSource.nanos(drain);
		this.factory.stop(drain);
		List<SharedIndexInformer<?>> stopped = this.factory.informers();
		this.registry.informers()
			.stream()
			.filter((informer) -> !stopped.contains(informer))
			.forEach((informer) -> informer.stop(until(deadline)));
		// after the handlers: a Lease is not released while an invocation is running
		this.replicas.stop(until(deadline));
	}

	static Duration until(long deadline) {
		return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
	}

	/**
	 * Stop on a separate thread, so that the other beans of the same phase stop in
	 * parallel and the context waits no longer than the timeout of the phase. A handler
	 * that closes the context stops on its own thread: only there a stop does not wait
	 * for the invocation that it is part of.
	 */
	static void run(String name, Runnable stop, Runnable callback) {
		Runnable task = () -> {
			try {
				stop.run();
			}
			finally {
				callback.run();
			}
		};
		if (Thread.currentThread().getName().startsWith("informer-")) {
			task.run();
			return;
		}
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Lifecycle of the delivery to handlers. Delivery stops before everything that
	 * handlers may need: pending events are delivered until the drain timeout, then
	 * running invocations are interrupted. The caches follow the server until the
	 * registry stops, which is after the web server, so that requests in progress read
	 * current data. The registry starts the delivery.
	 */
	public final class HandlerDelivery implements SmartLifecycle {

		/**
		 * The phase of this lifecycle: stops before the graceful shutdown of web servers
		 * and before beans of the default phase.
		 */
		public static final int PHASE = DEFAULT_PHASE - 100;

		private HandlerDelivery() {
		}

		@Override
		public int getPhase() {
			return PHASE;
		}

		@Override
		public boolean isAutoStartup() {
			return InformerLifecycle.this.settings.autoStartup();
		}

		@Override
		public boolean isRunning() {
			return InformerLifecycle.this.running && !InformerLifecycle.this.factory.areHandlersSuspended();
		}

		/**
		 * Resume the delivery if it was suspended while the informers were running.
		 */
		@Override
		public void start() {
			if (InformerLifecycle.this.factory.areHandlersSuspended()) {
				InformerLifecycle.this.factory.releaseHandlers();
				InformerLifecycle.this.replicas.start(InformerLifecycle.this.settings.startupTimeout(),
						InformerLifecycle.this.settings.onTimeout());
			}
		}

		@Override
		public void stop(Runnable callback) {
			run("informer-delivery-stop", this::stop, callback);
		}

		@Override
		public void stop() {
			Duration timeout = InformerLifecycle.this.settings.drainTimeout();
			long deadline = System.nanoTime() + TimeSource.nanos(timeout);
			try {
				// logs the handlers that it interrupts
				InformerLifecycle.this.factory.suspendHandlers(timeout);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			InformerLifecycle.this.replicas.stop(until(deadline));
		}

	}

}
