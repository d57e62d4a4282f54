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
import dev.informer.reconcilers.Reconcilers;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the informers of a registry, the reconcilers, and the replicas of this
 * application. While they run, a non-daemon thread keeps the JVM alive, for applications
 * without a web server.
 * <p>
 * <b>Concurrency.</b> Start, stop and close exclude each other by a lock. An informer
 * that is registered at the same time does not wait for it: the informer belongs to the
 * factory before {@link #startRegistered} reads {@link #active}, and {@code active} is
 * read again after its start. Either the stop finds the informer, or the informer finds
 * the stop.
 */
final class InformerLifecycle {

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final DefaultInformerRegistry registry;

	/** Without those of a parent context, which starts and stops them. */
	private final Replicas replicas;

	private final Object lock = new Object();

	/** Those of this application, once all singletons exist. */
	private volatile @Nullable Reconcilers reconcilers;

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
		return new InformerStartup(this.factory, this.settings, this.registry, this.replicas, this::startReconcilers,
				() -> this.active);
	}

	/**
	 * Set the reconcilers, and hold the handlers that are added from now on until the
	 * informers have synced, if this lifecycle is started with the application.
	 */
	void prepare(Reconcilers reconcilers) {
		this.reconcilers = reconcilers;
		if (isAutoStartup()) {
			holdHandlers();
		}
	}

	boolean isAutoStartup() {
		return this.settings.properties().autoStartup();
	}

	boolean isRunning() {
		return this.running;
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
				if (this.registry.informers().isEmpty()) {
					startReconcilers();
				}
				else {
					current.run();
					keepAlive();
				}
				this.replicas.start(this.settings.startup(), this.registry::rights);
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
		stopReconcilers(drain);
		this.factory.stop(until(deadline));
		List<SharedIndexInformer<?>> stopped = this.factory.informers();
		this.registry.informers()
			.stream()
			.filter((informer) -> !stopped.contains(informer))
			.forEach((informer) -> informer.stop(until(deadline)));
		// after the handlers: a Lease is not released while an invocation is running
		this.replicas.stop(until(deadline));
	}

	/**
	 * Start a registered informer if the others are started.
	 */
	void startRegistered(SharedIndexInformer<?> informer) {
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

	/**
	 * Start the reconcilers, unless the informers were stopped. Either the stop finds
	 * them running, or this thread finds that it was stopped.
	 */
	void startReconcilers() {
		Reconcilers current = this.reconcilers;
		if (current != null && this.active) {
			current.start();
			if (!this.active) {
				stopReconcilers(Duration.ZERO);
			}
		}
	}

	/**
	 * Stop the reconcilers, whose running calls have the timeout to end. Before the
	 * handlers, which are not interrupted meanwhile.
	 */
	private void stopReconcilers(Duration timeout) {
		Reconcilers current = this.reconcilers;
		try {
			if (current != null) {
				current.stop(timeout);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Hold the handlers until the required informers have synced, unless the settings
	 * exclude it. Also before the start: a bean that starts an informer while it is
	 * created, as the discovery of Spring Cloud Kubernetes does, starts no delivery.
	 */
	private void holdHandlers() {
		if (this.settings.startup().deliverAfterSync()) {
			this.factory.holdHandlers(this.factory.informers().stream().filter(this.registry::isRequired).toList());
		}
	}

	/**
	 * Return whether handlers and reconcilers are invoked.
	 */
	boolean isDelivering() {
		return this.running && !this.factory.areHandlersSuspended();
	}

	/**
	 * Resume the delivery if it was suspended while the informers were running.
	 */
	void resumeDelivery() {
		if (this.factory.areHandlersSuspended()) {
			this.factory.releaseHandlers();
			startReconcilers();
			this.replicas.start(this.settings.startup(), this.registry::rights);
		}
	}

	/**
	 * Suspend the delivery: pending events are delivered and running calls end until the
	 * drain timeout, then they are interrupted. The caches follow the server.
	 */
	void suspendDelivery() {
		Duration timeout = this.settings.drainTimeout();
		long deadline = System.nanoTime() + TimeSource.nanos(timeout);
		stopReconcilers(timeout);
		try {
			// logs the handlers that it interrupts
			this.factory.suspendHandlers(until(deadline));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
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
	static void stopSeparately(String name, Runnable stop, Runnable callback) {
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

}
