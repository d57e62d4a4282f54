/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
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

	@Test
	void collections_areSerializable() throws Exception {
		String fields = "{\"f:a\":{\"f:b\":[1,null]}}";
		String item = "{\"metadata\":{\"name\":\"a\",\"managedFields\":[{\"fieldsV1\":" + fields + "},{\"fieldsV1\":"
				+ fields + "}]},\"labels\":{\"a\":\"1\",\"b\":null},\"lists\":[[\"x\"],[]],\"any\":{\"y\":[{}]}}";
		CollectingSink<Stored> sink = new CollectingSink<>();
		JsonWireFormat.of(Stored.class, "v1", "Stored")
			.withManagedFields()
			.readList(Bodies.whole(Bodies.list("Stored", item)), sink);
		Stored stored = sink.objects().get(0);
		Object packed = stored.metadata.getManagedFields().get(0).getFieldsV1();
		Object parsed = stored.metadata.getManagedFields().get(1).getFieldsV1();
		assertThat(parsed).hasToString("{f:a={f:b=[1, null]}}");
		List<Object> values = List.of(stored.labels, stored.lists, stored.none, stored.any, packed, parsed);
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(values);
		}
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			List<?> read = (List<?>) in.readObject();
			assertThat(read).isEqualTo(values);
			((Map<?, ?>) read.get(0)).remove("a");
			((List<?>) read.get(1)).clear();
			assertThat(read.get(0)).hasToString("{b=null}");
			assertThat(read.get(1)).isEqualTo(List.of());
			assertThat(stored.labels).hasSize(2);
		}
	}

	private static <T> T decode(Class<T> type, String json) throws IOException {
		CollectingSink<T> sink = new CollectingSink<>();
		JsonWireFormat.of(type, "v1", "Any").readList(Bodies.whole(Bodies.list("Any", json)), sink);
		assertThat(sink.undecodable()).isEmpty();
		return sink.objects().get(0);
	}

	static class Stored {

		V1ObjectMeta metadata = new V1ObjectMeta();

		Map<String, String> labels = new HashMap<>();

		List<List<String>> lists = new ArrayList<>();

		Map<String, String> none = new HashMap<>();

		Object any = "";

	}

}
