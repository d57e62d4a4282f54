/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState;
import dev.informer.client.TimeSource;
import dev.informer.reflector.Reflector;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Threads of the reflectors of a run, one for each.
 * <p>
 * <b>Concurrency.</b> Changed by the starting thread at first, and by that of the store
 * later. The states may be read by any thread.
 */
final class ReflectorThreads<T extends KubernetesObject> {

	private static final long RETRY_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private final ReflectorSet<T> reflectors;

	private final BiFunction<String, Reflector<T>, LoopThread> factory;

	private final InformerReporter reporter;

	private final TimeSource time;

	private final Map<Reflector<T>, LoopThread> threads = new ConcurrentHashMap<>();

	/** Whether a thread may be missing. */
	private boolean starting;

	private long nextStart;

	/**
	 * Create an instance without threads.
	 * @param factory creates a thread from its role and its reflector
	 */
	ReflectorThreads(ReflectorSet<T> reflectors, BiFunction<String, Reflector<T>, LoopThread> factory,
			InformerReporter reporter, TimeSource time) {
		this.reflectors = reflectors;
		this.factory = factory;
		this.reporter = reporter;
		this.time = time;
	}

	/**
	 * Create the threads of all reflectors without starting them.
	 */
	List<LoopThread> create() {
		List<Reflector<T>> current = this.reflectors.created();
		List<LoopThread> created = new ArrayList<>();
		for (int i = 0; i < current.size(); i++) {
			created.add(create(current.get(i), (current.size() == 1) ? "reflector" : "reflector-" + (i + 1)));
		}
		return created;
	}

	private LoopThread create(Reflector<T> reflector, String role) {
		LoopThread thread = this.factory.apply(role, reflector);
		this.threads.put(reflector, thread);
		return thread;
	}

	/**
	 * Follow a change of the set at the next {@link #startMissing()}.
	 * @param left the reflectors that have ended, whose threads do not pause any longer
	 */
	void follow(List<Reflector<T>> left) {
		left.stream().flatMap((reflector) -> Stream.ofNullable(this.threads.get(reflector))).forEach(LoopThread::close);
		this.starting = true;
		this.nextStart = this.time.nanoTime();
	}

	/**
	 * Start the threads of the reflectors that have none, without a lock, and return the
	 * nanoseconds until the next attempt for those that could not be started,
	 * {@link Long#MAX_VALUE} if there is none.
	 */
	long startMissing() {
		if (this.starting && nanosToStart() <= 0) {
			Throwable failure = start();
			this.starting = failure != null;
			if (failure != null) {
				this.nextStart = this.time.nanoTime() + RETRY_NANOS;
				this.reporter.failed(Kind.OTHER, "Cannot start the threads of joined namespaces; retrying", failure);
			}
		}
		return nanosToStart();
	}

	private long nanosToStart() {
		return this.starting ? Math.max(0, this.nextStart - this.time.nanoTime()) : Long.MAX_VALUE;
	}

	/**
	 * Start the missing threads. One that could not be started is created again by the
	 * next call, and is no reason not to start others.
	 * @return a failure to start a thread; {@code null} if all of them have been started
	 */
	private @Nullable Throwable start() {
		Set<Reflector<T>> current = new LinkedHashSet<>(this.reflectors.created());
		this.threads.entrySet().removeIf((entry) -> entry.getValue().hasEnded() && !current.contains(entry.getKey()));
		current.removeAll(this.threads.keySet());
		Throwable failure = null;
		for (Reflector<T> reflector : current) {
			try {
				String namespace = reflector.namespace();
				create(reflector, namespace.isEmpty() ? "reflector" : "reflector-" + namespace).start();
			}
			// also that no more threads can be created
			catch (Throwable ex) {
				this.threads.remove(reflector);
				failure = ex;
			}
		}
		return failure;
	}

	/**
	 * Wait until the threads have ended or a nano time is reached.
	 */
	void join(long deadline) throws InterruptedException {
		for (LoopThread thread : this.threads.values()) {
			thread.join(deadline);
		}
	}

	/**
	 * Return a state of the reflector of a namespace, with the failure of its thread.
	 */
	InformerState state(String namespace, InformerState state) {
		Reflector<T> reflector = this.reflectors.find(namespace);
		LoopThread thread = (reflector != null) ? this.threads.get(reflector) : null;
		return (thread != null) ? thread.ownState(state) : state;
	}

}
