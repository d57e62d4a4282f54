/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import dev.informer.lease.LeaseFailure;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
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

	private static final String STRIPPED = "sharding-stripped";

	private static final String UNWATCHED = "sharding-unwatched";

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

	@Test
	@RealKubernetes
	void labelOrAnnotationRemoved_isWrittenAgainAndSlotsDoNotMove(RealServer server) throws Exception {
		new CoreV1Api(RealConfigMaps.client(server)).createNamespace(TestObjects.namespace(STRIPPED)).execute();
		ShardMember a = member(server, STRIPPED, "a", Duration.ofSeconds(6));
		ShardMember b = member(server, STRIPPED, "b", Duration.ofSeconds(6));
		try {
			a.start();
			b.start();
			awaitExternal().until(() -> isDivided(List.of(a, b)));
			Set<Integer> owned = a.owned();
			for (int i = 0; i < 6; i++) {
				boolean label = i % 2 == 0;
				strip(server, (metadata) -> {
					if (label) {
						metadata.setLabels(null);
					}
					else {
						metadata.setAnnotations(null);
					}
				});
				awaitExternal().until(() -> leases(server, STRIPPED).size() == 2 && leases(server, STRIPPED).stream()
					.allMatch((lease) -> lease.getMetadata().getAnnotations() != null));
				assertThat(b.owned()).doesNotContainAnyElementsOf(a.owned());
			}
			assertThat(a.owned()).isEqualTo(owned);
			assertThat(isDivided(List.of(a, b))).isTrue();
		}
		finally {
			a.stop(Duration.ZERO);
			b.stop(Duration.ZERO);
		}
	}

	@Test
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void memberWithoutTheRightToWatch_takesSlotsOverAndReportsIt(RealServer server) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		new CoreV1Api(admin).createNamespace(TestObjects.namespace(UNWATCHED)).execute();
		RbacAuthorizationV1Api rbac = new RbacAuthorizationV1Api(admin);
		V1Role role = role("get", "list", "create", "update", "delete");
		rbac.createNamespacedRole(UNWATCHED, role).execute();
		rbac.createNamespacedRoleBinding(UNWATCHED, binding()).execute();
		ShardMember a = member(server, UNWATCHED, "a", Duration.ofSeconds(6));
		ApiClient restricted = ClientBuilder
			.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.requireControlPlane().kubeconfig("tester"))))
			.build();
		ShardMember b = member(restricted, UNWATCHED, "b", Duration.ofSeconds(6));
		try {
			a.start();
			b.start();
			awaitExternal().until(() -> isDivided(List.of(a, b)));
			awaitExternal().until(() -> b.failure().isPresent());
			LeaseFailure failure = b.failure().orElseThrow();
			assertThat(failure.forbidden()).isTrue();
			assertThat(failure.message()).contains("Cannot watch leases.coordination.k8s.io", "Grant the verb watch");
			// keeps its Lease, because work is running
			assertThat(a.begin(a.owned().iterator().next())).isTrue();
			a.stop(Duration.ZERO);
			awaitExternal().until(() -> b.owned().size() == 64);
			assertThat(b.failure()).map(LeaseFailure::since).hasValue(failure.since());
			rbac.replaceNamespacedRole("leases", UNWATCHED, role("get", "list", "watch", "create", "update", "delete"))
				.execute();
			awaitExternal().until(() -> b.failure().isEmpty());
			assertThat(b.owned()).hasSize(64);
		}
		finally {
			a.stop(Duration.ZERO);
			b.stop(Duration.ZERO);
		}
	}

	private static V1Role role(String... verbs) {
		return new V1Role().metadata(new V1ObjectMeta().name("leases"))
			.addRulesItem(new V1PolicyRule().addApiGroupsItem("coordination.k8s.io")
				.addResourcesItem("leases")
				.verbs(List.of(verbs)));
	}

	private static V1RoleBinding binding() {
		return new V1RoleBinding().metadata(new V1ObjectMeta().name("leases"))
			.roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("Role").name("leases"))
			.addSubjectsItem(new RbacV1Subject().kind("User").name("tester"));
	}

	/**
	 * Change the metadata of the Lease of the member {@code a}, between two renewals.
	 */
	private static void strip(RealServer server, Consumer<V1ObjectMeta> change) throws IOException, ApiException {
		CoordinationV1Api api = new CoordinationV1Api(RealConfigMaps.client(server));
		while (true) {
			V1Lease lease = api.listNamespacedLease(STRIPPED)
				.execute()
				.getItems()
				.stream()
				.filter((each) -> "a".equals(holder(each)))
				.findFirst()
				.orElseThrow();
			V1ObjectMeta metadata = Objects.requireNonNull(lease.getMetadata());
			change.accept(metadata);
			try {
				api.replaceNamespacedLease(Objects.requireNonNull(metadata.getName()), STRIPPED, lease).execute();
				return;
			}
			catch (ApiException ex) {
				// a renewal came in between
				assertThat(ex.getCode()).isEqualTo(409);
			}
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
		return member(RealConfigMaps.client(server), namespace, identity, leaseDuration);
	}

	private static ShardMember member(ApiClient client, String namespace, String identity, Duration leaseDuration) {
		return new ShardMember(
				new ShardingOptions("shop", namespace, identity, 64, SlotKey.OBJECT, leaseDuration,
						leaseDuration.multipliedBy(2).dividedBy(3), leaseDuration.dividedBy(7)),
				() -> client, Thread::new);
	}

}
