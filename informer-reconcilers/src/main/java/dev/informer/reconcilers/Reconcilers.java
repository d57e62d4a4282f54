/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.support.Arguments;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Reconcilers of one {@link InformerFactory}. Thread-safe.
 */
public interface Reconcilers extends AutoCloseable {

	/**
	 * Create a set of reconcilers.
	 * @param factory the factory of their informers, whose clock and threads they use
	 * @param writer the writer for finalizers
	 * @param interceptors the interceptors of each call, the first of which is the
	 * outermost
	 * @return the set, which is empty
	 */
	static Reconcilers of(InformerFactory factory, ObjectWriter writer, ReconcileInterceptor... interceptors) {
		Arguments.require("create Reconcilers", "factory", factory);
		Arguments.require("create Reconcilers", "writer", writer);
		return new DefaultReconcilers(factory, writer, List.of(interceptors));
	}

	/**
	 * Add a reconciler. It is started if the others are.
	 * @param <T> the type of the primary objects
	 * @param primaries the informer of the primary objects
	 * @param reconciler the reconciler
	 * @param options the callback that sets the options
	 * @return the registration
	 * @throws IllegalArgumentException if an option is invalid, an informer belongs to
	 * another factory, or a reconciler of this name exists
	 * @throws IllegalStateException if this set is closed
	 */
	<T extends KubernetesObject> ReconcilerRegistration add(SharedIndexInformer<T> primaries, Reconciler<T> reconciler,
			Consumer<ReconcilerOptions.Builder<T>> options);

	/**
	 * Return the reconcilers.
	 * @return the registrations, in the order in which they were added
	 */
	List<ReconcilerRegistration> registrations();

	/**
	 * Find a reconciler.
	 * @param name its name
	 * @return the registration
	 */
	Optional<ReconcilerRegistration> find(String name);

	/**
	 * Start the informers and the threads of all reconcilers. Returns immediately; calls
	 * begin once all informers of a reconciler have synced. A thread of a reconciler that
	 * cannot be started is retried. If an informer cannot be started, the other
	 * reconcilers are, and the first failure is thrown.
	 * @throws IllegalStateException if this set is closed
	 */
	void start();

	/**
	 * Wait until all reconcilers are idle at the same time. Those that are paused, or
	 * whose gate is closed, are not waited for.
	 * @param timeout the maximum time to wait
	 * @return whether they are idle
	 * @throws InterruptedException if the waiting thread is interrupted
	 * @see ReconcilerRegistration#awaitIdle
	 */
	boolean awaitIdle(Duration timeout) throws InterruptedException;

	/**
	 * Stop the reconcilers, not their informers. No call begins after this method was
	 * called. What is pending is kept until the next start.
	 * @param timeout the maximum time to wait for running calls, which are interrupted
	 * after it. A call that stops the reconcilers does not wait for itself
	 * @return whether no other call is running
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	boolean stop(Duration timeout) throws InterruptedException;

	/**
	 * Stop without waiting for running calls, which are interrupted, and end for good.
	 */
	@Override
	void close();

}
