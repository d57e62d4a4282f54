/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent;
import dev.informer.ObjectTransform;
import dev.informer.SharedIndexInformer;
import dev.informer.TimeSource;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.processor.SharedProcessor;
import dev.informer.reflector.Reflector;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lifecycle of an informer. A run, from a start to a stop, has its own queue, a thread
 * for each reflector and one for the {@link ProcessLoop}. The store, the handlers and the
 * reflectors outlive it.
 * <p>
 * <b>Concurrency.</b> {@code lifecycle} guards which run is the current one; it is not
 * held while a stop waits. The threads of a run share its queue, and wait for those of
 * earlier runs: a thread that a stop has left behind, because it was busy, could change
 * the store or a reflector at the same time.
 *
 * @param <T> the type of the objects
 */
final class Controller<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private final Object lifecycle = new Object();

	private final SharedIndexInformer<T> informer;

	private final List<String> namespaces;

	private final InformerEnvironment environment;

	private final ReflectorSet<T> reflectors;

	private final TransformingSink<T> sink;

	private final StoreUpdater<T> updater;

	private final SharedProcessor<T> processor;

	private final MutationDetector<T> mutations;

	private final SyncLatch latch;

	private final FailureReporter failures;

	private volatile @Nullable Run run;

	/** The threads of all runs, apart from those that had ended at the last start. */
	private List<Thread> threads = List.of();

	private boolean closed;

	Controller(SharedIndexInformer<T> informer, List<String> namespaces, InformerEnvironment environment,
			ReflectorSet<T> reflectors, TransformingSink<T> sink, StoreUpdater<T> updater, SharedProcessor<T> processor,
			MutationDetector<T> mutations, SyncLatch latch, FailureReporter failures) {
		this.informer = informer;
		this.namespaces = namespaces;
		this.environment = environment;
		this.reflectors = reflectors;
		this.sink = sink;
		this.updater = updater;
		this.processor = processor;
		this.mutations = mutations;
		this.latch = latch;
		this.failures = failures;
	}

	/**
	 * Start a run, unless there is one.
	 * @throws IllegalStateException if the informer is closed
	 */
	void start() {
		synchronized (this.lifecycle) {
			if (this.closed) {
				throw new IllegalStateException("Informer '" + this.informer.name()
						+ "' is closed and cannot be started. Create another one.");
			}
			if (this.run != null) {
				return;
			}
			List<Reflector<T>> created = this.reflectors.create();
			this.latch.failed(null);
			Run next = new Run(this.threads.stream().filter(Thread::isAlive).toList());
			this.run = next;
			this.processor.start();
			next.start(created);
			this.threads = next.allThreads();
		}
	}

	/**
	 * Make the end of the current run, if there is one, part of a shutdown. Does not
	 * wait.
	 */
	void stop(Shutdown shutdown) {
		synchronized (this.lifecycle) {
			Run current = this.run;
			this.run = null;
			if (current != null) {
				current.stop();
				this.processor.requestStop();
				shutdown.add(current.threads, this.processor);
			}
		}
	}

	/**
	 * Refuse a start and more handlers from now on.
	 * @return whether the informer was open before
	 */
	boolean markClosed() {
		synchronized (this.lifecycle) {
			boolean first = !this.closed;
			this.closed = true;
			this.processor.close();
			return first;
		}
	}

	/**
	 * Set the transform, which no cached object may have missed.
	 * @throws IllegalStateException if the informer was started or has a transform
	 */
	void setTransform(ObjectTransform<T> transform) {
		synchronized (this.lifecycle) {
			if (this.reflectors.isCreated()) {
				throw new IllegalStateException("Cannot set the transform: informer '" + this.informer.name()
						+ "' was started already, so its cache has untransformed objects. Set the transform first.");
			}
			if (!this.sink.set(transform)) {
				throw new IllegalStateException("Cannot set the transform: informer '" + this.informer.name()
						+ "' has a transform already. Create another informer with another name.");
			}
		}
	}

	/**
	 * Queue a resync for all handlers, if the informer has synced in this run.
	 */
	void resync() {
		Run current = this.run;
		if (current != null && current.fifo.hasSynced()) {
			current.fifo.add(new Delta.SyncAll<>(this.processor.registrations()
				.stream()
				.map(HandlerRegistration::name)
				.collect(Collectors.toSet())));
		}
	}

	/**
	 * Let the process loop compute again when the next resync is due.
	 */
	void handlersChanged() {
		Run current = this.run;
		if (current != null) {
			current.fifo.nudge();
		}
	}

	int queueDepth() {
		Run current = this.run;
		return (current != null) ? current.fifo.depth() : 0;
	}

	/**
	 * One run. Its monitor guards whether it has begun or is stopped.
	 */
	private final class Run implements ProcessLoop.Listener {

		private final DeltaFifo<T> fifo = new DeltaFifo<>(Controller.this.environment.time(),
				Controller.this.namespaces);

		private final ProcessLoop<T> loop = new ProcessLoop<>(this.fifo, Controller.this.updater,
				Controller.this.processor, Controller.this.mutations, Controller.this.environment.time(), this);

		private final long started = Controller.this.environment.time().nanoTime();

		private final List<Thread> threads = new ArrayList<>();

		private final List<Thread> earlier;

		/** Threads of this run that wait for those of earlier runs. */
		private final Set<Thread> waiting = new HashSet<>();

		private boolean begun;

		private boolean stopped;

		private boolean synced;

		Run(List<Thread> earlier) {
			this.earlier = earlier;
		}

		void start(List<Reflector<T>> reflectors) {
			this.threads.add(newThread("store", this.loop));
			for (int i = 0; i < reflectors.size(); i++) {
				this.threads
					.add(newThread((reflectors.size() == 1) ? "reflector" : "reflector-" + (i + 1), reflectors.get(i)));
			}
			this.threads.forEach(Thread::start);
		}

		private Thread newThread(String role, Runnable task) {
			return Controller.this.environment.newThread(Controller.this.informer.name(), role, () -> runInTurn(task));
		}

		List<Thread> allThreads() {
			return Stream.concat(this.earlier.stream(), this.threads.stream()).toList();
		}

		synchronized void stop() {
			this.stopped = true;
			this.waiting.forEach(Thread::interrupt);
			Controller.this.reflectors.stop();
			this.loop.stop();
		}

		private void runInTurn(Runnable task) {
			try {
				if (mayWait()) {
					for (Thread thread : this.earlier) {
						Controller.this.environment.time().join(thread, Long.MAX_VALUE);
					}
				}
				if (begin()) {
					task.run();
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		private synchronized boolean mayWait() {
			return !this.stopped && this.waiting.add(Thread.currentThread());
		}

		/**
		 * Begin the run, once the threads of earlier runs have ended. The first thread
		 * connects sink and reflectors to this run.
		 * @return whether the run was not stopped before
		 */
		private synchronized boolean begin() {
			this.waiting.remove(Thread.currentThread());
			if (!this.stopped && !this.begun) {
				Controller.this.sink.redirect(this.fifo);
				Controller.this.reflectors.reset();
				this.begun = true;
			}
			return !this.stopped;
		}

		@Override
		public void batchProcessed() {
			Controller.this.latch.changed();
			if (!this.synced && this.fifo.hasSynced()) {
				this.synced = true;
				// the one route of the sync: handlers first, so that what waits for the
				// informer finds them informed
				Controller.this.processor.initialListDistributed();
				Duration duration = Duration.ofNanos(Controller.this.environment.time().nanoTime() - this.started);
				// logged first: a thread that waits for the informer may log as well
				logSynced(duration);
				Controller.this.latch.synced();
				Controller.this.environment.listener()
					.onEvent(new InformerEvent.Synced(Controller.this.informer, duration));
			}
		}

		private void logSynced(Duration duration) {
			SharedIndexInformer<T> informer = Controller.this.informer;
			logger.atInfo()
				.addKeyValue("informer", informer.name())
				.log("Informer '{}' synced {} ({} objects, {} ms)", informer.name(), informer.resourceType(),
						Controller.this.updater.size(), TimeSource.millis(duration));
		}

		@Override
		public void batchFailed(Throwable failure, boolean awaitingRelist) {
			Controller.this.failures.batchFailed(failure, awaitingRelist);
		}

		@Override
		public void relistRequired(RelistReason reason) {
			Controller.this.reflectors.relist(reason);
		}

	}

}
