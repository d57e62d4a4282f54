/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.time.Duration;

import dev.informer.client.json.JsonWireFormat;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of requests.
 */
enum RequestKind {

	LIST, WATCH, STREAMING_LIST, DISCOVERY;

	static ListerWatcher<V1ConfigMap> source(KubernetesConnection connection, @Nullable String selector) {
		return new ApiListerWatcher<>(connection, ResourceType.of(V1ConfigMap.class), "shop", selector, null,
				JsonWireFormat.of(V1ConfigMap.class, "v1", "ConfigMap"));
	}

	static WatchStream<V1ConfigMap> watch(KubernetesConnection connection) throws IOException {
		return source(connection, null).watch(new WatchRequest("1", Duration.ofMinutes(5), false), (state) -> null,
				new Cancellation());
	}

	/**
	 * Watch without short limits, so that the tests that follow do not load classes
	 * within theirs.
	 */
	static void watchUnlimited() throws IOException {
		try (ScriptedServer server = new ScriptedServer((peer) -> {
			peer.readRequest();
			peer.write("HTTP/1.1 200 OK\r\n\r\n" + ScriptedServer.ADDED);
		}); KubernetesConnection connection = new KubernetesConnection(new ApiClient().setBasePath(server.url()))) {
			watch(connection).next();
		}
	}

	void send(KubernetesConnection connection) throws IOException {
		switch (this) {
			case LIST ->
				source(connection, null).list(new ListRequest("0", 500, null), new IgnoringSink(), new Cancellation());
			case WATCH -> watch(connection).close();
			case STREAMING_LIST -> source(connection, null)
				.watch(new WatchRequest("1", Duration.ofMinutes(5), true), (state) -> null, new Cancellation())
				.close();
			case DISCOVERY -> new ResourceDiscovery(connection)
				.complete(ResourceType.named(V1ConfigMap.class, "configmaps.v1.example.com"), new Cancellation());
		}
	}

	private static final class IgnoringSink implements ListSink<V1ConfigMap> {

		@Override
		public void accept(V1ConfigMap object) {
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
		}

	}

}
