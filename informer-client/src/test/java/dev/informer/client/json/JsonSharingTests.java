/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.lang.reflect.Type;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.annotations.JsonAdapter;
import dev.informer.client.ObjectState;
import dev.informer.client.WatchEvent;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests that objects decoded from JSON share equal parts.
 */
class JsonSharingTests {

	private static final String POD = """
			{"metadata": {"name": "%s", "namespace": "shop", "uid": "uid-%1$s", "resourceVersion": "%s",
			  "labels": {"app": "web"}},
			 "spec": {"containers": [
			   {"name": "main", "image": "web:1", "resources": {"limits": {"cpu": "1000m"}}},
			   {"name": "proxy", "image": "%s", "env": [{"name": "URL", "value": "http://a"}]}]}}""";

	private static final String WIDGET = """
			{"metadata": {"name": "%s", "namespace": "shop"}, "spec": {"size": %s, "parts": [{"a": 1}, {"b": null}]}}""";

	private final JsonWireFormat<V1Pod> pods = JsonWireFormat.of(V1Pod.class, "v1", "Pod");

	private final JsonWireFormat<DynamicKubernetesObject> widgets = JsonWireFormat.of(DynamicKubernetesObject.class,
			"example.com/v1", "Widget");

	@Test
	void listedObjects_shareEqualParts() throws IOException {
		List<V1Pod> pods = list(this.pods, true, POD.formatted("a", "1", "proxy:1"), POD.formatted("b", "2", "proxy:1"),
				POD.formatted("c", "3", "proxy:2"));
		V1Pod first = pods.get(0);
		assertThat(pods.get(1).getSpec()).isSameAs(first.getSpec());
		assertThat(pods.get(1).getMetadata().getLabels()).isSameAs(first.getMetadata().getLabels());
		assertThat(pods).extracting((pod) -> pod.getMetadata().getName()).containsExactly("a", "b", "c");
		assertThat(pods).extracting((pod) -> pod.getMetadata().getResourceVersion()).containsExactly("1", "2", "3");
		List<V1Container> containers = pods.get(2).getSpec().getContainers();
		assertThat(containers.get(0)).isSameAs(first.getSpec().getContainers().get(0));
		assertThat(containers.get(1).getEnv()).isSameAs(first.getSpec().getContainers().get(1).getEnv());
		assertThat(containers).extracting(V1Container::getImage).containsExactly("web:1", "proxy:2");
		assertThat(first.getSpec().getContainers()).extracting(V1Container::getImage)
			.containsExactly("web:1", "proxy:1");
	}

	@Test
	void nothingIsShared_withoutPermission() throws IOException {
		List<V1Pod> pods = list(this.pods, false, POD.formatted("a", "1", "proxy:1"),
				POD.formatted("b", "2", "proxy:1"));
		assertThat(pods.get(1).getSpec()).isEqualTo(pods.get(0).getSpec()).isNotSameAs(pods.get(0).getSpec());
	}

	@Test
	void updatedObject_sharesPartsOfItsEarlierState() throws IOException {
		V1Pod earlier = list(this.pods, true, POD.formatted("a", "1", "proxy:1")).get(0);
		list(this.pods, true, POD.formatted("neighbour", "2", "proxy:3"));
		String event = "{\"type\":\"MODIFIED\",\"object\":"
				+ POD.formatted("a", "5", "proxy:2").replaceFirst("\\{", "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",")
				+ "}";
		WatchEvent<V1Pod> read = this.pods.readWatch(Bodies.whole(event), new Sink<>(true, earlier)).next();
		assertThat(read).isInstanceOfSatisfying(WatchEvent.Change.class, (change) -> {
			V1Pod pod = (V1Pod) change.object();
			assertThat(pod.getMetadata().getResourceVersion()).isEqualTo("5");
			assertThat(pod.getMetadata().getUid()).isSameAs(earlier.getMetadata().getUid());
			assertThat(pod.getSpec().getContainers().get(0)).isSameAs(earlier.getSpec().getContainers().get(0));
			assertThat(pod.getSpec().getContainers().get(1).getImage()).isEqualTo("proxy:2");
		});
	}

	@Test
	void untypedObjects_shareEqualParts() throws IOException {
		List<DynamicKubernetesObject> widgets = list(this.widgets, true, WIDGET.formatted("a", "1"),
				WIDGET.formatted("b", "1"), WIDGET.formatted("c", "2"));
		JsonObject spec = spec(widgets.get(0));
		assertThat(spec(widgets.get(1))).isSameAs(spec);
		assertThat(spec(widgets.get(2)).get("parts")).isSameAs(spec.get("parts"));
		assertThat(spec(widgets.get(2)).get("size").getAsInt()).isEqualTo(2);
		assertThat(spec.get("size").getAsInt()).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "9007199254740993, 9007199254740992", "1, 1.0", "1.0, 1.00", "1, '\"1\"'", "true, '\"true\"'",
			"'{\"a\":1,\"b\":2}', '{\"b\":2,\"a\":1}'", "'[1]', '[1,2]'", "'{}', '{\"a\":null}'", "null, 0" })
	void valuesThatAreNotExactlyEqual_remain(String one, String other) throws IOException {
		List<DynamicKubernetesObject> widgets = list(this.widgets, true, WIDGET.formatted("a", one),
				WIDGET.formatted("b", other), WIDGET.formatted("c", one));
		assertThat(widgets).extracting((widget) -> spec(widget).get("size").toString())
			.containsExactly(one, other, one);
	}

