/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

/**
 * Coordination of this process with the other replicas of the application: a
 * {@link Leadership} or a {@link Sharding}. Thread-safe.
 */
public interface Coordination {

	/**
	 * Return the identity of this process.
	 * @return the identity, unique for each process
	 */
	String identity();

	/**
	 * Add a listener. It is notified of the events from now on: what this process holds
	 * already is in its state.
	 * @param listener the listener
	 */
	void addListener(ReplicaListener listener);

	/**
	 * Remove a listener.
	 * @param listener the listener
	 */
	void removeListener(ReplicaListener listener);

}
