/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import dev.informer.replicas.Shard;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.RealConfigMaps;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What tests of informers of a {@link Shard} on a real API server have in common: three
 * replicas divide 600 config maps of 8 KB.
 */
abstract class RealShardScenario {

	static final int OBJECTS = 600;

	private static final int SIZE = 8000;

	static void followMoves(RealServer server, String namespace, RealShardObjects objects, RealReplicas replicas)
			throws Exception {
		// the slots of a replica have a bound, the objects of a slot have none
		assertThat(replicas.members())
			.allSatisfy((replica) -> assertThat(replica.versions().size()).isBetween(OBJECTS / 5, OBJECTS / 2));
		RealConfigMaps maps = new RealConfigMaps(server, namespace + "-others");
		maps.create("other");
		replicas.leave(replicas.members().get(0));
		objects.change(0, 60);
		replicas.awaitDivided(objects.versions());
		objects.delete(60, 90);
		replicas.awaitDivided(objects.versions());
	}

	static RealShardObjects createObjects(RealServer server, String namespace) throws Exception {
		RealShardObjects objects = new RealShardObjects(server, SIZE, namespace);
		objects.create(0, OBJECTS);
		return objects;
	}

	static RealReplicas start(RealServer server, String namespace, RealShardObjects objects) throws Exception {
		RealReplicas replicas = new RealReplicas(server, namespace, Shard.Key.UID,
				(options) -> options.namespaces(namespace));
		replicas.start("a", "b", "c");
		replicas.awaitDivided(objects.versions());
		return replicas;
	}

}
