/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.net.URI;
import java.util.List;
import java.util.Map;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import okhttp3.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a real API server whose etcd is restored from a backup.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealRollbackTests extends RealScenario {

	@Test
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void etcdRestoredFromBackup_endsWithStateOfServer(RealServer server) throws Exception {
		ApiClient admin = client(server);
		namespace(admin, "restored");
		create(admin, "restored", "kept");
		create(admin, "restored", "gone-after-the-backup");
		create(admin, "restored", "changed-after-the-backup");
		server.requireControlPlane().backUpEtcd();
		try (InformerFactory informers = factory(admin)) {
			SharedIndexInformer<V1ConfigMap> informer = follow(informers, "restored");
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).hasSize(3));
			for (int i = 0; i < 20; i++) {
				create(admin, "restored", "never-happened-" + i);
			}
			CoreV1Api core = new CoreV1Api(admin);
			core.deleteNamespacedConfigMap("gone-after-the-backup", "restored").execute();
			core.replaceNamespacedConfigMap("changed-after-the-backup", "restored",
					TestObjects.configMap("restored", "changed-after-the-backup").data(Map.of("changed", "after")))
				.execute();
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, "restored")));
			assertThat(this.log.replay()).hasSize(22);
			server.requireControlPlane().restoreEtcd();
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, "restored")));
			assertThat(this.log.replay()).hasSize(3);
			assertThat(this.recorder.relists()).contains(RelistReason.ROLLBACK);
			assertThat(informer.lister().get("restored", "changed-after-the-backup")).get()
				.satisfies((found) -> assertThat(found.getData()).isNullOrEmpty());
			create(admin, "restored", "new");
			awaitExternal().untilAsserted(() -> assertThat(this.log.story()).endsWith("ADDED restored/new"));
			// what was deleted after the backup is there again, under its old UID
			assertThat(this.log.problems()).singleElement().asString().endsWith("is added again");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void etcdRestoredFromBackup_thatHasPassedTheLastVersion_endsWithStateOfServer(boolean onlyCreated,
			RealServer server) throws Exception {
		ApiClient admin = client(server);
		String namespace = "overtaken-" + onlyCreated;
		namespace(admin, namespace);
		create(admin, namespace, "kept");
		create(admin, namespace, "changed-after-the-backup");
		server.requireControlPlane().backUpEtcd();
		try (TcpProxy proxy = new TcpProxy(server.url());
				InformerFactory informers = factory(client(server).setBasePath(proxy.url()))) {
			SharedIndexInformer<V1ConfigMap> informer = follow(informers, namespace);
			for (int i = 0; i < 20; i++) {
				create(admin, namespace, "never-happened-" + i);
			}
			if (!onlyCreated) {
				new CoreV1Api(admin)
					.replaceNamespacedConfigMap("changed-after-the-backup", namespace,
							TestObjects.configMap(namespace, "changed-after-the-backup")
								.data(Map.of("changed", "after")))
					.execute();
			}
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, namespace)));
			String reached = informer.lastSyncResourceVersion();
			proxy.target(URI.create("https://127.0.0.1:1"));
			proxy.cut();
			server.requireControlPlane().restoreEtcd();
			awaitExternal().until(() -> write(admin) > Long.parseLong(reached));
			proxy.target(server.url());
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, namespace)));
			assertThat(this.recorder.relists()).contains(RelistReason.ROLLBACK);
			assertThat(this.log.replay()).hasSize(2);
		}
	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, true" })
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void etcdRestoredFromBackup_withoutAFailedRequest_endsWithStateOfServer(boolean changedAfterList,
			boolean changedAfterBackup, RealServer server) throws Exception {
		ApiClient admin = client(server);
		String namespace = "silent-" + changedAfterList + "-" + changedAfterBackup;
		namespace(admin, namespace);
		create(admin, namespace, "kept");
		ApiClient client = client(server);
		// pings of HTTP/2 would reveal that the proxy sends nothing
		client.setHttpClient(client.getHttpClient().newBuilder().protocols(List.of(Protocol.HTTP_1_1)).build());
		try (TcpProxy proxy = new TcpProxy(server.url());
				InformerFactory informers = factory(client.setBasePath(proxy.url()))) {
			SharedIndexInformer<V1ConfigMap> informer = changedAfterList ? follow(informers, namespace) : null;
			if (!changedAfterBackup) {
				create(admin, namespace, "last-change");
			}
			server.requireControlPlane().backUpEtcd();
			if (changedAfterBackup) {
				create(admin, namespace, "never-happened");
			}
			for (int i = 0; i < 20; i++) {
				write(admin);
			}
			long reached = write(admin);
			SharedIndexInformer<V1ConfigMap> following = (informer != null) ? informer : follow(informers, namespace);
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, namespace)));
			// by a bookmark, which the server sends once a minute
			awaitExternal().atMost(LONG.multipliedBy(2))
				.until(() -> Long.parseLong(following.lastSyncResourceVersion()) >= reached);
			proxy.hold();
			server.requireControlPlane().restoreEtcd();
			awaitExternal().until(() -> {
				create(admin, namespace, "created-by-the-other");
				return true;
			});
			long passed = reached + 200;
			awaitExternal().until(() -> write(admin) > passed);
			proxy.cut();
			proxy.release();
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, namespace)));
			assertThat(this.log.replay()).containsKey(namespace + "/created-by-the-other")
				.doesNotContainKey(namespace + "/never-happened");
			assertThat(this.recorder.relists()).contains(RelistReason.ROLLBACK);
		}
	}

	/**
	 * Write something else, and return its version.
	 */
	private static long write(ApiClient admin) throws ApiException {
		String version = new CoreV1Api(admin)
			.createNamespacedConfigMap("default",
					new V1ConfigMap().metadata(new V1ObjectMeta().generateName("written-")))
			.execute()
			.getMetadata()
			.getResourceVersion();
		return Long.parseLong(version);
	}

}
