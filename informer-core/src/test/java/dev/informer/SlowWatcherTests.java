/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerState.Phase;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an informer on a connection that is too slow for what happens, so that the
 * real API server closes its watch.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class SlowWatcherTests {

	private static final Pattern TERMINATED = Pattern
		.compile("apiserver_terminated_watchers_total\\{[^}]*resource=\"configmaps\"[^}]*} (\\d+)");

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int MOST_CHANGES = 1_000;

	private final List<RelistReason> relists = new CopyOnWriteArrayList<>();

	private final List<WatchEnd> ends = new CopyOnWriteArrayList<>();

	private final EventLog<V1ConfigMap> log = new EventLog<>();

	@Test
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void slowWatchClosedByServer_losesNothing(RealServer server) throws Exception {
		RealConfigMaps maps = new RealConfigMaps(server, "slow-watcher");
		maps.create("large");
		maps.create("small");
		maps.create("gone");
		try (TcpProxy proxy = new TcpProxy(server.url()); InformerFactory informers = factory(server, proxy)) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces("slow-watcher"));
			informer.addHandler(this.log);
			informers.start();
			assertThat(informers.awaitSynced(LONG)).isTrue();
			awaitExternal().until(() -> informer.state().phase() == Phase.WATCHING);
			proxy.hold();
			long before = terminated(server);
			int changes = 0;
			while (terminated(server) == before && changes < MOST_CHANGES) {
				maps.change("large", Integer.toString(changes % 10).repeat((changes < 30) ? 900_000 : 1));
				maps.change("small", Integer.toString(changes));
				changes++;
			}
			maps.delete("gone");
			assertThat(terminated(server)).as("watches closed by the server after %s changes", changes)
				.isGreaterThan(before);
			proxy.release();
			maps.awaitAgreement(this.log);
			assertThat(this.ends).isNotEmpty();
			assertThat(this.relists).isEmpty();
		}
	}

	private InformerFactory factory(RealServer server, TcpProxy proxy) throws IOException {
		ApiClient client = RealConfigMaps.client(server).setBasePath(proxy.url());
		return InformerFactory.create(() -> client, (settings) -> settings.addListener((event) -> {
			if (event instanceof InformerEvent.Relisting relisting) {
				SlowWatcherTests.this.relists.add(relisting.reason());
			}
			else if (event instanceof InformerEvent.WatchEnded ended) {
				SlowWatcherTests.this.ends.add(ended.reason());
			}
		}));
	}

	/**
	 * How many watches the server says that it has closed because they were too slow.
	 */
	private static long terminated(RealServer server) throws IOException {
		ApiClient client = RealConfigMaps.client(server);
		Request request = new Request.Builder().url(server.url() + "/metrics")
			.header("Authorization", "Bearer " + server.requireControlPlane().adminToken())
			.build();
		try (Response response = client.getHttpClient().newCall(request).execute()) {
			Matcher matcher = TERMINATED.matcher(response.body().string());
			return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
		}
	}

}
