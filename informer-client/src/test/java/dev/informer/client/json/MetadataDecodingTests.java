/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;

import dev.informer.client.MalformedResponseException;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.WatchEvent;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the decoding of metadata alone.
 */
class MetadataDecodingTests {

	private static final String ITEM = "{\"metadata\":{\"name\":\"a\",\"managedFields\":[{\"manager\":\"m\"}]}}";

	private final JsonWireFormat<PartialObjectMetadata> format = JsonWireFormat.of(PartialObjectMetadata.class, "v1",
			"Pod");

	private final CollectingSink<PartialObjectMetadata> sink = new CollectingSink<>();

	@Test
	void listAndWatch_haveTheirOwnMediaTypes() {
		assertThat(this.format.listMediaType())
			.isEqualTo("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
		assertThat(this.format.watchMediaType())
			.isEqualTo("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
		JsonWireFormat<V1Pod> whole = JsonWireFormat.of(V1Pod.class, "v1", "Pod");
		assertThat(whole.listMediaType()).isEqualTo("application/json");
		assertThat(whole.watchMediaType()).isEqualTo("application/json");
	}

	@Test
	void itemsAndEvents_areEqual() throws IOException {
		this.format.readList(Bodies.whole(Bodies.list("PartialObjectMetadata", ITEM)), this.sink);
		PartialObjectMetadata expected = new PartialObjectMetadata(new V1ObjectMeta().name("a"));
		assertThat(this.sink.objects()).containsExactly(expected);
		String event = "{\"type\":\"ADDED\",\"object\":{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
				+ ITEM.substring(1) + "}";
		try (var watch = this.format.readWatch(Bodies.whole(event))) {
			assertThat(watch.next()).isEqualTo(new WatchEvent.Change<>(WatchEvent.ChangeType.ADDED, expected));
		}
	}

	@Test
	void managedFields_areKeptOnRequest() throws IOException {
		this.format.withManagedFields().readList(Bodies.whole(Bodies.list("PartialObjectMetadata", ITEM)), this.sink);
		assertThat(this.sink.objects().get(0).getMetadata().getManagedFields()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"kind\":\"PodList\",\"metadata\":{},\"items\":[]}",
			"{\"items\":[],\"kind\":\"PodList\",\"metadata\":{}}",
			"{\"kind\":\"PartialObjectMetadataList\",\"metadata\":{},\"items\":[{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}]}" })
	void wholeObjectsInList_areRejected(String body) {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> this.format.readList(Bodies.whole(body), this.sink))
			.withMessageContaining("got a Pod")
			.withMessageContaining("Accept header");
	}

	@Test
	void wholeObjectInWatch_isRejected() throws IOException {
		String event = "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}}";
		try (var watch = this.format.readWatch(Bodies.whole(event))) {
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(watch::next)
				.withMessageContaining("got a Pod");
		}
	}

}
