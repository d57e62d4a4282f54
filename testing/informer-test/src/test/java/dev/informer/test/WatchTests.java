/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

import dev.informer.test.TestClient.WatchReader;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.informer.test.TestClient.CONFIG_MAPS;
import static dev.informer.test.TestClient.configMap;
import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

class WatchTests {

	private static final String WATCH = CONFIG_MAPS + "?watch=true";

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes
		.start((options) -> options.bookmarkInterval(Duration.ofMillis(100)).historySize(50));

	private final TestClient client = new TestClient(this.kubernetes);

	@ParameterizedTest
	@ValueSource(strings = { "", "&resourceVersion=0" })
	void withoutVersion_startsWithExistingObjects(String version) throws IOException {
		this.kubernetes.create(configMap("a", "1"));
		try (WatchReader watch = this.client.watch(WATCH + version)) {
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			this.kubernetes.create(configMap("b", "1"));
			assertThat(watch.event()).isEqualTo("ADDED b 1");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "&timeoutSeconds=9223372036854775807" })
	void endlessDurations_areAccepted(String timeout) throws IOException {
		Duration endless = ChronoUnit.FOREVER.getDuration();
		try (EmbeddedKubernetes server = EmbeddedKubernetes
			.start((options) -> options.bookmarkInterval(endless).watchTimeout(endless));
				WatchReader watch = new TestClient(server)
					.watch(WATCH + "&allowWatchBookmarks=true&resourceVersion=" + server.resourceVersion() + timeout)) {
			server.create(configMap("a", "1"));
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			server.create(configMap("b", "1"));
			assertThat(watch.event()).isEqualTo("ADDED b 1");
		}
	}

