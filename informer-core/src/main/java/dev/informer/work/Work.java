/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.work;

import java.util.List;

import dev.informer.work.WorkerThreads.Running;

/**
 * Work of {@link WorkerThreads}, such as the events of a handler.
 *
 * @param <C> the description of a call of user code
 */
public interface Work<C> {

	/**
	 * Return what does the work, for messages, such as {@code handler 'audit'}.
	 */
	String subject();

	/**
	 * Return the number of idle threads that the work needs now. Called with the lock.
	 * @param idle whether there is an idle thread
	 */
	int threadsNeeded(boolean idle);

	/**
	 * Do the next piece of work on the current thread, for which it waits.
	 * @return whether to continue; {@code false} when the thread has left
	 */
	boolean runNext();

	/**
	 * Note that the gate may have opened or closed.
	 */
	default void gateChanged() {
	}

	/**
	 * Report calls that were interrupted.
	 * @param reason the reason, as the predicate of a sentence
	 */
	default void interrupted(String reason, List<Running<C>> calls) {
	}

	/**
	 * Report a thread that has failed, or could not be started.
	 */
	void threadFailed(String message, Throwable cause);

}
