/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.replicas.Shard;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers of a {@link Shard} on a real API server that sends each replica its
 * objects only.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealShardedInformerTests extends RealShardScenario {

	@Test
	@RealKubernetes(apiServerFlags = "feature-gates=ShardedListAndWatch=true")
	void replicas_receiveOnlyTheirObjects(RealServer server) throws Exception {
		RealShardObjects objects = createObjects(server, "gate-on");
		long all = receivedWithoutShard(server, "gate-on");
		try (RealReplicas replicas = start(server, "gate-on", objects)) {
			for (RealReplica replica : replicas.members()) {
				double ofObjects = (double) replica.versions().size() / OBJECTS;
				double ofBytes = (double) replica.received() / all;
				assertThat(ofBytes).isBetween(ofObjects - 0.02, ofObjects + 0.02);
			}
			followMoves(server, "gate-on", objects, replicas);
		}
	}

	private static long receivedWithoutShard(RealServer server, String namespace) throws Exception {
		try (TcpProxy proxy = new TcpProxy(server.url());
				InformerFactory informers = InformerFactory
					.create(RealConfigMaps.client(server).setBasePath(proxy.url()))) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(ResourceType.of(V1ConfigMap.class),
					(options) -> options.namespaces(namespace));
			informer.start();
			assertThat(informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
			return proxy.received();
		}
	}

}
