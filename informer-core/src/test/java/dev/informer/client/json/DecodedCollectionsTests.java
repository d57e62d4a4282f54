/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static io.kubernetes.client.openapi.JSON.serialize;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the collections of decoded objects, which must behave like those of the
 * official client.
 */
class DecodedCollectionsTests {

	@Test
	void absentCollections_areEmptyAndModifiable() throws IOException {
		V1Pod pod = decode(V1Pod.class,
				"{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"name\":\"web\"}]}}");
		V1Container container = pod.getSpec().getContainers().get(0);
		assertThat(container.getEnv()).isEmpty();
		assertThat(container).isEqualTo(new V1Container().name("web"));
		container.addEnvItem(new V1EnvVar().name("A").value("1")).addEnvItem(new V1EnvVar().name("B"));
		pod.getMetadata().putLabelsItem("app", "web").putLabelsItem("tier", "front");
		pod.getSpec().addContainersItem(new V1Container().name("proxy"));
		assertThat(pod.getMetadata().getLabels()).containsEntry("app", "web").hasSize(2);
		assertThat(serialize(pod.getSpec().getContainers())).isEqualTo(serialize(List.of(new V1Container().name("web")
			.addEnvItem(new V1EnvVar().name("A").value("1"))
			.addEnvItem(new V1EnvVar().name("B")), new V1Container().name("proxy"))));
	}

	@Test
	void explicitNull_replacesEmptyCollection() throws IOException {
		V1Pod pod = decode(V1Pod.class, "{\"metadata\":{\"name\":\"a\",\"labels\":null},\"spec\":{\"volumes\":null}}");
		assertThat(pod.getMetadata().getLabels()).isNull();
		assertThat(pod.getSpec().getVolumes()).isNull();
	}

	@Test
	void mapWithManyOrRepeatedKeys_keepsOrderAndLastValue() throws IOException {
		String many = IntStream.range(0, 1000)
			.mapToObj((i) -> "\"key-" + i + "\":\"" + i + "\"")
			.collect(Collectors.joining(","));
		V1ConfigMap large = decode(V1ConfigMap.class, "{\"metadata\":{\"name\":\"a\"},\"data\":{" + many + "}}");
		assertThat(large.getData()).hasSize(1000).containsEntry("key-999", "999");
		assertThat(large.getData().keySet()).startsWith("key-0", "key-1", "key-2");
		V1ConfigMap repeated = decode(V1ConfigMap.class,
				"{\"metadata\":{\"name\":\"a\"},\"data\":{\"a\":\"1\",\"b\":\"2\",\"\\u0061\":\"3\"}}");
		assertThat(repeated.getData()).containsExactly(Map.entry("a", "3"), Map.entry("b", "2"));
	}

	private static <T> T decode(Class<T> type, String json) throws IOException {
		CollectingSink<T> sink = new CollectingSink<>();
		JsonWireFormat.of(type, "v1", "Any").readList(Bodies.whole(Bodies.list("Any", json)), sink);
		assertThat(sink.undecodable()).isEmpty();
		return sink.objects().get(0);
	}

}
