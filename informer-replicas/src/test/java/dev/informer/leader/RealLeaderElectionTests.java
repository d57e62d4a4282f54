/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.io.IOException;
import java.time.Duration;
import java.time.OffsetDateTime;

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
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaderElector} on a real API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class RealLeaderElectionTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	@Test
	@RealKubernetes
	void leadership_isAcquiredRenewedAndReleased(RealServer server) throws Exception {
		createNamespace(server, "leader-released");
		LeaderElector a = elector(server, "leader-released", "a");
		LeaderElector b = elector(server, "leader-released", "b");
		try {
			a.start();
			awaitExternal().until(a::isLeader);
			V1LeaseSpec acquired = lease(server, "leader-released").getSpec();
			assertThat(acquired.getHolderIdentity()).isEqualTo("a");
			assertThat(acquired.getLeaseDurationSeconds()).isEqualTo(15);
			assertThat(acquired.getLeaseTransitions()).isZero();
			OffsetDateTime renewed = acquired.getRenewTime();
			assertThat(renewed).isNotNull();
			awaitExternal().until(() -> lease(server, "leader-released").getSpec().getRenewTime().isAfter(renewed));
			b.start();
			assertThat(b.awaitAnswer(LONG)).isTrue();
			assertThat(b.isLeader()).isFalse();
			assertThat(b.leader()).contains("a");
			a.stop(LONG);
			awaitExternal().until(b::isLeader);
			assertThat(b.fencingToken()).hasValue(1);
			assertThat(lease(server, "leader-released").getSpec().getHolderIdentity()).isEqualTo("b");
			assertThat(b.failure()).isEmpty();
		}
		finally {
			a.stop(Duration.ZERO);
			b.stop(Duration.ZERO);
		}
	}

	/**
	 * A write between the read and the write of an elector is a conflict (409) of
	 * resource versions, which an elector repeats from the current state.
	 */
	@Test
	@RealKubernetes
	void leaseThatIsChangedByOthers_isRenewedWithTheirChange(RealServer server) throws Exception {
		createNamespace(server, "leader-conflict");
		LeaderElector a = elector(server, "leader-conflict", "a");
		try {
			a.start();
			awaitExternal().until(a::isLeader);
			V1Lease annotated = lease(server, "leader-conflict");
			annotated.getMetadata().putAnnotationsItem("team", "payments");
			OffsetDateTime renewed = annotate(server, annotated).getSpec().getRenewTime();
			awaitExternal().until(() -> lease(server, "leader-conflict").getSpec().getRenewTime().isAfter(renewed));
			assertThat(lease(server, "leader-conflict").getMetadata().getAnnotations()).containsEntry("team",
					"payments");
			assertThat(a.isLeader()).isTrue();
			assertThat(a.fencingToken()).hasValue(0);
		}
		finally {
			a.stop(Duration.ZERO);
		}
	}

	private static V1Lease annotate(RealServer server, V1Lease annotated) throws IOException, ApiException {
		CoordinationV1Api leases = new CoordinationV1Api(RealConfigMaps.client(server));
		V1Lease current = annotated;
		while (true) {
			try {
				return leases.replaceNamespacedLease("app", "leader-conflict", current).execute();
			}
			catch (ApiException ex) {
				// a renewal came in between
				assertThat(ex.getCode()).isEqualTo(409);
				current = lease(server, "leader-conflict");
				current.getMetadata().putAnnotationsItem("team", "payments");
			}
		}
	}

	private static void createNamespace(RealServer server, String namespace) throws IOException, ApiException {
		new CoreV1Api(RealConfigMaps.client(server)).createNamespace(TestObjects.namespace(namespace)).execute();
	}

	private static V1Lease lease(RealServer server, String namespace) throws IOException, ApiException {
		return new CoordinationV1Api(RealConfigMaps.client(server)).readNamespacedLease("app", namespace).execute();
	}

	private static LeaderElector elector(RealServer server, String namespace, String identity) throws IOException {
		ApiClient client = RealConfigMaps.client(server);
		return new LeaderElector(new LeaderElectionOptions("default", "app", namespace, identity,
				Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2)), () -> client, Thread::new);
	}

}
