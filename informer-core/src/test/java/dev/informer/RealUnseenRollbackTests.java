/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.List;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import okhttp3.Protocol;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a real API server whose etcd is restored from a backup without a request that
 * fails.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealUnseenRollbackTests extends RealScenario {

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

}
