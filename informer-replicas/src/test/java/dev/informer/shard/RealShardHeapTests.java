/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.InformerFactory;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.replicas.Shard;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the heap of informers of a {@link Shard} on a real API server that sends all
 * objects: the live objects after garbage collections, with and without the informer.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealShardHeapTests {

	private static final int OBJECTS = 500;

	private static final int SIZE = 32_000;

	private static final int COLLECTIONS = 3;

	@Test
	@RealKubernetes
	void heap_isTheShareOfTheReplica_whenTheServerSendsAll(RealServer server, TestReporter reporter) throws Exception {
		new RealShardObjects(server, SIZE, "heap").create(0, OBJECTS);
		List<ShardMember> members = new ArrayList<>();
		try {
			for (String identity : List.of("a", "b", "c")) {
				ShardMember member = RealReplica.member(server, "heap", identity);
				members.add(member);
				member.start();
			}
			awaitExternal().until(() -> members.stream().mapToInt((member) -> member.owned().size()).sum() == 64
					&& members.stream().allMatch((member) -> member.members().size() == 3));
			// without what is allocated once, such as buffers of connections
			measure(server, null);
			Retained all = measure(server, null);
			assertThat(all.objects()).isEqualTo(OBJECTS);
			assertThat(all.bytes()).isGreaterThan((long) OBJECTS * SIZE);
			List<Share> shares = new ArrayList<>();
			for (ShardMember member : members) {
				Retained some = measure(server, new Shard(member, Shard.Key.UID));
				shares.add(new Share((double) some.objects() / OBJECTS, (double) some.bytes() / all.bytes()));
			}
			reporter.publishEntry("heap", all + " " + shares);
			assertThat(shares).allSatisfy(
					(share) -> assertThat(share.ofBytes()).isBetween(share.ofObjects() - 0.1, share.ofObjects() + 0.1));
		}
		finally {
			for (ShardMember member : members) {
				member.stop(Duration.ofSeconds(10));
			}
		}
	}

	private static Retained measure(RealServer server, @Nullable Shard shard) throws Exception {
		List<WeakReference<V1ConfigMap>> objects = new ArrayList<>();
		long before = live();
		long with = liveWith(server, shard, objects);
		// a thread that is about to end may still refer to them
		await().until(() -> {
			System.gc();
			return objects.stream().allMatch((object) -> object.refersTo(null));
		});
		// what was live before may have been released meanwhile
		return new Retained(objects.size(), with - Math.min(before, live()));
	}

	private static long liveWith(RealServer server, @Nullable Shard shard, List<WeakReference<V1ConfigMap>> objects)
			throws Exception {
		try (InformerFactory informers = InformerFactory.create(RealConfigMaps.client(server))) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces("heap").watchedSet(shard));
			informer.start();
			assertThat(informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
			awaitExternal().until(() -> informer.state().phase() == Phase.WATCHING);
			informer.lister().list().forEach((object) -> objects.add(new WeakReference<>(object)));
			return live();
		}
	}

	private static long live() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

	/**
	 * What an informer retains.
	 *
	 * @param objects the number of objects in its cache
	 * @param bytes the heap
	 */
	private record Retained(int objects, long bytes) {

	}

	/**
	 * What the informer of a replica retains, as a part of what one of all objects does.
	 *
	 * @param ofObjects the part of the objects
	 * @param ofBytes the part of the heap
	 */
	private record Share(double ofObjects, double ofBytes) {

	}

}
