/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;

/**
 * A handler at its informer. Thread-safe.
 */
public interface HandlerRegistration {

	/**
	 * The name of the handler.
	 * @return the name
	 */
	String name();

	/**
	 * What is kept for the handler while it is busy.
	 * @return the policy
	 */
	QueuePolicy queue();

	/**
	 * Whether the informer has synced and the handler has been called for everything that
	 * was there then. A call that throws counts once it is not tried again, an object
	 * that went away before its turn does too.
	 * @return whether the handler knows the initial state
	 */
	boolean hasSynced();

	/**
	 * Waits until {@link #hasSynced()}.
	 * @param timeout how long to wait at most
	 * @return whether the handler has synced; {@code false} also when it was removed
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	boolean awaitSynced(Duration timeout) throws InterruptedException;

	/**
	 * Runs an action as soon as {@link #hasSynced()}, at once when it has already: on a
	 * thread of the handler, between two calls, once. After a stop that is at the next
	 * start; when the handler is removed before, never. What the action throws is logged.
	 * @param action what to run
	 */
	void whenSynced(Runnable action);

	/**
	 * How many events wait for the handler, those for another attempt counted, the one
	 * that it is busy with not. Under {@link QueuePolicy#COALESCE} this is the number of
	 * objects waiting.
	 * @return the number of pending events
	 */
	int pending();

	/**
	 * Waits until the handler was told everything that is queued for it, further attempts
	 * included, and no call is running. What the informer has not applied to its store
	 * yet does not count.
	 * @param timeout how long to wait at most
	 * @return whether there is nothing left
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	boolean awaitIdle(Duration timeout) throws InterruptedException;

	/**
	 * Calls the handler no more until {@link #resume()}. A call that is running goes on.
	 * What happens meanwhile is kept: under {@link QueuePolicy#COALESCE} one pending
	 * event for each object at most, under {@link QueuePolicy#KEEP_ALL} all of it. A stop
	 * does not wait for a handler that is paused, and a start does not end the pause.
	 */
	void pause();

	/**
	 * Goes on with what is pending after {@link #pause()}.
	 */
	void resume();

	/**
	 * Whether the handler is paused.
	 * @return whether {@link #resume()} would change anything
	 */
	boolean isPaused();

	/**
	 * Removes the handler from the informer. Nothing is called after this method has
	 * returned but a call that is running already. Removing twice does no harm.
	 */
	void remove();

	/**
	 * Removes the handler from the informer and waits until the call that is running has
	 * returned. May be used in the handler itself: a call does not wait for itself, nor
	 * for one that waits here as well.
	 * @param timeout how long to wait at most
	 * @return whether no call is running any more
	 * @throws InterruptedException when the waiting thread is interrupted; the handler is
	 * removed nevertheless
	 */
	boolean remove(Duration timeout) throws InterruptedException;

}
