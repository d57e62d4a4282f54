/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.informer.client.ListPage;
import dev.informer.client.ListSink;
import dev.informer.client.UndecodableObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a list of more bytes than an {@code int} can count.
 */
class HugeListTests {

	private static final int ITEMS = 2_200;

	private static final byte[] ITEM = ("{\"metadata\":{\"name\":\"large\",\"managedFields\":[{\"manager\":\""
			+ "m".repeat(1_000_000) + "\"}]}},")
		.getBytes(StandardCharsets.UTF_8);

	private final JsonWireFormat<V1ConfigMap> format = JsonWireFormat.of(V1ConfigMap.class, "v1", "ConfigMap");

	@Test
	void listBeyondTwoGigabytes_isReadToItsEnd() throws IOException {
		assertThat((long) ITEM.length * ITEMS).isGreaterThan(Integer.MAX_VALUE);
		Stream<InputStream> items = IntStream.range(0, ITEMS).mapToObj((i) -> new ByteArrayInputStream(ITEM));
		Stream<InputStream> body = Stream
			.of(Stream.of(Bodies.whole("{\"kind\":\"ConfigMapList\",\"items\":[")), items, Stream.of(Bodies.whole(
					"{\"metadata\":{\"name\":\"last\"}}],\"metadata\":{\"resourceVersion\":\"42\",\"continue\":\"tok\"}}")))
			.flatMap((part) -> part);
		Counting sink = new Counting();
		List<InputStream> parts = body.toList();
		ListPage page = this.format.readList(new SequenceInputStream(Collections.enumeration(parts)), sink);
		assertThat(page).isEqualTo(new ListPage("42", "tok"));
		assertThat(sink.large).isEqualTo(ITEMS);
		assertThat(sink.last).isEqualTo("last");
	}

	private static final class Counting implements ListSink<V1ConfigMap> {

		private int large;

		private String last = "";

		@Override
		public void accept(V1ConfigMap object) {
			this.last = String.valueOf(object.getMetadata().getName());
			if (this.last.equals("large")) {
				this.large++;
			}
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
			throw new AssertionError(object);
		}

	}

}
