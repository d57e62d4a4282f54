/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.informer.InformerOptions;
import dev.informer.replicas.Shard;
import dev.informer.test.cluster.RealServer;

import static dev.informer.test.support.Await.awaitExternal;

/**
 * Replicas on a real API server that divide config maps. To be used by one thread.
 */
final class RealReplicas implements AutoCloseable {

	private final RealServer server;

	private final String namespace;

	private final Shard.Key by;

	private final Consumer<InformerOptions.Builder> options;

	private final List<RealReplica> all = new ArrayList<>();

	private final List<RealReplica> members = new ArrayList<>();

	/**
	 * Create a group without replicas.
	 * @param server the server
	 * @param namespace the namespace of the Leases
	 * @param by the property of an object that its slot follows from
	 * @param options the options of the informers
	 */
	RealReplicas(RealServer server, String namespace, Shard.Key by, Consumer<InformerOptions.Builder> options) {
		this.server = server;
		this.namespace = namespace;
		this.by = by;
		this.options = options;
	}

	/**
	 * Return the replicas that have joined and not left.
	 */
	List<RealReplica> members() {
		return List.copyOf(this.members);
	}

	/**
	 * Let replicas join one another, and only then start their informers.
	 */
	void start(String... identities) throws IOException {
		for (String identity : identities) {
			add(identity).member().start();
		}
		awaitExternal()
			.until(() -> this.members.stream().allMatch((replica) -> replica.isSettled(this.members.size())));
		this.members.forEach((replica) -> replica.informer().start());
	}

	RealReplica join(String identity) throws IOException {
		RealReplica replica = add(identity);
		replica.start();
		return replica;
	}

	private RealReplica add(String identity) throws IOException {
		RealReplica replica = new RealReplica(this.server, this.namespace, identity, this.by, this.options);
		this.all.add(replica);
		this.members.add(replica);
		return replica;
	}

	void leave(RealReplica replica) throws InterruptedException {
		this.members.remove(replica);
		replica.leave();
	}

	/**
	 * Wait until every object is in exactly one cache, and verify the events.
	 * @param objects the resource versions of all objects by key
	 */
	void awaitDivided(Map<String, String> objects) {
		awaitExternal().until(() -> isDivided(objects));
		awaitExternal().untilAsserted(() -> this.members.forEach(RealReplica::verifyEvents));
	}

	/**
	 * Return whether every object is in exactly one cache, in that of the owner of its
	 * slot.
	 * @param objects the resource versions of all objects by key
	 */
	boolean isDivided(Map<String, String> objects) {
		Map<String, String> cached = new HashMap<>();
		int size = 0;
		int owned = 0;
		for (RealReplica replica : this.members) {
			Map<String, String> versions = replica.versions();
			cached.putAll(versions);
			size += versions.size();
			owned += replica.member().owned().size();
		}
		return size == objects.size() && cached.equals(objects) && owned == RealReplica.SLOTS
				&& this.members.stream().allMatch((replica) -> replica.isSettled(this.members.size()));
	}

	@Override
	public void close() {
		this.all.forEach(RealReplica::close);
	}

}
