/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.HandlerInterceptor;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.InvalidOptionException;
import dev.informer.InvocationGate;
import dev.informer.ResourceEventHandler;
import dev.informer.SharedIndexInformer;
import dev.informer.WatchedSet;
import dev.informer.cache.Indexer;
import dev.informer.client.TimeSource;
import dev.informer.work.WorkerThreads;
import dev.informer.work.WorkerThreads.Running;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers of one informer. Events are distributed to a queue per handler, and each
 * handler is invoked at its own pace.
 * <p>
 * <b>Concurrency.</b> Events are distributed by one thread at a time; all other methods
 * may be called at any time by any thread. This object's monitor guards which handlers
 * there are and whether they are running or paused. It also makes the cut for a new
 * handler: its initial list and the batches after it fit together. No code of the user
 * runs under the monitor, so threads are started without it.
 */
public final class SharedProcessor<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(SharedProcessor.class);

	/** Time that interrupted threads have to end. */
	private static final long GRACE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private final List<ProcessorListener<T>> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Handlers that were removed, whose last invocations may be running. Only their
	 * threads keep them reachable, together with the class loader of their code.
	 */
	private final Set<ProcessorListener<T>> removed = Collections.newSetFromMap(new WeakHashMap<>());

	private final SharedIndexInformer<?> informer;

	private final Indexer<T> cache;

	private final @Nullable HandlerInterceptor interceptor;

	private final BiFunction<String, Runnable, Thread> threadFactory;

	private final TimeSource time;

	private final InformerListener events;

	private final EnumSet<PauseReason> pauseReasons = EnumSet.noneOf(PauseReason.class);

	private final AtomicInteger added = new AtomicInteger();

	/** The cached objects, apart from events that are not distributed yet. */
	private Supplier<Map<String, T>> initialList = Map::of;

	private boolean initialListComplete;

	/** The distribution that has failed; {@code null} for none. */
	private @Nullable Distribution<T> distribution;

	private boolean running;

	private int starts;

	private boolean closed;

	private volatile Function<String, @Nullable RuntimeException> refusal = (handler) -> null;

	/**
	 * Create the processor of an informer.
	 * @param cache its cache, from which handlers are diagnosed
	 * @param threadFactory creates a thread from the name of a handler and its task
	 * @param events the listener to notify, which must not throw
	 */
	public SharedProcessor(SharedIndexInformer<?> informer, Indexer<T> cache, @Nullable HandlerInterceptor interceptor,
			BiFunction<String, Runnable, Thread> threadFactory, TimeSource time, InformerListener events) {
		this.informer = informer;
		this.cache = cache;
		this.interceptor = interceptor;
		this.threadFactory = threadFactory;
		this.time = time;
		this.events = events;
	}

	/**
	 * Add a handler, whose first events are the additions of the cached objects.
	 * @throws IllegalArgumentException if the name is in use, or the gate is not that of
	 * the informer
	 * @throws IllegalStateException if the processor is closed
	 */
	public HandlerRegistration add(ResourceEventHandler<T> handler, HandlerOptions<T> requested) {
		HandlerOptions<T> options = withGate(requested);
		int number = this.added.incrementAndGet();
		String name = (options.name() != null) ? options.name() : "handler" + number;
		ProcessorListener<T> listener = new ProcessorListener<>(name, handler, options, this, this.time);
		listener.follow();
		try {
			Map<String, T> initialList = add(listener);
			// without the monitor: metadata may be code of the user
			listener.addInitialList(KeyedEvent.initialList(initialList), this.time.nanoTime());
			listener.startFirst();
		}
		catch (RuntimeException | Error ex) {
			listener.remove();
			throw ex;
		}
		listener.wake();
		handlersChanged();
		return listener;
	}

	private HandlerOptions<T> withGate(HandlerOptions<T> options) {
		WatchedSet objects = this.informer.options().watchedSet();
		InvocationGate gate = (objects != null) ? objects.gate() : InvocationGate.OPEN;
		if (gate == InvocationGate.OPEN) {
			return options;
		}
		if (options.gate() != InvocationGate.OPEN) {
			throw new InvalidOptionException("gate",
					"cannot be set for a handler of informer '" + informerName() + "': the " + objects
							+ " is the gate of its handlers. Remove it, or add the handler to another informer");
		}
		return new HandlerOptions.Builder<>(options).gate(gate).build();
	}

	/**
	 * Add a handler, which keeps the events that follow until it has its initial list,
	 * and return the objects of that list by key.
	 */
	private synchronized Map<String, T> add(ProcessorListener<T> listener) {
		if (this.closed) {
			throw new IllegalStateException(
					"Informer '" + informerName() + "' is closed and accepts no more handlers. Create another one.");
		}
		if (this.listeners.stream().anyMatch((each) -> each.name().equals(listener.name()))) {
			throw new IllegalArgumentException("Cannot add handler '" + listener.name() + "' to informer '"
					+ informerName() + "': the name is in use. Give the handler another name");
		}
		this.pauseReasons.forEach((reason) -> listener.setPaused(reason, true, null));
		Map<String, T> objects = this.initialList.get();
		if (this.initialListComplete) {
			listener.initialListDistributed();
		}
		this.listeners.add(listener);
		if (this.running) {
			listener.start();
		}
		return objects;
	}

	/**
	 * Remove a handler, and return whether it was one of this processor.
	 */
	synchronized boolean remove(ProcessorListener<T> listener) {
		boolean known = this.listeners.remove(listener);
		if (known) {
			this.removed.add(listener);
		}
		return known;
	}

	void handlersChanged() {
		this.events.onEvent(new InformerEvent.HandlersChanged(this.informer));
	}

	/**
	 * Return the handlers in the order in which they were added.
	 */
	public List<HandlerRegistration> registrations() {
		return List.copyOf(this.listeners);
	}

	/**
	 * Distribute events, in order, to all handlers, which receive them after
	 * {@link #wakeHandlers()}. The list does not change any more, and {@code complete}
	 * means that it is the whole initial list. {@code initialList} supplies the cached
	 * objects to handlers that are added later. After a failure, such as an
	 * {@code OutOfMemoryError}, the caller has to call it again with the same list before
	 * any other.
	 */
	public void distribute(List<KeyedEvent<T>> events, long receivedNanos, Supplier<Map<String, T>> initialList,
			boolean complete) {
		Distribution<T> current = this.distribution;
		synchronized (this) {
			if (current == null || current.events() != events) {
				// the cut: a handler has the events, or an initial list with their effect
				current = new Distribution<>(events, new ArrayDeque<>(this.listeners));
				this.distribution = current;
				this.initialList = initialList;
			}
			this.initialListComplete = complete;
		}
		ProcessorListener<T> next;
		while ((next = current.recipients().peek()) != null) {
			add(events, receivedNanos, next);
			current.recipients().remove();
		}
		this.distribution = null;
	}

	private static <T extends KubernetesObject> void add(List<KeyedEvent<T>> events, long receivedNanos,
			ProcessorListener<T> listener) {
		if (!events.isEmpty()) {
			listener.add(events, receivedNanos);
		}
	}

	/**
	 * Distribute events, in order, to the handlers with these names.
	 */
	public void distribute(Set<String> handlers, List<KeyedEvent<T>> events, long receivedNanos) {
		this.listeners.stream()
			.filter((listener) -> handlers.contains(listener.name()))
			.forEach((listener) -> add(events, receivedNanos, listener));
	}

	/**
	 * Note that the whole initial list has been distributed.
	 */
	public void initialListDistributed() {
		this.listeners.forEach(ProcessorListener::initialListDistributed);
	}

	/**
	 * Return the names of the handlers that are due for a resync, and begin their next
	 * period.
	 */
	public Set<String> takeResyncDue() {
		long now = this.time.nanoTime();
		return this.listeners.stream()
			.filter((listener) -> listener.takeResyncDue(now))
			.map(ProcessorListener::name)
			.collect(Collectors.toSet());
	}

	/**
	 * Return the nanoseconds until the next resync, {@link Long#MAX_VALUE} for none.
	 */
	public long nanosToResync() {
		long now = this.time.nanoTime();
		return soonest((listener) -> listener.nanosToResync(now));
	}

	/**
	 * Return the nanoseconds until {@link #wakeHandlers()} is to be called again, because
	 * a thread could not be started; {@link Long#MAX_VALUE} for none.
	 */
	public long nanosToStartThreads() {
		return soonest(ProcessorListener::nanosToStart);
	}

	private long soonest(ToLongFunction<ProcessorListener<T>> nanos) {
		// called for each batch, so without the garbage of a stream
		long soonest = Long.MAX_VALUE;
		for (ProcessorListener<T> listener : this.listeners) {
			soonest = Math.min(soonest, nanos.applyAsLong(listener));
		}
		return soonest;
	}

	/**
	 * Add or remove a reason to pause all handlers, those added later included. Running
	 * invocations continue. Handlers without another reason are invoked again after the
	 * next {@link #wakeHandlers()}. With {@link PauseReason#SUSPENDED}, events that are
	 * pending now are delivered until {@link #awaitSuspended}.
	 */
	public synchronized void setPaused(PauseReason reason, boolean paused) {
		this.listeners.forEach((listener) -> listener.setPaused(reason, paused, null));
		if (paused) {
			this.pauseReasons.add(reason);
		}
		else {
			this.pauseReasons.remove(reason);
		}
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
	 * Start at least one thread for each handler, like {@link #wakeHandlers()}, but throw
	 * what the thread factory throws.
	 */
	public void startFirstThreads() {
		this.listeners.forEach(ProcessorListener::startFirst);
		wakeHandlers();
	}

	/**
	 * Let the handlers deliver the events that have been distributed: wake their threads
	 * and start those that they need. To be called without a lock, because the thread
	 * factory is code of the user. What it throws is reported, and the start is tried
	 * again, see {@link #nanosToStartThreads()}.
	 */
	public void wakeHandlers() {
		this.listeners.forEach(ProcessorListener::wake);
	}

	/**
	 * Accept no more handlers.
	 */
	public synchronized void close() {
		this.closed = true;
		this.listeners.forEach(ProcessorListener::unfollow);
	}

	/**
	 * Request a stop, which {@link #awaitStop} carries out unless a start is requested in
	 * between.
	 */
	public synchronized void requestStop() {
		this.running = false;
	}

	/**
	 * Carry out the {@linkplain #requestStop() requested} stop of the handlers of several
	 * informers and wait for it, with one deadline, as {@link TimeSource#nanoTime()}. All
	 * handlers drain at the same time, and those that are not ready at the deadline are
	 * interrupted. A handler that ignores the interrupt is reported and left behind. The
	 * current thread is not waited for; when it is interrupted, the drain ends early.
	 * Handlers that are started again are neither waited for nor interrupted.
	 */
	public static void awaitStop(Collection<? extends SharedProcessor<?>> processors, long deadline, TimeSource time) {
		Map<SharedProcessor<?>, Integer> starts = new LinkedHashMap<>();
		processors.forEach((processor) -> starts.put(processor, processor.drain()));
		try {
			awaitEnd(processors, deadline);
			starts.forEach(SharedProcessor::interrupt);
			awaitEnd(processors, time.nanoTime() + GRACE_NANOS);
		}
		catch (InterruptedException ex) {
			starts.forEach(SharedProcessor::interrupt);
			Thread.currentThread().interrupt();
		}
		processors.forEach(SharedProcessor::reportStopped);
	}

	/**
	 * Wait until suspended handlers have processed the events that were pending at the
	 * time of the suspension, and interrupt the invocations that exceed a deadline, as
	 * {@link TimeSource#nanoTime()}. An invocation does not wait for itself.
	 * @return whether no invocation is running
	 */
	public static boolean awaitSuspended(Collection<? extends SharedProcessor<?>> processors, long deadline)
			throws InterruptedException {
		boolean idle = true;
		for (SharedProcessor<?> processor : processors) {
			for (ProcessorListener<?> listener : processor.all()) {
				idle &= listener.awaitSuspended(deadline);
			}
		}
		return idle;
	}

	private static void awaitEnd(Collection<? extends SharedProcessor<?>> processors, long deadline)
			throws InterruptedException {
		for (SharedProcessor<?> processor : processors) {
			for (ProcessorListener<?> listener : processor.all()) {
				listener.awaitEnd(deadline);
			}
		}
	}

	/**
	 * Drain the handlers, unless they were started again, and return the number of the
	 * starts so far.
	 */
	synchronized int drain() {
		// the monitor makes a start come before or after the whole step
		if (!this.running) {
			this.listeners.forEach(ProcessorListener::drain);
		}
		return this.starts;
	}

	/**
	 * Interrupt the handlers, unless they were started again since the drain.
	 */
	void interrupt(int startsAtDrain) {
		Map<ProcessorListener<T>, List<Running<KeyedEvent<T>>>> interrupted = new LinkedHashMap<>();
		synchronized (this) {
			if (!this.running && this.starts == startsAtDrain) {
				all().forEach((listener) -> interrupted.put(listener, listener.interrupt()));
			}
		}
		interrupted.forEach((listener, calls) -> listener.interrupted("stopped", calls));
	}

	void reportStopped() {
		all().forEach((listener) -> listener.reportStopped(() -> !isStartedOrClosed()));
	}

	/**
	 * Log the pending events, which are not delivered any more, because the processor is
	 * closed.
	 */
	public void reportDiscarded() {
		all().forEach(ProcessorListener::reportDiscarded);
	}

	HandlerReporter newReporter(String handler) {
		return new HandlerReporter(this.informer, handler, this.events, this.time);
	}

	HandlerInvoker<T> newInvoker(String name, ResourceEventHandler<T> handler, HandlerOptions<T> options,
			HandlerReporter reporter) {
		return new HandlerInvoker<>(this.informer, name, handler, options, this.interceptor, reporter);
	}

	HandlerDiagnostics<T> newDiagnostics(HandlerOptions<T> options) {
		return new HandlerDiagnostics<>(this.informer, this.cache, options, this::isClosed, this.time);
	}

	WorkerThreads<KeyedEvent<T>> newThreads(ProcessorListener<T> listener, HandlerOptions<T> options) {
		return new WorkerThreads<>(listener, options.concurrency(), options.gate(),
				(suffix, task) -> this.threadFactory.apply(listener.name() + suffix, task), this.time);
	}

	private synchronized boolean isStartedOrClosed() {
		return this.running || this.closed;
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	/** Refuse to wait for a handler whose informer nothing has started. */
	synchronized void requireStarted(String handler) {
		if (this.starts == 0 && !this.closed) {
			throw new IllegalStateException("Cannot wait for handler '" + handler + "': informer '" + informerName()
					+ "' was not started. Start it, its factory or the application first.");
		}
	}

	/**
	 * Wake the threads that wait for the sync of a handler.
	 * @param refusal returns the exception if the handler cannot sync any more
	 */
	public void endWaits(Function<String, @Nullable RuntimeException> refusal) {
		this.refusal = refusal;
		this.listeners.forEach(ProcessorListener::endWaits);
	}

	@Nullable RuntimeException refusal(String handler) {
		return this.refusal.apply(handler);
	}

	String informerName() {
		return this.informer.name();
	}

	/** Return the handlers, including those that were removed and are running. */
	synchronized List<ProcessorListener<T>> all() {
		return Stream.concat(this.listeners.stream(), this.removed.stream()).toList();
	}

	/**
	 * Distribution of a batch, which is resumed after a failure: the events do not follow
	 * from the batch again, because the store has its objects already.
	 *
	 * @param recipients the handlers that do not have the events yet
	 */
	private record Distribution<T extends KubernetesObject>(List<KeyedEvent<T>> events,
			Queue<ProcessorListener<T>> recipients) {

	}

}
