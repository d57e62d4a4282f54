/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerState.Phase;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for informers behind an address that leads to two real API servers on one etcd,
 * one of which receives nothing from etcd for a while.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class LaggingServerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String NAMESPACE = "lagging";

	private final List<RelistReason> relists = new CopyOnWriteArrayList<>();

	private final EventLog<V1ConfigMap> log = new EventLog<>();

	@Test
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void informerOnLaggingServer_waitsAndNeverGoesBack(RealServer server) throws Exception {
		ControlPlane first = server.requireControlPlane();
		RealConfigMaps maps = new RealConfigMaps(server, NAMESPACE);
		maps.create("a");
		maps.create("b");
		try (TcpProxy etcd = new TcpProxy(first.etcdUrl());
				ControlPlane second = ControlPlane.fromEnvironment()
					.apiServerFlag("etcd-servers", etcd.url())
					.user("both", first.adminToken(), "system:masters")
					.start();
				TcpProxy address = new TcpProxy(first.url());
				InformerFactory informers = factory(server, address)) {
			SharedIndexInformer<V1ConfigMap> informer = follow(informers);
			CoreV1Api lagging = new CoreV1Api(client(server, second.url()));
			awaitExternal().untilAsserted(() -> assertThat(list(lagging, "0")).hasSize(2));
			etcd.hold();
			maps.create("c");
			maps.change("a", "changed");
			maps.delete("b");
			maps.awaitAgreement(this.log);
			String version = informer.lastSyncResourceVersion();
			assertThat(list(lagging, "0")).as("what the other server has")
				.extracting(LaggingServerTests::name)
				.containsExactlyInAnyOrder("a", "b");
			assertThatExceptionOfType(ApiException.class).isThrownBy(() -> list(lagging, version))
				.satisfies((failure) -> assertThat(failure.getResponseBody()).contains("Too large resource version"));
			int accepted = address.accepted();
			address.target(second.url());
			address.cut();
			// it does not have the last change, so it is not known to be the same server
			awaitExternal().until(() -> address.accepted() > accepted && informer.state().phase() == Phase.CONNECTING);
			assertThat(informer.awaitAtLeast(version, Duration.ZERO)).isFalse();
			maps.create("d");
			informer.relist();
			awaitExternal().until(() -> informer.state().phase() == Phase.LISTING);
			assertThat(this.log.story()).endsWith("DELETED lagging/b");
			etcd.release();
			maps.awaitAgreement(this.log);
			assertThat(this.log.story()).endsWith("DELETED lagging/b", "ADDED lagging/d");
			assertThat(this.relists).containsExactly(RelistReason.REQUESTED);
		}
	}

	private static List<V1ConfigMap> list(CoreV1Api core, String version) throws ApiException {
		return core.listNamespacedConfigMap(NAMESPACE).resourceVersion(version).execute().getItems();
	}

	private static @Nullable String name(V1ConfigMap map) {
		return map.getMetadata().getName();
	}

	private static ApiClient client(RealServer server, URI url) throws IOException {
		return RealConfigMaps.client(server).setVerifyingSsl(false).setBasePath(url.toString());
	}

	private SharedIndexInformer<V1ConfigMap> follow(InformerFactory informers) throws InterruptedException {
		SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
				(options) -> options.namespaces(NAMESPACE));
		informer.addHandler(this.log);
		informers.start();
		assertThat(informers.awaitSynced(LONG)).isTrue();
		awaitExternal().until(() -> informer.state().phase() == Phase.WATCHING);
		return informer;
	}

	private InformerFactory factory(RealServer server, TcpProxy address) throws IOException {
		ApiClient client = client(server, URI.create(address.url()));
		return InformerFactory.create(() -> client, (settings) -> settings.addListener((event) -> {
			if (event instanceof InformerEvent.Relisting relisting) {
				LaggingServerTests.this.relists.add(relisting.reason());
			}
		}));
	}

}
