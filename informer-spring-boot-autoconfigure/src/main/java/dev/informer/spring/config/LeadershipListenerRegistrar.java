/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import dev.informer.LeadershipListener;
import dev.informer.leader.LeaderElector;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Adds the {@link LeadershipListener} beans to the leader elections, once all singletons
 * exist.
 */
public final class LeadershipListenerRegistrar implements SmartInitializingSingleton {

	private final DefaultLeaderElections elections;

	private final ObjectProvider<LeadershipListener> listeners;

	/**
	 * Create a registrar.
	 * @param elections the elections
	 * @param listeners the listeners
	 */
	public LeadershipListenerRegistrar(DefaultLeaderElections elections, ObjectProvider<LeadershipListener> listeners) {
		this.elections = elections;
		this.listeners = listeners;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (LeaderElector elector : this.elections.electors()) {
			this.listeners.orderedStream().forEach(elector::addListener);
		}
	}

}