	@Test
	void event_hasTheRealServersShape() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH)) {
			this.kubernetes.create(configMap("a", "1"));
			assertThat(watch.line())
				.startsWith("{\"type\":\"ADDED\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\","
						+ "\"metadata\":{\"name\":\"a\",\"namespace\":\"default\",\"uid\":\"")
				.endsWith("},\"data\":{\"value\":\"1\"}}}");
		}
	}

	@Test
	void keptVersion_isReplayed() throws IOException {
		this.kubernetes.create(configMap("a", "1"));
		long version = this.kubernetes.resourceVersion();
		this.kubernetes.mergePatch("configmaps", "default", "a", "{\"data\":{\"value\":\"2\"}}");
		this.kubernetes.delete("configmaps", "default", "a");
		try (WatchReader watch = this.client.watch(WATCH + "&resourceVersion=" + version)) {
			assertThat(watch.event()).isEqualTo("MODIFIED a 2");
			JsonNode deleted = watch.json();
			assertThat(deleted.path("type").asString()).isEqualTo("DELETED");
			assertThat(deleted.path("object").path("metadata").path("resourceVersion").asString())
				.isEqualTo(Long.toString(this.kubernetes.resourceVersion()));
		}
	}

	@Test
	void compactedVersion_isAnErrorEvent() throws IOException {
		this.kubernetes.create(configMap("a", "1"));
		this.kubernetes.compact();
		long floor = this.kubernetes.resourceVersion();
		try (WatchReader watch = this.client.watch(WATCH + "&resourceVersion=1")) {
			assertThat(watch.code()).isEqualTo(200);
			assertThat(watch.line())
				.isEqualTo("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\","
						+ "\"metadata\":{},\"status\":\"Failure\",\"message\":\"too old resource version: 1 (" + floor
						+ ")\",\"reason\":\"Expired\",\"code\":410}}");
			assertThat(watch.line()).isEqualTo(WatchReader.END);
		}
	}

	@Test
	void boundedChanges_discardTheOldest() throws IOException {
		this.kubernetes.create(configMap("a", "0"));
		long version = this.kubernetes.resourceVersion();
		for (int i = 1; i <= 51; i++) {
			this.kubernetes.mergePatch("configmaps", "default", "a", "{\"data\":{\"value\":\"" + i + "\"}}");
		}
		try (WatchReader watch = this.client.watch(WATCH + "&resourceVersion=" + version)) {
			assertThat(watch.event()).isEqualTo("ERROR");
		}
		try (WatchReader watch = this.client.watch(WATCH + "&resourceVersion=" + (version + 1))) {
			assertThat(watch.event()).isEqualTo("MODIFIED a 2");
		}
	}

	@Test
	void futureVersion_sendsNothingUntilItIsReached() throws IOException {
		long version = this.kubernetes.resourceVersion();
		try (WatchReader watch = this.client.watch(WATCH + "&resourceVersion=" + (version + 2))) {
			this.kubernetes.create(configMap("a", "1"));
			this.kubernetes.create(configMap("b", "1"));
			this.kubernetes.create(configMap("c", "1"));
			assertThat(watch.event()).isEqualTo("ADDED c 1");
		}
	}

	@Test
	void malformedVersion_isRejected() {
		TestClient.Answer answer = this.client.get(WATCH + "&resourceVersion=abc");
		assertThat(answer.code()).isEqualTo(500);
		assertThat(answer.message()).startsWith("resourceVersion: Invalid value: \"abc\"");
	}

	@Test
	void objectEnteringAndLeavingASelection_isAddedAndDeleted() throws IOException {
		this.kubernetes.create(configMap("a", "web", "1"));
		long version = this.kubernetes.resourceVersion();
		try (WatchReader watch = this.client.watch(WATCH + "&labelSelector=app%3Dweb&resourceVersion=" + version)) {
			this.kubernetes.replace(configMap("a", "other", "2"));
			JsonNode left = watch.json();
			assertThat(left.path("type").asString()).isEqualTo("DELETED");
			assertThat(left.path("object").path("data").path("value").asString()).isEqualTo("1");
			assertThat(left.path("object").path("metadata").path("resourceVersion").asString())
				.isEqualTo(Long.toString(this.kubernetes.resourceVersion()));
			this.kubernetes.replace(configMap("a", "other", "3"));
			this.kubernetes.replace(configMap("a", "web", "4"));
			assertThat(watch.event()).isEqualTo("ADDED a 4");
			this.kubernetes.replace(configMap("a", "web", "5"));
			assertThat(watch.event()).isEqualTo("MODIFIED a 5");
		}
	}

	@Test
	void otherNamespaces_areNotSent() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH)) {
			this.kubernetes.create("""
					{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"kube-system"}}""");
			this.kubernetes.create(configMap("a", "1"));
			assertThat(watch.event()).isEqualTo("ADDED a 1");
		}
	}

	@Test
	void bookmarks_followTheStoresVersion() throws IOException {
		long version = this.kubernetes.resourceVersion();
		try (WatchReader watch = this.client
			.watch("/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=" + version)) {
			assertThat(watch.line())
				.isEqualTo("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
						+ "\"metadata\":{\"resourceVersion\":\"" + version
						+ "\"},\"spec\":{\"containers\":null},\"status\":{}}}");
			this.kubernetes.create(configMap("a", "1"));
			String expected = "\"resourceVersion\":\"" + this.kubernetes.resourceVersion() + "\"";
			await().until(() -> watch.line().contains(expected));
		}
	}

	@Test
	void timeout_endsCleanlyWithABookmarkShortlyBefore() throws IOException {
		try (EmbeddedKubernetes slow = EmbeddedKubernetes.start();
				WatchReader watch = new TestClient(slow).watch(WATCH
						+ "&allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion=" + slow.resourceVersion())) {
			assertThat(watch.event()).isEqualTo("BOOKMARK");
			assertThat(watch.event()).isEqualTo(WatchReader.END);
		}
	}

	@Test
	void streamingList_marksTheEndOfInitialEvents() throws IOException {
		this.kubernetes.create(configMap("a", "1"));
		try (WatchReader watch = this.client
			.watch(WATCH + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
			assertThat(watch.event()).isEqualTo("ADDED a 1");
			JsonNode bookmark = watch.json();
			assertThat(bookmark.path("type").asString()).isEqualTo("BOOKMARK");
			assertThat(bookmark.path("object")
				.path("metadata")
				.path("annotations")
				.path("k8s.io/initial-events-end")
				.asString()).isEqualTo("true");
			assertThat(bookmark.path("object").path("metadata").path("resourceVersion").asString())
				.isEqualTo(Long.toString(this.kubernetes.resourceVersion()));
		}
	}

	@Test
	void streamingListOfAFutureVersion_isTooLarge() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
				+ "&allowWatchBookmarks=true&resourceVersion=99999")) {
			JsonNode error = watch.json();
			assertThat(error.path("object").path("code").asInt()).isEqualTo(504);
			assertThat(error.path("object").path("details").path("causes").path(0).path("reason").asString())
				.isEqualTo("ResourceVersionTooLarge");
		}
	}

	@Test
	void streamingListWithoutTheFeature_isInvalid() {
		try (EmbeddedKubernetes old = EmbeddedKubernetes.start((options) -> options.streamingLists(false))) {
			TestClient.Answer answer = new TestClient(old)
				.get(WATCH + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
			assertThat(answer.code()).isEqualTo(422);
			assertThat(answer.message())
				.isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: "
						+ "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
		}
	}

	@Test
	void streamingListWithoutMatch_isInvalid() {
		TestClient.Answer answer = this.client.get(WATCH + "&sendInitialEvents=true");
		assertThat(answer.code()).isEqualTo(422);
		assertThat(answer.message())
			.endsWith("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
	}

	@Test
	void closedByTheClient_endsAtOnce() throws IOException {
		WatchReader watch = this.client.watch("/api/v1/nodes?watch=true");
		assertThat(this.kubernetes.openWatches("nodes")).isEqualTo(1);
		watch.close();
		await().until(() -> this.kubernetes.openWatches() == 0);
	}

	@Test
	void metadataOnly_isSentOnRequest() throws IOException {
		try (WatchReader watch = this.client.watch(WATCH, "Accept",
				"application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")) {
			this.kubernetes.create(configMap("a", "1"));
			JsonNode object = watch.json().path("object");
			assertThat(object.path("kind").asString()).isEqualTo("PartialObjectMetadata");
			assertThat(object.has("data")).isFalse();
		}
	}

	@Test
	void deletedDefinition_endsWatches() throws IOException {
		this.kubernetes.create("""
				{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
				 "metadata":{"name":"tenants.example.com"},
				 "spec":{"group":"example.com","scope":"Cluster","names":{"plural":"tenants","kind":"Tenant"},
				  "versions":[{"name":"v1","served":true,"storage":true}]}}""");
		this.kubernetes.create("{\"apiVersion\":\"example.com/v1\",\"kind\":\"Tenant\",\"metadata\":{\"name\":\"t\"}}");
		try (WatchReader watch = this.client.watch("/apis/example.com/v1/tenants?watch=true")) {
			assertThat(watch.event()).isEqualTo("ADDED t");
			this.kubernetes.delete("customresourcedefinitions", null, "tenants.example.com");
			assertThat(watch.event()).isEqualTo("DELETED t");
			assertThat(watch.event()).isEqualTo(WatchReader.END);
		}
		assertThat(this.client.get("/apis/example.com/v1/tenants").body()).isEqualTo("404 page not found\n");
	}

}
