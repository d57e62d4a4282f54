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
 * Tests for informers of a {@link Shard} on a real API server: three replicas divide 600
 * config maps of 8 KB.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealShardedInformerTests {

	private static final int OBJECTS = 600;

	private static final int SIZE = 8000;

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

	@Test
	@RealKubernetes
	void replicas_keepOnlyTheirObjects_whenTheServerSendsAll(RealServer server) throws Exception {
		RealShardObjects objects = createObjects(server, "gate-off");
		try (RealReplicas replicas = start(server, "gate-off", objects)) {
			followMoves(server, "gate-off", objects, replicas);
		}
	}

	private static void followMoves(RealServer server, String namespace, RealShardObjects objects,
			RealReplicas replicas) throws Exception {
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

	private static RealShardObjects createObjects(RealServer server, String namespace) throws Exception {
		RealShardObjects objects = new RealShardObjects(server, SIZE, namespace);
		objects.create(0, OBJECTS);
		return objects;
	}

	private static RealReplicas start(RealServer server, String namespace, RealShardObjects objects) throws Exception {
		RealReplicas replicas = new RealReplicas(server, namespace, Shard.Key.UID,
				(options) -> options.namespaces(namespace));
		replicas.start("a", "b", "c");
		replicas.awaitDivided(objects.versions());
		return replicas;
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
