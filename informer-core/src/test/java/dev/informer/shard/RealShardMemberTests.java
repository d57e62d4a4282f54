/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.informer.conformance.Conformance;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShardMember} on a real API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class RealShardMemberTests {

	private static final String NAMESPACE = "sharding";

	@Conformance("slots of a group are divided by Leases; a slot moves after its work has ended")
	@Test
	@RealKubernetes
	void members_divideSlotsAndReplaceEachOther(RealServer server) throws Exception {
		new CoreV1Api(RealConfigMaps.client(server)).createNamespace(TestObjects.namespace(NAMESPACE)).execute();
		List<ShardMember> members = List.of(member(server, "a"), member(server, "b"), member(server, "c"));
		try {
			members.forEach(ShardMember::start);
			awaitExternal().until(() -> isDivided(members));
			members.get(0).stop(Duration.ofSeconds(10));
			awaitExternal().until(() -> isDivided(members.subList(1, 3)));
			// the Lease of the member that has left is deleted
			awaitExternal().until(() -> leases(server).size() == 2);
			members.get(0).start();
			awaitExternal().until(() -> isDivided(members));
			assertThat(members).allSatisfy((member) -> assertThat(member.failure()).isEmpty());
		}
		finally {
			for (ShardMember member : members) {
				member.stop(Duration.ZERO);
			}
		}
	}

	private static boolean isDivided(List<ShardMember> members) {
		Set<Integer> all = new HashSet<>();
		int sum = 0;
		for (ShardMember member : members) {
			Set<Integer> owned = member.owned();
			if (owned.isEmpty() || member.members().size() != members.size()) {
				return false;
			}
			sum += owned.size();
			all.addAll(owned);
		}
		return sum == 64 && all.size() == 64;
	}

	private static List<V1Lease> leases(RealServer server) throws IOException, ApiException {
		return new CoordinationV1Api(RealConfigMaps.client(server)).listNamespacedLease(NAMESPACE)
			.labelSelector("informer.dev/shard-group=shop")
			.execute()
			.getItems();
	}

	private static ShardMember member(RealServer server, String identity) throws IOException {
		ApiClient client = RealConfigMaps.client(server);
		return new ShardMember(new ShardingOptions("shop", NAMESPACE, identity, 64, SlotKey.OBJECT,
				Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)), () -> client, Thread::new);
	}

}
