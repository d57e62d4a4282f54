/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEventReader;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that every model decodes to the same object as with the official client's Gson.
 */
class ModelDecodingTests {

	/** Number of random objects of each model. */
	private static final int SEEDS = Integer.getInteger("decoding.seeds", 1);

	private static final Gson WRITER = new GsonBuilder().serializeNulls().create();

	private static final Gson PRETTY_WRITER = new GsonBuilder().serializeNulls().setPrettyPrinting().create();

	static Stream<Class<? extends KubernetesObject>> models() {
		return ModelSamples.models();
	}

	@Test
	void models_areFound() {
		assertThat(models()).hasSizeGreaterThan(80).contains(V1Pod.class);
	}

	@ParameterizedTest
	@MethodSource("models")
	<T extends KubernetesObject> void modelWithAllFields_decodesAsWithGson(Class<T> type) throws IOException {
		for (long seed = 1; seed <= SEEDS; seed++) {
			verify(type, new ModelSamples(seed, 0).objectOf(type));
		}
	}

	@ParameterizedTest
	@MethodSource("models")
	<T extends KubernetesObject> void modelWithNullsAndGaps_decodesAsWithGson(Class<T> type) throws IOException {
		for (long seed = 1; seed <= SEEDS; seed++) {
			JsonObject json = new ModelSamples(seed, 0.4).objectOf(type);
			if (!json.has("metadata") || json.get("metadata").isJsonNull()) {
				json.add("metadata", new ModelSamples(seed, 0.4).objectOf(V1ObjectMeta.class));
			}
			verify(type, json);
		}
	}

	@ParameterizedTest
	@MethodSource("models")
	<T extends KubernetesObject> void modelWithUnknownProperties_decodesAsWithout(Class<T> type) throws IOException {
		for (long seed = 1; seed <= SEEDS; seed++) {
			verify(type, new ModelSamples(seed, 0).objectOf(type),
					ModelSamples.withUnknownProperties(seed).objectOf(type));
		}
	}

	private <T extends KubernetesObject> void verify(Class<T> type, JsonObject json) throws IOException {
		verify(type, json, json);
	}

	private <T extends KubernetesObject> void verify(Class<T> type, JsonObject known, JsonObject json)
			throws IOException {
		T expected = ModelSamples.GSON.fromJson(WRITER.toJson(named(known)), type);
		String text = WRITER.toJson(named(json));
		boolean comparable = expected.equals(ModelSamples.GSON.fromJson(WRITER.toJson(known), type));
		JsonWireFormat<T> format = JsonWireFormat.of(type, "example.com/v1", "Example");
		JsonObject item = json.deepCopy();
		item.remove("apiVersion");
		item.remove("kind");
		for (InputStream body : bodies(item)) {
			CollectingSink<T> sink = new CollectingSink<>();
			format.readList(body, sink);
			assertThat(sink.undecodable()).isEmpty();
			assertThat(sink.objects()).hasSize(2).allSatisfy((actual) -> verify(actual, expected, comparable));
		}
		String event = "{\"type\":\"MODIFIED\",\"object\":" + text + "}\n";
		try (WatchEventReader<T> watch = format.readWatch(Bodies.whole(event + event))) {
			verify(change(watch), expected, comparable);
			verify(change(watch), expected, comparable);
			assertThat(watch.next()).isNull();
		}
	}

	private static JsonObject named(JsonObject object) {
		object.getAsJsonObject("metadata").addProperty("name", "web-1");
		object.addProperty("apiVersion", "example.com/v1");
		object.addProperty("kind", "Example");
		return object;
	}

	private static List<InputStream> bodies(JsonObject item) {
		String compact = WRITER.toJson(item);
		String pretty = PRETTY_WRITER.toJson(item);
		String escaped = Bodies.escaped(compact);
		return List.of(Bodies.whole(Bodies.list("Example", compact, pretty)),
				Bodies.trickling(Bodies.list("Example", compact, pretty)),
				Bodies.whole(Bodies.list("Example", escaped, escaped)));
	}

	private static <T> T change(WatchEventReader<T> watch) throws IOException {
		WatchEvent<T> event = watch.next();
		assertThat(event).isInstanceOf(WatchEvent.Change.class);
		return ((WatchEvent.Change<T>) event).object();
	}

	private static <T> void verify(T actual, T expected, boolean comparable) {
		if (comparable) {
			assertThat(actual).isEqualTo(expected);
		}
		else {
			assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
		}
		assertThat(JSON.serialize(actual)).isEqualTo(JSON.serialize(expected));
	}

}
