/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.HandlerInterceptor;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.SharedIndexInformer;
import dev.informer.TimeSource;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Handlers of one informer. Events are distributed to a queue per handler, and each
 * handler is invoked at its own pace.
 * <p>
 * <b>Concurrency.</b> Events are distributed by one thread at a time; all other methods
 * may be called at any time by any thread. This object's monitor guards which handlers
 * there are and whether they are running or paused. It also makes the cut for a new
 * handler: its initial list and the batches after it fit together. No code of the user
 * runs under the monitor, so threads are started without it.
 *
 * @param <T> the type of the objects
 */
public final class SharedProcessor<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(SharedProcessor.class);

	/** Time that interrupted threads have to end. */
	private static final long GRACE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final Duration MIN_RESYNC_PERIOD = Duration.ofSeconds(1);

	private final List<ProcessorListener<T>> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Handlers that were removed, whose last invocations may be running. Only their
	 * threads keep them reachable, together with the class loader of their code.
	 */
	private final List<WeakReference<ProcessorListener<T>>> removed = new CopyOnWriteArrayList<>();

	private final SharedIndexInformer<?> informer;

	private final @Nullable HandlerInterceptor interceptor;

	private final HandlerThreadFactory threadFactory;

	private final TimeSource time;

	private final InformerListener events;

	private final EnumSet<PauseReason> pauseReasons = EnumSet.noneOf(PauseReason.class);

	private final AtomicInteger added = new AtomicInteger();

	/** The cached objects, apart from events that are not distributed yet. */
	private Supplier<Map<String, T>> initialList = Map::of;

	private boolean initialListComplete;

	private boolean running;

	private int starts;

	private boolean closed;

	/**
	 * Create a processor without handlers.
	 * @param informer the informer
	 * @param interceptor the interceptor of all invocations; {@code null} for none
	 * @param threadFactory the factory of the threads
	 * @param time the time source
	 * @param events the listener to notify, which must not throw
	 */
	public SharedProcessor(SharedIndexInformer<?> informer, @Nullable HandlerInterceptor interceptor,
			HandlerThreadFactory threadFactory, TimeSource time, InformerListener events) {
		this.informer = informer;
		this.interceptor = interceptor;
		this.threadFactory = threadFactory;
		this.time = time;
		this.events = events;
	}

	/**
	 * Add a handler, whose first events are the additions of the cached objects.
	 * @param handler the handler
	 * @param options the options of the handler
	 * @return the registration
	 * @throws IllegalArgumentException if the name is in use
	 * @throws IllegalStateException if the processor is closed
	 */
	public HandlerRegistration add(ResourceEventHandler<T> handler, HandlerOptions<T> options) {
		int number = this.added.incrementAndGet();
		String name = (options.name() != null) ? options.name() : "handler" + number;
		HandlerInvoker<T> invoker = new HandlerInvoker<>(this.informer, name, handler, options, this.interceptor,
				this.events, this.time);
		ProcessorListener<T> listener = new ProcessorListener<>(name, options, invoker,
				resyncTimer(name, options.resyncPeriod()), this, this.threadFactory, this.time);
		add(listener);
		try {
			listener.threads().startFirst();
		}
		catch (RuntimeException | Error ex) {
			listener.remove();
			throw ex;
		}
		listener.startThreads();
		handlersChanged();
		return listener;
	}

	private synchronized void add(ProcessorListener<T> listener) {
		if (this.closed) {
			throw new IllegalStateException("Informer '" + this.informer.name()
					+ "' is closed and accepts no more handlers. Create another one.");
		}
		if (this.listeners.stream().anyMatch((each) -> each.name().equals(listener.name()))) {
			throw new IllegalArgumentException("Cannot add handler '" + listener.name() + "' to informer '"
					+ this.informer.name() + "': the name is in use. Give the handler another name");
		}
		this.pauseReasons.forEach((reason) -> listener.setPaused(reason, true));
		listener.addInitialList(this.initialList.get());
		if (this.initialListComplete) {
			listener.initialListDistributed();
		}
		this.listeners.add(listener);
		if (this.running) {
			listener.start();
		}
	}

	/**
	 * Remove a handler.
	 * @return whether it was one of this processor
	 */
	synchronized boolean remove(ProcessorListener<T> listener) {
		if (!this.listeners.contains(listener)) {
			return false;
		}
		this.removed.removeIf((each) -> each.refersTo(null));
		// in this order: a stop must find it in one of the lists
		this.removed.add(new WeakReference<>(listener));
		this.listeners.remove(listener);
		return true;
	}

	void handlersChanged() {
		this.events.onEvent(new InformerEvent.HandlersChanged(this.informer));
	}

	/**
	 * Return the handlers.
	 * @return the registrations, in the order in which they were added
	 */
	public List<HandlerRegistration> registrations() {
		return List.copyOf(this.listeners);
	}

	/**
	 * Distribute events to all handlers.
	 * @param events the events, in order
	 * @param receivedNanos the time at which they were received
	 * @param initialList supplies the cached objects after these events, for handlers
	 * that are added later
	 * @param complete whether this is the whole initial list
	 */
	public void distribute(List<ResourceEvent<T>> events, long receivedNanos, Supplier<Map<String, T>> initialList,
			boolean complete) {
		List<ProcessorListener<T>> current;
		synchronized (this) {
			// the cut: a handler has either the events or an initial list with their
			// effect
			current = List.copyOf(this.listeners);
			this.initialList = initialList;
			this.initialListComplete = complete;
		}
		if (!events.isEmpty()) {
			distribute(current, events, receivedNanos);
		}
	}

	/**
	 * Distribute events to some handlers.
	 * @param handlers the names of the handlers
	 * @param events the events, in order
	 * @param receivedNanos the time at which they were received
	 */
	public void distribute(Set<String> handlers, List<ResourceEvent<T>> events, long receivedNanos) {
		distribute(this.listeners.stream().filter((listener) -> handlers.contains(listener.name())).toList(), events,
				receivedNanos);
	}

	private void distribute(List<ProcessorListener<T>> listeners, List<ResourceEvent<T>> events, long receivedNanos) {
		// all queues first: a thread that cannot be started costs no other handler an
		// event
		listeners.forEach((listener) -> listener.add(events, receivedNanos));
		listeners.forEach(ProcessorListener::startThreads);
	}

	/**
	 * Note that the whole initial list has been distributed.
	 */
	public void initialListDistributed() {
		this.listeners.forEach(ProcessorListener::initialListDistributed);
	}

	/**
	 * Return the handlers that are due for a resync, and begin their next period.
	 * @return the names of the handlers
	 */
	public Set<String> takeResyncDue() {
		long now = this.time.nanoTime();
		return this.listeners.stream()
			.filter((listener) -> listener.resyncTimer().takeDue(now))
			.map(ProcessorListener::name)
			.collect(Collectors.toSet());
	}

	/**
	 * Return the time until the next resync.
	 * @return nanoseconds; {@link Long#MAX_VALUE} for none
	 */
	public long nanosToResync() {
		long now = this.time.nanoTime();
		return this.listeners.stream()
			.mapToLong((listener) -> listener.resyncTimer().nanosToNext(now))
			.min()
			.orElse(Long.MAX_VALUE);
	}

	/**
	 * Return the time until {@link #startThreads()} is to be called again, because a
	 * thread could not be started.
	 * @return nanoseconds; {@link Long#MAX_VALUE} for none
	 */
	public long nanosToStartThreads() {
		return this.listeners.stream()
			.mapToLong((listener) -> listener.threads().nanosToStart())
			.min()
			.orElse(Long.MAX_VALUE);
	}

	/**
	 * Pause all handlers, those added later included. Running invocations continue.
	 * @param reason the reason; with {@link PauseReason#SUSPENDED} events that are
	 * pending now are delivered until {@link #awaitSuspended}
	 */
	public synchronized void pause(PauseReason reason) {
		this.pauseReasons.add(reason);
		this.listeners.forEach((listener) -> listener.setPaused(reason, true));
	}

	/**
	 * Remove a reason to pause the handlers. Those without another reason are invoked
	 * again, after the next {@link #startThreads()}.
	 * @param reason the reason
	 */
	public synchronized void resume(PauseReason reason) {
		this.pauseReasons.remove(reason);
		this.listeners.forEach((listener) -> listener.setPaused(reason, false));
	}

	/**
	 * Wait until handlers that were {@linkplain #pause paused} by
	 * {@link PauseReason#SUSPENDED} have processed the events that were pending at that
	 * time, and interrupt the invocations that exceed a deadline. An invocation does not
	 * wait for itself.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 * @return whether no invocation is running
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public boolean awaitSuspended(long deadline) throws InterruptedException {
		boolean idle = true;
		for (ProcessorListener<T> listener : all()) {
			idle &= listener.awaitSuspended(deadline);
		}
		return idle;
	}

	/**
	 * Start invoking the handlers.
	 */
	public void start() {
		requestStart();
		startFirstThreads();
	}

	/**
	 * Request a start, which {@link #startFirstThreads()} carries out.
	 */
	public synchronized void requestStart() {
		this.running = true;
		this.starts++;
		this.listeners.forEach(ProcessorListener::start);
	}

	/**
	 * Start at least one thread for each handler. To be called without a lock, because
	 * the thread factory is code of the user. What it throws is thrown.
	 */
	public void startFirstThreads() {
		this.listeners.forEach((listener) -> listener.threads().startFirst());
		startThreads();
	}

	/**
	 * Start the threads that the handlers need now. To be called without a lock, because
	 * the thread factory is code of the user. What it throws is reported, and the start
	 * is tried again, see {@link #nanosToStartThreads()}.
	 */
	public void startThreads() {
		this.listeners.forEach(ProcessorListener::startThreads);
	}

	/**
	 * Accept no more handlers.
	 */
	public synchronized void close() {
		this.closed = true;
	}

	/**
	 * Stop invoking the handlers: deliver pending events until the deadline, then
	 * interrupt running invocations. Undelivered events are kept for the next start.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 */
	public void stop(long deadline) {
		requestStop();
		HandlerStop.await(List.of(this), deadline, this.time);
	}

	/**
	 * Request a stop, which {@link HandlerStop} carries out unless {@link #start()} is
	 * called in between.
	 */
	public synchronized void requestStop() {
		this.running = false;
	}

	/**
	 * Drain the handlers, unless they were started again.
	 * @return the number of the starts so far
	 */
	synchronized int drain() {
		// the monitor makes a start come before or after the whole step
		if (!this.running) {
			this.listeners.forEach(ProcessorListener::drain);
		}
		return this.starts;
	}

	/**
	 * Interrupt the handlers, unless they were started again.
	 * @param starts the number of starts at the time of the drain
	 */
	synchronized void interrupt(int starts) {
		if (!this.running && this.starts == starts) {
			all().forEach((listener) -> listener.threads().interrupt());
		}
	}

	/**
	 * Return whether the handlers were started again, or are never started again.
	 */
	synchronized boolean isStartedOrClosed() {
		return this.running || this.closed;
	}

	/**
	 * Log the pending events, which are not delivered any more.
	 */
	public void reportUndelivered() {
		for (ProcessorListener<T> listener : this.listeners) {
			int pending = listener.pending();
			if (pending > 0) {
				// the objects of a coalescing handler are delivered by the next informer
				logger.atLevel((listener.queue() == QueuePolicy.KEEP_ALL) ? Level.WARN : Level.INFO)
					.addKeyValue("informer", this.informer.name())
					.addKeyValue("handler", listener.name())
					.log("Informer '{}' was closed; discarding {} undelivered events of handler '{}'",
							this.informer.name(), pending, listener.name());
			}
		}
	}

	String informerName() {
		return this.informer.name();
	}

	/**
	 * Return the handlers, including those that were removed and are running.
	 */
	List<ProcessorListener<T>> all() {
		return Stream
			.concat(this.listeners.stream(), this.removed.stream().map(WeakReference::get).filter(Objects::nonNull))
			.toList();
	}

	private ResyncTimer resyncTimer(String handler, Duration period) {
		if (period.isZero() || period.compareTo(MIN_RESYNC_PERIOD) >= 0) {
			return new ResyncTimer(period, this.time.nanoTime());
		}
		logger.atWarn()
			.addKeyValue("informer", this.informer.name())
			.addKeyValue("handler", handler)
			.log("Informer '{}' raised the resync period of handler '{}' from {} to {}", this.informer.name(), handler,
					period, MIN_RESYNC_PERIOD);
		return new ResyncTimer(MIN_RESYNC_PERIOD, this.time.nanoTime());
	}

}
