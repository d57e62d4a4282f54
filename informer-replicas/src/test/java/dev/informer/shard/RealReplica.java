/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.informer.InformerFactory;
import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.replicas.Shard;
import dev.informer.replicas.SlotSelector;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.RealConfigMaps;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replica of an application on a real API server: a member of a group, and an informer of
 * its config maps with its own connection.
 */
final class RealReplica {

	static final int SLOTS = 64;

	private final Shard.Key by;

	private final EventLog<V1ConfigMap> log = new EventLog<V1ConfigMap>().withReturns();

	private final InformerRecorder recorder = new InformerRecorder();

	private final TcpProxy proxy;

	private final ShardMember member;

	private final InformerFactory informers;

	private final SharedIndexInformer<V1ConfigMap> informer;

	RealReplica(RealServer server, String namespace, String identity, Shard.Key by,
			Consumer<InformerOptions.Builder> options) throws IOException {
		this.by = by;
		this.proxy = new TcpProxy(server.url());
		this.member = member(server, namespace, identity);
		ApiClient client = RealConfigMaps.client(server).setBasePath(this.proxy.url());
		this.informers = InformerFactory.create(() -> client, (settings) -> settings.addListener(this.recorder));
		this.informer = this.informers.informer(ResourceType.of(V1ConfigMap.class), (builder) -> {
			options.accept(builder);
			builder.watchedSet(new Shard(this.member, by));
		});
		this.informer.addHandler(this.log);
	}

	/**
	 * Create a member of the group {@code shop} with Leases in a namespace.
	 */
	static ShardMember member(RealServer server, String namespace, String identity) throws IOException {
		ApiClient client = RealConfigMaps.client(server);
		return new ShardMember(new ShardingOptions("shop", namespace, identity, SLOTS, SlotKey.OBJECT,
				Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)), () -> client, Thread::new);
	}

	ShardMember member() {
		return this.member;
	}

	SharedIndexInformer<V1ConfigMap> informer() {
		return this.informer;
	}

	InformerRecorder recorder() {
		return this.recorder;
	}

	EventLog<V1ConfigMap> log() {
		return this.log;
	}

	/**
	 * Return the resource versions of the cached objects by key; none before the sync.
	 */
	Map<String, String> versions() {
		return cached().stream()
			.collect(Collectors.toMap(ObjectKey::of, (map) -> map.getMetadata().getResourceVersion()));
	}

	private List<V1ConfigMap> cached() {
		return this.informer.hasSynced() ? this.informer.lister().list() : List.of();
	}

	/**
	 * Return whether this replica owns what it is assigned, at most 1/n and 5 % of the
	 * slots, and caches objects of no other slot.
	 * @param members the number of members
	 */
	boolean isSettled(int members) {
		Set<Integer> owned = this.member.owned();
		return this.member.members().size() == members && !owned.isEmpty() && owned.equals(this.member.assigned())
				&& owned.size() <= (1.0 / members + 0.05) * SLOTS && cached().stream()
					.allMatch((map) -> owned.contains(SlotSelector.slotOf(this.by, SLOTS, ObjectState.of(map))));
	}

	/**
	 * Assert that the delivered events result in the cache.
	 */
	void verifyEvents() {
		assertThat(this.log.replay()).isEqualTo(versions());
		assertThat(this.log.problems()).isEmpty();
	}

	/**
	 * Return the number of bytes that the server has sent to the informer.
	 */
	long received() {
		return this.proxy.received();
	}

	void start() {
		this.member.start();
		this.informer.start();
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
