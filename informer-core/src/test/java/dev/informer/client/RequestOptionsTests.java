/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

import dev.informer.ResourceType;
import dev.informer.Shard;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.conformance.Conformance;
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
@Timeout(60)
class RequestOptionsTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final KubernetesConnection connection = new KubernetesConnection(
			new ApiClient().setBasePath(this.kubernetes.url()));

	@AfterEach
	void close() {
		this.connection.close();
		this.kubernetes.close();
	}

	@Conformance("exact request options of LIST, WATCH and streaming list")
	@Test
	void firstList_hasLimitWithoutMatchAndTimeout() throws IOException {
		list(new ListRequest("0", 500, null));
		assertAsked("/api/v1/namespaces/shop/configmaps", Map.of("resourceVersion", "0", "limit", "500",
				"labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Conformance("exact request options of LIST, WATCH and streaming list")
	@Test
	void mostRecentList_hasEmptyVersionAndLimit() throws IOException {
		list(new ListRequest("", 500, null));
		assertAsked("/api/v1/namespaces/shop/configmaps", Map.of("resourceVersion", "", "limit", "500", "labelSelector",
				"a=b", "fieldSelector", "metadata.name=c"));
	}

	@Conformance("exact request options of LIST, WATCH and streaming list")
	@Test
	void listAtVersion_hasVersionOnly() throws IOException {
		list(new ListRequest("1", 0, null));
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("resourceVersion", "1", "labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Conformance("exact request options of LIST, WATCH and streaming list")
	@Conformance("page size 4")
	@Test
	void pagedListAtVersion_hasMatchNotOlderThan() throws IOException {
		list(new ListRequest("1", 4, null));
		assertAsked("/api/v1/namespaces/shop/configmaps", Map.of("resourceVersion", "1", "limit", "4",
				"resourceVersionMatch", "NotOlderThan", "labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Conformance("exact request options of LIST, WATCH and streaming list")
	@Test
	void continuation_hasNoVersion() {
		assertThatExceptionOfType(ServerStatusException.class)
			.isThrownBy(() -> list(new ListRequest(null, 4, "a-token")));
		assertAsked("/api/v1/namespaces/shop/configmaps", Map.of("continue", "a-token", "limit", "4", "labelSelector",
				"a=b", "fieldSelector", "metadata.name=c"));
	}

	@Conformance("exact request options of LIST, WATCH and streaming list")
	@Test
	void watch_hasVersionTimeoutAndBookmarks() throws IOException {
		source().watch(new WatchRequest("1", Duration.ofSeconds(301), false), new Cancellation()).close();
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("watch", "true", "resourceVersion", "1", "timeoutSeconds", "301", "allowWatchBookmarks", "true",
						"labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Conformance("exact request options of LIST, WATCH and streaming list")
	@Test
	void streamingList_requestsInitialEventsNotOlderThanVersion() throws IOException {
		source().watch(new WatchRequest("", Duration.ofSeconds(599), true), new Cancellation()).close();
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("watch", "true", "resourceVersion", "", "timeoutSeconds", "599", "allowWatchBookmarks", "true",
						"sendInitialEvents", "true", "resourceVersionMatch", "NotOlderThan", "labelSelector", "a=b",
						"fieldSelector", "metadata.name=c"));
	}

	@Conformance("exact request options of LIST, WATCH and streaming list")
	@Test
	void shard_isNamedByItsRanges_andAnExactVersionByItsMatch() throws IOException {
		ShardSelector shard = ShardSelector.of(Shard.Key.UID, 2, Set.of(1));
		String ranges = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";
		list(new ListRequest("1", 500, null).atExactly().of(shard));
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("resourceVersion", "1", "limit", "500", "resourceVersionMatch", "Exact", "shardSelector", ranges,
						"labelSelector", "a=b", "fieldSelector", "metadata.name=c"));
	}

	@Conformance("exact request options of LIST, WATCH and streaming list")
	@Test
	void watchOfAShard_namesItsRanges() throws IOException {
		ShardSelector shard = ShardSelector.of(Shard.Key.UID, 2, Set.of(0));
		source().watch(new WatchRequest("1", Duration.ofSeconds(301), false).of(shard), new Cancellation()).close();
		assertAsked("/api/v1/namespaces/shop/configmaps",
				Map.of("watch", "true", "resourceVersion", "1", "timeoutSeconds", "301", "allowWatchBookmarks", "true",
						"shardSelector", shard.toParameter(), "labelSelector", "a=b", "fieldSelector",
						"metadata.name=c"));
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
		return new ApiListerWatcher<>(this.connection, ResourceType.of(V1ConfigMap.class), "shop", "a=b",
				"metadata.name=c", JsonWireFormat.of(V1ConfigMap.class, "v1", "ConfigMap"));
	}

	private void assertAsked(String path, Map<String, String> query) {
		assertThat(this.kubernetes.requests()).singleElement().extracting(ReceivedRequest::path).isEqualTo(path);
		assertThat(this.kubernetes.requests().get(0).query()).containsExactlyInAnyOrderEntriesOf(query);
	}

}
