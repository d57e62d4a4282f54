/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
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
 * any thread. {@code running} and {@code held} are guarded by this object's monitor.
 *
 * @param <T> the type of the objects
 */
public final class SharedProcessor<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(SharedProcessor.class);

	private static final Duration SHORTEST_RESYNC = Duration.ofSeconds(1);

	private final List<ProcessorListener<T>> workers = new CopyOnWriteArrayList<>();

	/** Handlers that were removed and may be busy with a last call. */
	private final List<ProcessorListener<T>> removed = new CopyOnWriteArrayList<>();

	private final String informer;

	private final HandlerThreads threads;

	private final TimeSource time;

	private final HandlerListener listener;

	/** When what is distributed now came from the server. */
	private volatile long received;

	private int added;

	private boolean running;

	private boolean held;

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
				this.listener.around(name, handler), this, this.threads, this.time, this.listener);
		worker.hold(this.held);
		worker.offer(known, this.time.nanoTime());
		if (synced) {
			worker.informerSynced();
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
	 * Notes when what is distributed next came from the server. To be called by the
	 * thread that distributes.
	 * @param received the time, in nanoseconds
	 */
	public void received(long received) {
		this.received = received;
	}

	/**
	 * Gives events to every handler.
	 * @param events what happened, in order
	 */
	public void distribute(List<ResourceEvent<T>> events) {
		if (!events.isEmpty()) {
			this.workers.forEach((worker) -> worker.offer(events, this.received));
		}
	}

	/**
	 * Gives events to some handlers.
	 * @param handlers their names
	 * @param events what they are to be told
	 */
	public void distribute(Set<String> handlers, List<ResourceEvent<T>> events) {
		this.workers.stream()
			.filter((worker) -> handlers.contains(worker.name()))
			.forEach((worker) -> worker.offer(events, this.received));
	}

	/**
	 * Notes that all of the initial list has been distributed.
	 */
	public void informerSynced() {
		this.workers.forEach(ProcessorListener::informerSynced);
	}

	/**
	 * The names of the handlers.
	 * @return the names
	 */
	public Set<String> names() {
		return this.workers.stream().map(ProcessorListener::name).collect(Collectors.toSet());
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
	 * Holds the handlers back, those added later included, or lets them go on.
	 * @param held whether no handler is to be called
	 */
	public synchronized void hold(boolean held) {
		this.held = held;
		this.workers.forEach((worker) -> worker.hold(held));
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
	 * Notes that it is to be drained, unless it is started again before that.
	 */
	public synchronized void ending() {
		this.running = false;
	}

	/**
	 * Lets the handlers have what is queued, and then no more. Does nothing when started
	 * again meanwhile.
	 */
	public synchronized void drain() {
		if (!this.running) {
			this.workers.forEach(ProcessorListener::drain);
		}
	}

	/**
	 * Waits until no handler is called any more, one that waits here itself excepted.
	 * @param deadline until when
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	public void awaitEnd(long deadline) throws InterruptedException {
		for (ProcessorListener<T> worker : all()) {
			worker.awaitEnd(deadline);
		}
	}

	/**
	 * Ends what {@link #drain()} has not ended: what is still queued stays there, calls
	 * that are running are interrupted. Does nothing when started again meanwhile.
	 */
	public synchronized void halt() {
		if (!this.running) {
			all().forEach(ProcessorListener::halt);
		}
	}

	/**
	 * Reports the handlers that do not react to an interrupt.
	 */
	public void reportStuck() {
		all().stream()
			.filter(ProcessorListener::isStuck)
			.forEach((worker) -> logger.atWarn()
				.addKeyValue("informer", this.informer)
				.log("Informer '{}': handler '{}' does not return though its thread was interrupted; going on without it",
						this.informer, worker.name()));
	}

	/**
	 * Reports what handlers were not told, because nobody will any more.
	 */
	public void reportUntold() {
		for (ProcessorListener<T> worker : this.workers) {
			int pending = worker.pending();
			if (pending > 0) {
				logger.atInfo()
					.addKeyValue("informer", this.informer)
					.addKeyValue("handler", worker.name())
					.log("Informer '{}' is closed: handler '{}' was not told {} events that waited for it",
							this.informer, worker.name(), pending);
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
