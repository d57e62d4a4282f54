/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers of one informer. What happens to the store is given to the queue of each
 * of them, and each is told at its own pace.
 * <p>
 * <b>Concurrency.</b> Handlers are added and events are distributed under a lock of the
 * informer, so that a handler is told what is in the store when it is added and
 * everything after that. Handlers may be removed, and all else be called, at any time by
 * any thread. {@code running} and {@code pauseReasons} are guarded by this object's
 * monitor.
 *
 * @param <T> the type of the objects
 */
public final class SharedProcessor<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(SharedProcessor.class);

	/** Time that interrupted threads have to end. */
	private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

	private static final Duration SHORTEST_RESYNC = Duration.ofSeconds(1);

	private final List<ProcessorListener<T>> workers = new CopyOnWriteArrayList<>();

	/** Handlers that were removed and may be busy with a last call. */
	private final List<ProcessorListener<T>> removed = new CopyOnWriteArrayList<>();

	private final String informer;

	private final HandlerThreads threads;

	private final TimeSource time;

	private final HandlerListener listener;

	private int added;

	private boolean running;

	private final EnumSet<PauseReason> pauseReasons = EnumSet.noneOf(PauseReason.class);

	/**
	 * Creates a processor without handlers.
	 * @param informer the name of the informer
	 * @param threads makes the threads
	 * @param time the time
	 * @param listener hears of the calls
	 */
	public SharedProcessor(String informer, HandlerThreads threads, TimeSource time, HandlerListener listener) {
		this.informer = informer;
		this.threads = threads;
		this.time = time;
		this.listener = listener;
	}

	/**
	 * Adds a handler.
	 * @param handler the handler
	 * @param options how it wants to be called
	 * @param known what it is told at first
	 * @param synced whether that is all of the initial list
	 * @return its registration
	 * @throws IllegalArgumentException when there is a handler of this name
	 */
	public synchronized HandlerRegistration add(ResourceEventHandler<T> handler, HandlerOptions<T> options,
			List<ResourceEvent<T>> known, boolean synced) {
		this.added++;
		String name = (options.name() != null) ? options.name() : "handler" + this.added;
		if (this.workers.stream().anyMatch((worker) -> worker.name().equals(name))) {
			throw new IllegalArgumentException("Informer '" + this.informer + "' has a handler '" + name
					+ "' already; give this one another name");
		}
		ProcessorListener<T> worker = new ProcessorListener<>(name, options, resyncTimer(name, options.resyncPeriod()),
				this.listener.around(name, handler), this.pauseReasons, this, this.threads, this.time, this.listener);
		worker.offer(known, this.time.nanoTime());
		if (synced) {
			worker.initialListDistributed();
		}
		this.workers.add(worker);
		if (this.running) {
			worker.start();
		}
		this.listener.handlersChanged();
		return worker;
	}

	/**
	 * The handlers.
	 * @return the registrations, in the order in which they were added
	 */
	public List<HandlerRegistration> registrations() {
		return List.copyOf(this.workers);
	}

	/**
	 * Distribute events to all handlers.
	 * @param events the events, in order
	 * @param receivedNanos the time at which they were received
	 */
	public void distribute(List<ResourceEvent<T>> events, long receivedNanos) {
		if (!events.isEmpty()) {
			this.workers.forEach((worker) -> worker.offer(events, receivedNanos));
		}
	}

	/**
	 * Distribute events to some handlers.
	 * @param handlers the names of the handlers
	 * @param events the events, in order
	 * @param receivedNanos the time at which they were received
	 */
	public void distribute(Set<String> handlers, List<ResourceEvent<T>> events, long receivedNanos) {
		this.workers.stream()
			.filter((worker) -> handlers.contains(worker.name()))
			.forEach((worker) -> worker.offer(events, receivedNanos));
	}

	/**
	 * Notes that all of the initial list has been distributed.
	 */
	public void initialListDistributed() {
		this.workers.forEach(ProcessorListener::initialListDistributed);
	}

	/**
	 * Takes the handlers for which a resync is due.
	 * @return their names
	 */
	public Set<String> takeResyncDue() {
		long now = this.time.nanoTime();
		return this.workers.stream()
			.filter((worker) -> worker.resync().takeDue(now))
			.map(ProcessorListener::name)
			.collect(Collectors.toSet());
	}

	/**
	 * How long until the next resync is due.
	 * @return nanoseconds; {@link Long#MAX_VALUE} when nobody wants any
	 */
	public long nanosToResync() {
		long now = this.time.nanoTime();
		return this.workers.stream()
			.mapToLong((worker) -> worker.resync().nanosToNext(now))
			.min()
			.orElse(Long.MAX_VALUE);
	}

	/**
	 * Pause all handlers, those added later included. Running invocations continue.
	 * @param reason the reason
	 */
	public synchronized void pause(PauseReason reason) {
		this.pauseReasons.add(reason);
		this.workers.forEach((worker) -> worker.pause(reason));
	}

	/**
	 * Remove a reason to pause the handlers. Those without another reason are invoked
	 * again.
	 * @param reason the reason
	 */
	public synchronized void resume(PauseReason reason) {
		this.pauseReasons.remove(reason);
		this.workers.forEach((worker) -> worker.resume(reason));
	}

	/**
	 * Waits for the calls that are running, and interrupts those that go on beyond a
	 * deadline. To be called when the handlers are held back.
	 * @param deadline until when to wait
	 * @return whether no handler is being called any more
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	public boolean awaitCalls(long deadline) throws InterruptedException {
		boolean idle = true;
		for (ProcessorListener<T> worker : all()) {
			idle &= worker.awaitCalls(deadline);
		}
		return idle;
	}

	/**
	 * Starts to call the handlers.
	 */
	public synchronized void start() {
		this.running = true;
		this.workers.forEach(ProcessorListener::start);
	}

	/**
	 * Stop to invoke the handlers: deliver pending events until the deadline, then
	 * interrupt running invocations. Undelivered events are kept for the next start.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 */
	public void stop(long deadline) {
		requestStop();
		stopAll(List.of(this), deadline, this.time);
	}

	/**
	 * Request a stop, which {@link #stopAll} carries out unless {@link #start()} is
	 * called in between.
	 */
	public synchronized void requestStop() {
		this.running = false;
	}

	/**
	 * Stop several processors with one deadline: all drain at the same time, then all are
	 * interrupted. Handlers that ignore the interrupt are reported and left behind. The
	 * current thread is not waited for; when it is interrupted, the drain ends early.
	 * @param processors the processors whose stop was {@link #requestStop() requested}
	 * @param deadline the end of the drain, as {@link TimeSource#nanoTime()}
	 * @param time the time source
	 */
	public static void stopAll(Collection<? extends SharedProcessor<?>> processors, long deadline, TimeSource time) {
		try {
			processors.forEach(SharedProcessor::drain);
			for (SharedProcessor<?> processor : processors) {
				processor.awaitEnd(deadline);
			}
			processors.forEach(SharedProcessor::halt);
			long last = time.nanoTime() + GRACE_NANOS;
			for (SharedProcessor<?> processor : processors) {
				processor.awaitEnd(last);
			}
		}
		catch (InterruptedException ex) {
			processors.forEach(SharedProcessor::halt);
			Thread.currentThread().interrupt();
		}
		processors.forEach(SharedProcessor::reportStuck);
	}

	private synchronized void drain() {
		if (!this.running) {
			this.workers.forEach(ProcessorListener::drain);
		}
	}

	private void awaitEnd(long deadline) throws InterruptedException {
		for (ProcessorListener<T> worker : all()) {
			worker.awaitEnd(deadline);
		}
	}

	private synchronized void halt() {
		if (!this.running) {
			all().forEach(ProcessorListener::halt);
		}
	}

	private void reportStuck() {
		all().stream()
			.filter(ProcessorListener::isStuck)
			.forEach((worker) -> logger.atWarn()
				.addKeyValue("informer", this.informer)
				.addKeyValue("handler", worker.name())
				.log("Informer '{}' stopped while handler '{}' ignores the interrupt of its thread; continuing without it",
						this.informer, worker.name()));
	}

	/**
	 * Log the pending events, which are not delivered any more.
	 */
	public void reportUndelivered() {
		for (ProcessorListener<T> worker : this.workers) {
			int pending = worker.pending();
			if (pending > 0) {
				logger.atInfo()
					.addKeyValue("informer", this.informer)
					.addKeyValue("handler", worker.name())
					.log("Informer '{}' was closed; discarding {} undelivered events of handler '{}'", this.informer,
							pending, worker.name());
			}
		}
	}

	void remove(ProcessorListener<T> worker) {
		if (this.workers.contains(worker)) {
			this.removed.removeIf(ProcessorListener::isGone);
			this.removed.add(worker);
			this.workers.remove(worker);
			this.listener.handlersChanged();
		}
	}

	private List<ProcessorListener<T>> all() {
		return Stream.concat(this.workers.stream(), this.removed.stream()).toList();
	}

	private ResyncTimer resyncTimer(String handler, Duration wanted) {
		if (wanted.isZero() || wanted.compareTo(SHORTEST_RESYNC) >= 0) {
			return new ResyncTimer(wanted, this.time.nanoTime());
		}
		logger.atWarn()
			.addKeyValue("informer", this.informer)
			.log("Informer '{}': the resync period of handler '{}' is raised from {} to {}", this.informer, handler,
					wanted, SHORTEST_RESYNC);
		return new ResyncTimer(SHORTEST_RESYNC, this.time.nanoTime());
	}

}
