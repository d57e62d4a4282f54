/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import dev.informer.LeadershipListener;
import dev.informer.ShardingListener;
import dev.informer.leader.LeaderElector;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Adds the {@link LeadershipListener} beans to the leader elections, and the
 * {@link ShardingListener} beans to the division of objects, once all singletons exist.
 */
public final class ReplicaListenerRegistrar implements SmartInitializingSingleton {

	private final DefaultLeaderElections elections;

	private final ShardMembership membership;

	private final ObjectProvider<LeadershipListener> leadershipListeners;

	private final ObjectProvider<ShardingListener> shardingListeners;

	/**
	 * Create a registrar.
	 * @param elections the elections
	 * @param membership the membership in the group of replicas
	 * @param leadershipListeners the listeners of the elections
	 * @param shardingListeners the listeners of the division of objects
	 */
	public ReplicaListenerRegistrar(DefaultLeaderElections elections, ShardMembership membership,
			ObjectProvider<LeadershipListener> leadershipListeners,
			ObjectProvider<ShardingListener> shardingListeners) {
		this.elections = elections;
		this.membership = membership;
		this.leadershipListeners = leadershipListeners;
		this.shardingListeners = shardingListeners;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (LeaderElector elector : this.elections.electors()) {
			this.leadershipListeners.orderedStream().forEach(elector::addListener);
		}
		this.membership.member()
			.ifPresent((member) -> this.shardingListeners.orderedStream().forEach(member::addListener));
	}

}
