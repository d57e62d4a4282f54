/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Registration of a handler with an informer. Thread-safe.
 */
public interface HandlerRegistration {

	/**
	 * Return the name of the handler.
	 * @return the name
	 */
	String name();

	/**
	 * Return the policy for pending events.
	 * @return the policy
	 */
	QueuePolicy queue();

	/**
	 * Return whether the informer has synced and the initial objects have been delivered
	 * to the handler. An event whose retries are exhausted counts as delivered; so does
	 * an object that was deleted before its delivery. A handler whose gate is closed for
	 * some objects has synced once the others have been delivered.
	 * @return whether the handler has received the initial list
	 */
	boolean hasSynced();

	/**
	 * Wait until {@link #hasSynced()}.
	 * @param timeout the maximum time to wait
	 * @return whether the handler has synced; {@code false} also if it was removed
	 * @throws IllegalStateException if the informer was never started, or as soon as it
	 * is closed before the handler has synced
	 * @throws InformerFailedException as soon as the informer has failed permanently
	 * before it has synced
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	boolean awaitSynced(Duration timeout) throws InterruptedException;

	/**
	 * Run an action once {@link #hasSynced()}, immediately if that is already the case.
	 * The action runs once, on a thread of the handler, between two invocations. If the
	 * informer is stopped, it runs after the next start; if the handler is removed
	 * before, it never runs. Exceptions of the action are logged.
	 * @param action the action
	 */
	void whenSynced(Runnable action);

	/**
	 * Return the number of pending events, including those waiting for a retry and
	 * excluding running invocations. Under {@link QueuePolicy#COALESCE} this is the
	 * number of objects with a pending event. Events of objects for which the
	 * {@linkplain InvocationGate gate} is closed are held and not pending, see
	 * {@link HandlerDiagnosis#held()}.
	 * @return the number of pending events
	 */
	int pending();

	/**
	 * Return the running invocations.
	 * @return the invocations, in no particular order
	 */
	List<Invocation> invocations();

	/**
	 * Wait until no event is pending, including retries, and no invocation is running.
	 * Changes that the informer has not yet applied to the cache are not considered.
	 * @param timeout the maximum time to wait
	 * @return whether the handler is idle
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	boolean awaitIdle(Duration timeout) throws InterruptedException;

	/**
	 * Pause delivery until {@link #resume()} is called. No invocation begins after this
	 * method has returned; those that {@link #invocations()} returns then continue and
	 * are not interrupted. Events are kept: under {@link QueuePolicy#COALESCE} at most
	 * one per object, under {@link QueuePolicy#KEEP_ALL} all of them. A stop does not
	 * wait for a paused handler, and a start does not resume it.
	 */
	default void pause() {
		pause("the application");
	}

	/**
	 * Pause delivery on behalf of a caller, which a diagnosis names.
	 * @param requestedBy the caller, such as the name of a user
	 * @see #pause()
	 */
	void pause(String requestedBy);

	/**
	 * Resume delivery after {@link #pause()}.
	 */
	void resume();

	/**
	 * Return whether delivery is paused by {@link #pause()}.
	 * @return whether the handler is paused
	 */
	boolean isPaused();

	/**
	 * Retry all events at once that have failed and wait for their retry. Objects whose
	 * retries are exhausted, if that is recorded, are delivered again: as the difference
	 * between the state before the failure and the current one. Does not wait.
	 * @return the number of objects that are retried
	 */
	int retryNow();

	/**
	 * Retry the event of one object at once.
	 * @param namespace the namespace of the object; {@code null} if it has none
	 * @param name the name of the object
	 * @return whether it is retried; {@code false} if no event waits for its retry or has
	 * its retries exhausted, if that is not recorded, or if the object was deleted or
	 * recreated since
	 * @see #retryNow()
	 */
	boolean retryNow(@Nullable String namespace, String name);

	/**
	 * Describe why invocations of the handler may not take place now.
	 * @return the description
	 */
	HandlerDiagnosis diagnose();

	/**
	 * Describe what was last delivered of an object, and why nothing is delivered now.
	 * The filter and the changes of the handler are evaluated for it, on a separate
	 * thread and for a second at most. May be called by the handler itself.
	 * @param namespace the namespace of the object; {@code null} if it has none
	 * @param name the name of the object
	 * @return the description
	 */
	DeliveryDiagnosis diagnose(@Nullable String namespace, String name);

	/**
	 * Remove the handler from the informer. No invocation begins after this method has
	 * returned; those that {@link #invocations()} returns then continue. Removing a
	 * handler twice has no effect.
	 */
	void remove();

	/**
	 * Remove the handler from the informer and wait for running invocations. May be
	 * called by the handler itself: an invocation does not wait for itself, nor for
	 * another one that waits here as well.
	 * @param timeout the maximum time to wait
	 * @return whether no invocation is running any more
	 * @throws InterruptedException if the waiting thread is interrupted; the handler is
	 * removed nevertheless
	 */
	boolean remove(Duration timeout) throws InterruptedException;

	/**
	 * Invocation of a handler that is running.
	 *
	 * @param key the key of the object: namespace and name, separated by a slash, or the
	 * name alone
	 * @param type the type of the event
	 * @param duration the time since the invocation began
	 */
	record Invocation(String key, ResourceEvent.Type type, Duration duration) {

	}

}
