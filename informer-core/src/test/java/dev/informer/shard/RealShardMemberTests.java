/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
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

	private static final String EXPIRED = "sharding-expired";

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
			awaitExternal().until(() -> leases(server, NAMESPACE).size() == 2);
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

	@Conformance("the slots of a member that is gone are taken over after its lease duration")
	@Test
	@RealKubernetes
	void expiredLease_isReleasedByAnotherMemberAndDeletedLater(RealServer server) throws Exception {
		new CoreV1Api(RealConfigMaps.client(server)).createNamespace(TestObjects.namespace(EXPIRED)).execute();
		ShardMember gone = member(server, EXPIRED, "gone", Duration.ofSeconds(3));
		ShardMember left = member(server, EXPIRED, "left", Duration.ofSeconds(3));
		try {
			gone.start();
			left.start();
			awaitExternal().until(() -> isDivided(List.of(gone, left)));
			// keeps its Lease, because work is running
			assertThat(gone.begin(gone.owned().iterator().next())).isTrue();
			gone.stop(Duration.ZERO);
			awaitExternal().until(() -> left.owned().size() == 64);
			awaitExternal().until(() -> leases(server, EXPIRED).stream().anyMatch((lease) -> "".equals(holder(lease))));
			awaitExternal().until(() -> leases(server, EXPIRED).size() == 1);
			assertThat(left.owned()).hasSize(64);
		}
		finally {
			left.stop(Duration.ZERO);
		}
	}

	private static String holder(V1Lease lease) {
		return Objects.requireNonNullElse(Objects.requireNonNull(lease.getSpec()).getHolderIdentity(), "");
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

	private static List<V1Lease> leases(RealServer server, String namespace) throws IOException, ApiException {
		return new CoordinationV1Api(RealConfigMaps.client(server)).listNamespacedLease(namespace)
			.labelSelector("informer.dev/shard-group=shop")
			.execute()
			.getItems();
	}

	private static ShardMember member(RealServer server, String identity) throws IOException {
		return member(server, NAMESPACE, identity, Duration.ofSeconds(15));
	}

	private static ShardMember member(RealServer server, String namespace, String identity, Duration leaseDuration)
			throws IOException {
		ApiClient client = RealConfigMaps.client(server);
		return new ShardMember(
				new ShardingOptions("shop", namespace, identity, 64, SlotKey.OBJECT, leaseDuration,
						leaseDuration.multipliedBy(2).dividedBy(3), leaseDuration.dividedBy(7)),
				() -> client, Thread::new);
	}

}