	@Test
	void treesAndManagedFields_shareEqualParts() throws IOException {
		JsonWireFormat<Widget> format = JsonWireFormat.of(Widget.class, "example.com/v1", "Widget").withManagedFields();
		String item = "{\"metadata\":{\"name\":\"a\",\"managedFields\":[{\"time\":\"2026-01-02T03:04:0%1$sZ\",\"fieldsV1\":{\"f:a\":{}}}]},"
				+ "\"tree\":{\"own\":%1$s,\"map\":{\"a\":[1,\"b\",true]}}}";
		List<Widget> widgets = list(format, true, item.formatted(1), item.formatted(2));
		Widget first = widgets.get(0);
		Widget second = widgets.get(1);
		assertThat(second.tree.get("map")).isSameAs(first.tree.get("map")).isNotNull();
		assertThat(second.tree).containsEntry("own", 2L);
		assertThat(first.tree).containsEntry("own", 1L);
		assertThat(second.metadata.getManagedFields().get(0).getFieldsV1()).isNotNull()
			.isSameAs(first.metadata.getManagedFields().get(0).getFieldsV1());
	}

	@Test
	void valuesOfAnAdapter_areNotShared() throws IOException {
		JsonWireFormat<Widget> format = JsonWireFormat.of(Widget.class, "example.com/v1", "Widget");
		String item = "{\"metadata\":{\"name\":\"a\",\"labels\":{\"app\":\"web\"}},\"size\":\"big\",\"count\":7,\"ratio\":0.5}";
		List<Widget> widgets = list(format, true, item, item);
		assertThat(widgets.get(1)).isNotSameAs(widgets.get(0));
		assertThat(widgets.get(1).metadata).isSameAs(widgets.get(0).metadata);
		assertThat(widgets.get(1).size).isNotSameAs(widgets.get(0).size).hasToString("big");
		assertThat(widgets).extracting("count", "ratio").containsExactly(tuple(7, 0.5), tuple(7, 0.5));
	}

	@Test
	void earlierStateThatIsBeingModified_leavesTheObjectAsItIs() {
		ValueDecoder interrupted = new ValueDecoder() {

			@Override
			public Object decode(TokenReader reader) {
				throw new AssertionError("not called");
			}

			@Override
			public Object share(@Nullable Object value, @Nullable Object known) {
				throw new ConcurrentModificationException();
			}

		};
		assertThatNoException().isThrownBy(() -> RootDecoder.share(interrupted, "object", "known"));
	}

	private static JsonObject spec(DynamicKubernetesObject object) {
		return object.getRaw().getAsJsonObject("spec");
	}

	private static <T> List<T> list(JsonWireFormat<T> format, boolean shares, String... items) throws IOException {
		Sink<T> sink = new Sink<>(shares, null);
		format.readList(Bodies.whole(Bodies.list("Pod", items)), sink);
		return sink.objects();
	}

	static final class Widget implements KubernetesObject {

		V1ObjectMeta metadata = new V1ObjectMeta();

		@JsonAdapter(SizeAdapter.class)
		StringBuilder size = new StringBuilder();

		Map<String, Object> tree = Map.of();

		int count;

		double ratio;

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Widget";
		}

	}

	static final class SizeAdapter implements JsonDeserializer<StringBuilder> {

		@Override
		public StringBuilder deserialize(JsonElement json, Type type, JsonDeserializationContext context) {
			return new StringBuilder(json.getAsString());
		}

	}

	/**
	 * Sink that permits sharing or not, with an earlier state of every object.
	 */
	private static final class Sink<T> extends CollectingSink<T> {

		private final boolean shares;

		private final @Nullable T earlier;

		Sink(boolean shares, @Nullable T earlier) {
			this.shares = shares;
			this.earlier = earlier;
		}

		@Override
		public boolean shares() {
			return this.shares;
		}

		@Override
		public @Nullable T earlier(ObjectState state) {
			return this.earlier;
		}

	}

}
