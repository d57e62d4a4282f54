/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

import dev.informer.client.json.JsonWireFormat;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ReceivedRequest;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the query parameters of the requests of {@link ApiListerWatcher}.
 */
@Timeout(120)
class RequestOptionsTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final KubernetesConnection connection = new KubernetesConnection(
			new ApiClient().setBasePath(this.kubernetes.url()));

	@AfterEach
	void close() {
		this.connection.close();
		this.kubernetes.close();
	}

	@Test
	void firstList_hasLimitWithoutMatchAndTimeout() throws IOException {
		list(new ListRequest("0", 500, null));
		assertAsked("/api/v1/namespaces/shop/configmaps", Map.of("resourceVersion", "0", "limit", "500",
				"labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Test
	void mostRecentList_hasEmptyVersionAndLimit() throws IOException {
		list(new ListRequest("", 500, null));
		assertAsked("/api/v1/namespaces/shop/configmaps", Map.of("resourceVersion", "", "limit", "500", "labelSelector",
				"a=b", "fieldSelector", "metadata.name=c"));
	}

	@Test
	void listAtVersion_hasVersionOnly() throws IOException {
		list(new ListRequest("1", 0, null));
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("resourceVersion", "1", "labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Test
	void pagedListAtVersion_hasMatchNotOlderThan() throws IOException {
		list(new ListRequest("1", 4, null));
		assertAsked("/api/v1/namespaces/shop/configmaps", Map.of("resourceVersion", "1", "limit", "4",
				"resourceVersionMatch", "NotOlderThan", "labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Test
	void continuation_hasNoVersion() {
		assertThatExceptionOfType(ServerStatusException.class)
			.isThrownBy(() -> list(new ListRequest(null, 4, "a-token")));
		assertAsked("/api/v1/namespaces/shop/configmaps", Map.of("continue", "a-token", "limit", "4", "labelSelector",
				"a=b", "fieldSelector", "metadata.name=c"));
	}

	@Test
	void watch_hasVersionTimeoutAndBookmarks() throws IOException {
		source().watch(new WatchRequest("1", Duration.ofSeconds(301), false), (state) -> null, new Cancellation())
			.close();
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("watch", "true", "resourceVersion", "1", "timeoutSeconds", "301", "allowWatchBookmarks", "true",
						"labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Test
	void streamingList_requestsInitialEventsNotOlderThanVersion() throws IOException {
		source().watch(new WatchRequest("", Duration.ofSeconds(599), true), (state) -> null, new Cancellation())
			.close();
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("watch", "true", "resourceVersion", "", "timeoutSeconds", "599", "allowWatchBookmarks", "true",
						"sendInitialEvents", "true", "resourceVersionMatch", "NotOlderThan", "labelSelector", "a=b",
						"fieldSelector", "metadata.name=c"));
	}

	@Test
	void selector_isNamedByItsParameters() throws IOException {
		ObjectSelector slots = new UidSelector();
		list(new ListRequest("1", 500, null).of(slots));
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("resourceVersion", "1", "limit", "500", "resourceVersionMatch", "NotOlderThan", "shardSelector",
						UidSelector.RANGE, "labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Test
	void watchOfASelector_namesItsParameters() throws IOException {
		ObjectSelector slots = new UidSelector();
		source()
			.watch(new WatchRequest("1", Duration.ofSeconds(301), false).of(slots), (state) -> null, new Cancellation())
			.close();
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("watch", "true", "resourceVersion", "1", "timeoutSeconds", "301", "allowWatchBookmarks", "true",
						"shardSelector", UidSelector.RANGE, "labelSelector", "a=b", "fieldSelector",
						"metadata.name=c"));
	}

	@Test
	void streamingList_isReadFromAServerThatCompressesIt() throws IOException {
		try (ScriptedServer server = new ScriptedServer(RequestOptionsTests::answerByMembers);
				KubernetesConnection connection = new KubernetesConnection(new ApiClient().setBasePath(server.url()));
				WatchStream<V1ConfigMap> stream = source(connection)
					.watch(new WatchRequest("", Duration.ofSeconds(599), true), (state) -> null, new Cancellation())) {
			assertThat(stream.next()).isInstanceOf(WatchEvent.Change.class);
			assertThat(stream.next()).isInstanceOf(WatchEvent.Change.class);
		}
	}

	/**
	 * Write two events as kube-apiserver 1.37 does: if gzip is accepted, one member each.
	 */
	private static void answerByMembers(ScriptedServer.Peer peer) throws IOException {
		boolean compressed = peer.readRequest().toLowerCase(Locale.ROOT).contains("accept-encoding: gzip");
		peer.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
				+ (compressed ? "Content-Encoding: gzip\r\n" : "") + "\r\n");
		for (int i = 0; i < 2; i++) {
			byte[] event = ScriptedServer.ADDED.getBytes(StandardCharsets.UTF_8);
			peer.write(compressed ? gzip(event) : event);
		}
	}

	private static byte[] gzip(byte[] bytes) throws IOException {
		ByteArrayOutputStream member = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(member)) {
			out.write(bytes);
		}
		return member.toByteArray();
	}

	private void list(ListRequest request) throws IOException {
		source().list(request, new ListSink<>() {
			@Override
			public void accept(V1ConfigMap object) {
			}

			@Override
			public void acceptUndecodable(UndecodableObject object) {
			}
		}, new Cancellation());
	}

	private ApiListerWatcher<V1ConfigMap> source() {
		return source(this.connection);
	}

	private static ApiListerWatcher<V1ConfigMap> source(KubernetesConnection connection) {
		return new ApiListerWatcher<>(connection, ResourceType.of(V1ConfigMap.class), "shop", "a=b", "metadata.name=c",
				JsonWireFormat.of(V1ConfigMap.class, "v1", "ConfigMap"));
	}

	private void assertAsked(String path, Map<String, String> query) {
		assertThat(this.kubernetes.requests()).singleElement().extracting(ReceivedRequest::path).isEqualTo(path);
		assertThat(this.kubernetes.requests().get(0).query()).containsExactlyInAnyOrderEntriesOf(query);
	}

	private static final class UidSelector implements ObjectSelector {

		static final String RANGE = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";

		@Override
		public boolean excludes(ObjectState state) {
			return false;
		}

		@Override
		public Map<String, String> parameters() {
			return Map.of("shardSelector", RANGE);
		}

	}

}
