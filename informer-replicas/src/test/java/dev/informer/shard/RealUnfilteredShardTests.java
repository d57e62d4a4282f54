/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import dev.informer.replicas.Shard;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.NoThreadLeft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests for informers of a {@link Shard} on a real API server that sends each replica all
 * objects.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealUnfilteredShardTests extends RealShardScenario {

	@Test
	@RealKubernetes
	void replicas_keepOnlyTheirObjects_whenTheServerSendsAll(RealServer server) throws Exception {
		RealShardObjects objects = createObjects(server, "gate-off");
		try (RealReplicas replicas = start(server, "gate-off", objects)) {
			followMoves(server, "gate-off", objects, replicas);
		}
	}

}
