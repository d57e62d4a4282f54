/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.net.URI;
import java.util.Map;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
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

}
