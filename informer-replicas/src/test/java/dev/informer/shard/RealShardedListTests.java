/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.List;

import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.replicas.Shard;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the lists of informers of a {@link Shard} on a real API server. With the
 * feature gate {@code ShardedListAndWatch}, it applies the selector.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
@RealKubernetes(value = RequiredServer.CONTROL_PLANE, apiServerFlags = "feature-gates=ShardedListAndWatch=true")
class RealShardedListTests {

	private static final int OBJECTS = 200;

	private static final int SIZE = 4000;

	@Test
	void streamingList_containsOnlyTheObjectsOfTheReplica(RealServer server) throws Exception {
		RealShardObjects objects = createObjects(server, "stream-gate-on");
		long all = receivedWithoutShard(server, "stream-gate-on");
		try (RealReplicas replicas = replicas(server, "stream-gate-on", true)) {
			replicas.start("a", "b", "c");
			replicas.awaitDivided(objects.versions());
			for (RealReplica replica : replicas.members()) {
				double ofObjects = (double) replica.versions().size() / OBJECTS;
				assertThat((double) replica.received() / all).isBetween(ofObjects - 0.05, ofObjects + 0.05);
			}
			followMoves(objects, replicas);
		}
	}

	@Test
	@RealKubernetes
	void streamingList_isFiltered_whenTheServerSendsAll(RealServer server) throws Exception {
		RealShardObjects objects = createObjects(server, "stream-gate-off");
		try (RealReplicas replicas = replicas(server, "stream-gate-off", true)) {
			replicas.start("a", "b", "c");
			replicas.awaitDivided(objects.versions());
			followMoves(objects, replicas);
		}
	}

	@Test
	void versionOfTheWatchCompacted_slotsMove(RealServer server) throws Exception {
		RealShardObjects objects = createObjects(server, "compacted");
		try (RealReplicas replicas = replicas(server, "compacted", false)) {
			replicas.start("a", "b", "c");
			replicas.awaitDivided(objects.versions());
			for (String next : List.of("d", "e")) {
				RealReplica leaving = replicas.members().get(0);
				List<RealReplica> left = replicas.members().subList(1, 3);
				List<Integer> before = left.stream().map((replica) -> replica.recorder().relists().size()).toList();
				// the watches of the others do not reach the versions of these changes
				objects.change(leaving.versions().keySet());
				server.requireControlPlane().compactHistory();
				replicas.leave(leaving);
				replicas.awaitDivided(objects.versions());
				for (int i = 0; i < left.size(); i++) {
					List<RelistReason> relists = left.get(i).recorder().relists();
					assertThat(relists.subList(before.get(i), relists.size())).containsOnly(RelistReason.WATCHED_SET);
				}
				objects.change(0, 20);
				replicas.join(next);
				replicas.awaitDivided(objects.versions());
			}
		}
	}

	private static void followMoves(RealShardObjects objects, RealReplicas replicas) throws Exception {
		assertThat(replicas.members())
			.allSatisfy((replica) -> assertThat(replica.recorder().lists()).containsExactly(ListMode.STREAM));
		replicas.leave(replicas.members().get(0));
		objects.change(0, 20);
		replicas.awaitDivided(objects.versions());
		for (RealReplica replica : replicas.members()) {
			assertThat(replica.recorder().lists()).hasSizeGreaterThan(1).containsOnly(ListMode.STREAM);
		}
		replicas.join("d");
		objects.delete(20, 40);
		replicas.awaitDivided(objects.versions());
		assertThat(replicas.members()).allSatisfy((replica) -> assertThat(replica.recorder().failures()).isEmpty());
	}

	private static RealShardObjects createObjects(RealServer server, String namespace) throws Exception {
		RealShardObjects objects = new RealShardObjects(server, SIZE, namespace);
		objects.create(0, OBJECTS);
		return objects;
	}

	private static RealReplicas replicas(RealServer server, String namespace, boolean streaming) {
		return new RealReplicas(server, namespace, Shard.Key.UID,
				(options) -> options.namespaces(namespace).streamingList(streaming).pageSize(25));
	}

	private static long receivedWithoutShard(RealServer server, String namespace) throws Exception {
		try (TcpProxy proxy = new TcpProxy(server.url());
				InformerFactory informers = InformerFactory
					.create(RealConfigMaps.client(server).setBasePath(proxy.url()))) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces(namespace).streamingList(true));
			informer.start();
			assertThat(informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
			return proxy.received();
		}
	}

}
