/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

import dev.informer.InformerFactory;
import dev.informer.ResourceType;
import dev.informer.Shard;
import dev.informer.SharedIndexInformer;
import dev.informer.conformance.Conformance;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
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

	@Conformance("objects of a shard: listed and watched by the server, moved by slot")
	@Test
	@RealKubernetes(apiServerFlags = "feature-gates=ShardedListAndWatch=true")
	void replicas_receiveOnlyTheirObjects(RealServer server) throws Exception {
		createObjects(server, "gate-on");
		long all = receivedWithoutShard(server, "gate-on");
		List<Replica> replicas = start(server, "gate-on");
		try {
			awaitExternal().until(() -> areDivided(replicas));
			for (Replica replica : replicas) {
				double ofObjects = (double) replica.keys().size() / OBJECTS;
				double ofBytes = (double) replica.received() / all;
				assertThat(ofBytes).isBetween(ofObjects - 0.02, ofObjects + 0.02);
				assertThat(replica.member.owned().size() / 64.0).isLessThanOrEqualTo(1.0 / 3 + 0.05);
			}
			followMoves(server, "gate-on", replicas);
		}
		finally {
			replicas.forEach(Replica::close);
		}
	}

	@Conformance("objects of a shard: filtered by the client if the server does not")
	@Test
	@RealKubernetes
	void replicas_keepOnlyTheirObjects_whenTheServerSendsAll(RealServer server) throws Exception {
		createObjects(server, "gate-off");
		List<Replica> replicas = start(server, "gate-off");
		try {
			awaitExternal().until(() -> areDivided(replicas));
			followMoves(server, "gate-off", replicas);
		}
		finally {
			replicas.forEach(Replica::close);
		}
	}

	private static void followMoves(RealServer server, String namespace, List<Replica> replicas) throws Exception {
		// the slots of a replica have a bound, the objects of a slot have none
		assertThat(replicas)
			.allSatisfy((replica) -> assertThat(replica.keys().size()).isBetween(OBJECTS / 5, OBJECTS / 2));
		RealConfigMaps maps = new RealConfigMaps(server, namespace + "-others");
		maps.create("other");
		CoreV1Api core = new CoreV1Api(RealConfigMaps.client(server));
		replicas.get(0).leave();
		for (int i = 0; i < 60; i++) {
			core.replaceNamespacedConfigMap("map-" + i, namespace, object(namespace, i)).execute();
		}
		List<Replica> left = replicas.subList(1, 3);
		awaitExternal().until(() -> areDivided(left));
		for (int i = 60; i < 90; i++) {
			core.deleteNamespacedConfigMap("map-" + i, namespace).execute();
		}
		awaitExternal().until(() -> left.stream().mapToInt((replica) -> replica.keys().size()).sum() == OBJECTS - 30);
		for (Replica replica : left) {
			awaitExternal().until(() -> replica.log.replay().keySet().equals(replica.keys()));
			assertThat(replica.log.problems()).isEmpty();
		}
	}

	private static boolean areDivided(Collection<Replica> replicas) {
		Set<String> keys = new HashSet<>();
		replicas.forEach((replica) -> keys.addAll(replica.keys()));
		return keys.size() == OBJECTS && replicas.stream().mapToInt((replica) -> replica.keys().size()).sum() == OBJECTS
				&& replicas.stream().allMatch((replica) -> replica.member.members().size() == replicas.size());
	}

	private static void createObjects(RealServer server, String namespace) throws IOException, ApiException {
		CoreV1Api core = new CoreV1Api(RealConfigMaps.client(server));
		core.createNamespace(TestObjects.namespace(namespace)).execute();
		for (int i = 0; i < OBJECTS; i++) {
			core.createNamespacedConfigMap(namespace, object(namespace, i)).execute();
		}
	}

	private static V1ConfigMap object(String namespace, int number) {
		// text that TLS and HTTP do not shorten
		String text = new Random(number).ints(SIZE, 'a', 'z')
			.mapToObj((letter) -> String.valueOf((char) letter))
			.collect(Collectors.joining());
		return TestObjects.configMap(namespace, "map-" + number).data(Map.of("text", text));
	}

	private static long receivedWithoutShard(RealServer server, String namespace) throws Exception {
		try (TcpProxy proxy = new TcpProxy(server.url());
				InformerFactory informers = InformerFactory.create(client(server, proxy))) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(ResourceType.of(V1ConfigMap.class),
					(options) -> options.namespaces(namespace));
			informer.start();
			assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
			return proxy.received();
		}
	}

	private static ApiClient client(RealServer server, TcpProxy proxy) {
		try {
			return RealConfigMaps.client(server).setBasePath(proxy.url());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<Replica> start(RealServer server, String namespace) throws Exception {
		List<Replica> replicas = new ArrayList<>();
		for (String identity : List.of("a", "b", "c")) {
			Replica replica = new Replica(server, namespace, identity);
			replicas.add(replica);
			replica.member.start();
		}
		awaitExternal().until(() -> replicas.stream().allMatch((replica) -> replica.member.members().size() == 3));
		replicas.forEach((replica) -> replica.informer.start());
		return replicas;
	}

	/**
	 * Replica with its own connection.
	 */
	private static final class Replica {

		private final EventLog<V1ConfigMap> log = new EventLog<V1ConfigMap>().withReturns();

		private final TcpProxy proxy;

		private final ShardMember member;

		private final InformerFactory informers;

		private final SharedIndexInformer<V1ConfigMap> informer;

		Replica(RealServer server, String namespace, String identity) throws IOException {
			this.proxy = new TcpProxy(server.url());
			ApiClient direct = RealConfigMaps.client(server);
			this.member = new ShardMember(new ShardingOptions("shop", namespace, identity, 64, SlotKey.OBJECT,
					Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)), () -> direct, Thread::new);
			this.informers = InformerFactory.create(client(server, this.proxy));
			this.informer = this.informers.informer(ResourceType.of(V1ConfigMap.class),
					(options) -> options.namespaces(namespace).shard(new Shard(this.member, Shard.Key.UID)));
			this.informer.addHandler(this.log);
		}

		Set<String> keys() {
			return this.informer.hasSynced() ? this.informer.lister()
				.list()
				.stream()
				.map((map) -> map.getMetadata().getNamespace() + "/" + map.getMetadata().getName())
				.collect(Collectors.toSet()) : Set.of();
		}

		long received() {
			return this.proxy.received();
		}

		void leave() throws InterruptedException {
			this.informers.close();
			this.member.stop(Duration.ofSeconds(10));
		}

		void close() {
			try {
				leave();
				this.proxy.close();
			}
			catch (IOException | InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
