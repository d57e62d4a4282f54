/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;

import dev.informer.test.TestClient.WatchReader;
import dev.informer.test.store.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of requests for metadata only.
 */
interface RepresentationContract extends ContractCases {

	String ONE = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

	String LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

	@Test
	default void metadataOfAList_hasItemsWithKind() {
		create("a", "x", "1");
		create("b", "x", "1");
		TestClient.Answer answer = accepting(LIST, configMaps() + "?limit=1");
		assertThat(answer.body())
			.startsWith("{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{");
		JsonNode item = answer.json().path("items").path(0);
		assertThat(item.propertyNames()).containsExactly("kind", "apiVersion", "metadata");
		assertThat(Json.text(item, "kind")).isEqualTo("PartialObjectMetadata");
		assertThat(Json.text(item, "apiVersion")).isEqualTo("meta.k8s.io/v1");
		assertThat(Json.text(item.path("metadata").path("labels"), "app")).isEqualTo("x");
		assertThat(Json.text(answer.json().path("metadata"), "continue")).isNotEmpty();
	}

	@Test
	default void metadataOfNothing_isNull() {
		assertThat(accepting(LIST, path("secrets")).body()).endsWith("\"},\"items\":null}\n");
	}

	@Test
	default void metadataOfAnObject_hasNoData() {
		create("a", "x", "1");
		JsonNode object = accepting(ONE, configMaps() + "/a").json();
		assertThat(object.propertyNames()).containsExactly("kind", "apiVersion", "metadata");
		assertThat(Json.text(object, "kind")).isEqualTo("PartialObjectMetadata");
	}

	@Test
	default void metadataOfAWatch_isPartialObjectMetadata() throws IOException {
		String version = ContractCases.version(create("a", "x", "1"));
		change("a", "2");
		try (WatchReader watch = client().watch(configMaps() + "?watch=true&resourceVersion=" + version, "Accept",
				ONE)) {
			JsonNode event = watch.json();
			assertThat(Json.text(event, "type")).isEqualTo("MODIFIED");
			assertThat(Json.text(event.path("object"), "kind")).isEqualTo("PartialObjectMetadata");
			assertThat(event.path("object").propertyNames()).containsExactly("kind", "apiVersion", "metadata");
		}
	}

	@Test
	default void metadataOfAStreamingList_hasAMatchingBookmark() throws IOException {
		if (server().streamingLists()) {
			create("a", "x", "1");
			try (WatchReader watch = client().watch(configMaps()
					+ "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
					"Accept", ONE)) {
				assertThat(watch.line())
					.startsWith("{\"type\":\"ADDED\",\"object\":{\"kind\":\"PartialObjectMetadata\"");
				assertThat(watch.line())
					.startsWith("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"PartialObjectMetadata\",")
					.endsWith("\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}");
			}
		}
		else {
			assertThat(
					accepting(ONE,
							configMaps() + "?watch=true&sendInitialEvents=true"
									+ "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")
						.code())
				.isEqualTo(422);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					/api/v1/namespaces/default/configmaps | false | you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)
					/apis/apps/v1/deployments | false | you requested PartialObjectMetadata, but the requested object is a list (*apps.DeploymentList)
					/api/v1/namespaces/default | true | you requested PartialObjectMetadataList, but the requested object is not a list (*core.Namespace)
					""")
	default void mismatchedRepresentations_areNotAcceptable(String path, boolean list, String message) {
		TestClient.Answer answer = accepting(list ? LIST : ONE, path);
		assertThat(answer.code()).isEqualTo(406);
		assertThat(answer.reason()).isEqualTo("NotAcceptable");
		assertThat(answer.message()).isEqualTo(message);
	}

	@Test
	default void mismatchedWatch_endsAtItsFirstEvent() throws IOException {
		String version = ContractCases.version(create("a", "x", "1"));
		change("a", "2");
		try (WatchReader watch = client().watch(configMaps() + "?watch=true&resourceVersion=" + version, "Accept",
				LIST)) {
			assertThat(watch.code()).isEqualTo(200);
			assertThat(watch.line()).isEqualTo(WatchReader.END);
		}
	}

	@Test
	default void otherMediaTypes_areNotAcceptable() {
		TestClient.Answer answer = accepting("text/html", configMaps());
		assertThat(answer.code()).isEqualTo(406);
		assertThat(answer.message()).startsWith("406: Not Acceptable\n\nAvailable representations: application/json");
	}

	private TestClient.Answer accepting(String type, String path) {
		return client().send("GET", path, null, "", "Accept", type);
	}

}
