/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.informer.SharedIndexInformer;
import org.jspecify.annotations.Nullable;

/**
 * Reconciler with its queue and its threads. Thread-safe.
 */
public interface ReconcilerRegistration {

	/**
	 * Return the name.
	 * @return the name
	 */
	String name();

	/**
	 * Return the options.
	 * @return the options
	 */
	ReconcilerOptions<?> options();

	/**
	 * Return the informer of the primary objects.
	 * @return the informer
	 */
	SharedIndexInformer<?> informer();

	/**
	 * Return the informers of all objects that trigger calls.
	 * @return the informers, that of the primary objects first
	 */
	List<SharedIndexInformer<?>> informers();

	/**
	 * Return whether all informers have synced. No call begins before.
	 * @return whether they have synced
	 */
	boolean hasSynced();

	/**
	 * Call the reconciler for an object, as if the object had changed.
	 * @param namespace the namespace of the object; {@code null} if it has none
	 * @param name its name
	 * @return whether the object is in the cache
	 */
	boolean request(@Nullable String namespace, String name);

	/**
	 * Call the reconciler for all objects in the cache.
	 */
	void requestAll();

	/**
	 * Pause until {@link #resume()}. No call begins after this method has returned; those
	 * that are running continue.
	 * @param requestedBy the caller, such as the name of a user, which a diagnosis names
	 */
	void pause(String requestedBy);

	/**
	 * Resume after {@link #pause}.
	 */
	void resume();

	/**
	 * Return whether the reconciler is paused.
	 * @return whether it is paused
	 */
	boolean isPaused();

	/**
	 * Return the number of objects in each state.
	 * @return the numbers
	 */
	Counts counts();

	/**
	 * Return the number of objects of which each call seems to cause the next one, for
	 * more than three minutes and at least twice a minute: it writes something, or asks
	 * for the next call in less than a second or than the minimum interval.
	 * @return the number
	 */
	int looping();

	/**
	 * Return the running calls.
	 * @return the calls, in no particular order
	 */
	List<Running> calls();

	/**
	 * Return objects whose last call has failed.
	 * @return at most 100 objects, those that are not repeated first
	 */
	List<Failing> failing();

	/**
	 * Wait until no call is running, and none is to follow before a delay that a call has
	 * returned is over. Objects for which the gate is closed are not waited for. Changes
	 * that an informer has not yet received are not considered: wait for them by
	 * {@link SharedIndexInformer#awaitAtLeast} first.
	 * @param timeout the maximum time to wait
	 * @return whether the reconciler is idle
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	boolean awaitIdle(Duration timeout) throws InterruptedException;

	/**
	 * Describe why no call may begin now.
	 * @return the causes; empty if there are none
	 */
	List<ReconcilerDiagnosis.Cause> diagnose();

	/**
	 * Describe why the reconciler is not called for an object now.
	 * @param namespace the namespace of the object; {@code null} if it has none
	 * @param name its name
	 * @return the description
	 */
	ReconcilerDiagnosis diagnose(@Nullable String namespace, String name);

	/**
	 * Numbers of objects. An object is in at most one of the first five.
	 *
	 * @param pending those whose call may begin
	 * @param active those with a running call
	 * @param held those that are held until the caches have what was written
	 * @param limited those that wait for the minimum interval
	 * @param gated those for which the gate is closed
	 * @param retrying those whose last call has failed, and is repeated
	 * @param scheduled those with a delay that a call has returned, or whose last call is
	 * repeated without a failure: on request, or after a conflict
	 * @param failed those whose last call has failed, and is not repeated before the next
	 * change
	 */
	record Counts(int pending, int active, int held, int limited, int gated, int retrying, int scheduled, int failed) {
	}

	/**
	 * Object whose last call has failed.
	 *
	 * @param key the key of the object: namespace and name, separated by a slash, or the
	 * name alone
	 * @param failures the number of calls that have failed in a row
	 * @param error the class of the last exception
	 * @param lastFailure the time of the last failure, at which the log has it
	 * @param repeated whether the call is repeated without a change
	 */
	record Failing(String key, int failures, String error, Instant lastFailure, boolean repeated) {
	}

	/**
	 * Running call.
	 *
	 * @param key the key of the object: namespace and name, separated by a slash, or the
	 * name alone
	 * @param duration the time since the call began
	 */
	record Running(String key, Duration duration) {
	}

}
