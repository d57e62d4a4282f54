/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.util.Collections;
import java.util.List;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchEventReader;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the decoding of untyped objects.
 */
class DynamicDecodingTests {

	private static final String META = "\"metadata\":{\"name\":\"bad\",\"namespace\":\"shop\",\"resourceVersion\":\"12\",\"uid\":\"u-1\"}";

	private static final String GOOD = "{\"metadata\":{\"name\":\"good\",\"namespace\":\"shop\"}}";

	private static final String SPEC = "{\"object\":{},\"array\":[],\"text\":\"\",\"number\":7,\"flag\":true,"
			+ "\"list\":[{},[],\"\",7,true]}";

	private final JsonWireFormat<DynamicKubernetesObject> format = JsonWireFormat.of(DynamicKubernetesObject.class,
			"example.com/v1", "Widget");

	private final CollectingSink<DynamicKubernetesObject> sink = new CollectingSink<>();

	@Test
	void object_decodesAsWithGson() throws IOException {
		String json = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"y\"},"
				+ "\"creationTimestamp\":\"2024-05-01T10:00:00Z\"},\"spec\":{\"list\":[1,-2.5,true,false,null,\"\u00fc\",{},[]],"
				+ "\"large\":123456789012345678901234567890,\"long\":9007199254740993,\"none\":null}}";
		this.format.readList(Bodies.trickling(Bodies.list("Widget", json)), this.sink);
		assertThat(this.sink.objects()).singleElement().satisfies((object) -> {
			assertThat(object.getRaw()).isEqualTo(JsonParser.parseString(json));
			assertThat(object.getRaw()).hasToString(json);
			assertThat(object.getMetadata().getLabels()).containsEntry("x", "y");
		});
	}

	@Test
	void missingVersionAndKind_areFilledIn() throws IOException {
		this.format.readList(Bodies.whole(Bodies.list("Widget", GOOD,
				"{\"apiVersion\":\"v2\",\"kind\":\"Other\",\"metadata\":{\"name\":\"b\"}}")), this.sink);
		assertThat(this.sink.objects()).extracting(DynamicKubernetesObject::getApiVersion)
			.containsExactly("example.com/v1", "v2");
		assertThat(this.sink.objects()).extracting(DynamicKubernetesObject::getKind).containsExactly("Widget", "Other");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"kind\":\"%s\",\"items\":[%s]}", "{\"items\":[%2$s],\"kind\":\"%1$s\"}" })
	void listKindWithoutList_isRead(String body) throws IOException {
		for (String listKind : List.of("Widgets", "Widget", "Sheep", "WidgetCollection", "Listen")) {
			this.format.readList(Bodies.whole(body.formatted(listKind, GOOD)), this.sink);
		}
		assertThat(this.sink.objects()).hasSize(5);
	}

	@Test
	void strings_areSharedAmongObjects() throws IOException {
		String item = "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"phase\":\"Bound\",\"list\":[%s]}}";
		this.format.readList(Bodies.whole(Bodies.list("Widget", item.formatted(1), item.formatted(2))), this.sink);
		JsonObject one = this.sink.objects().get(0).getRaw().getAsJsonObject("spec");
		JsonObject other = this.sink.objects().get(1).getRaw().getAsJsonObject("spec");
		assertThat(one).isNotEqualTo(other);
		assertThat(one.get("phase")).isSameAs(other.get("phase"));
	}

	@Test
	void emptyValuesAndSmallNumbers_areShared() throws IOException {
		JsonObject spec = spec(true);
		for (String name : List.of("object", "array", "number", "flag")) {
			assertThat(spec.getAsJsonArray("list").asList()).as(name)
				.anySatisfy((element) -> assertThat(element).isSameAs(spec.get(name)));
		}
		// against the contract, but it must not change what is decoded from then on
		spec.getAsJsonObject("object").addProperty("modified", true);
		spec.getAsJsonArray("array").add(true);
		JsonObject later = spec(true);
		assertThat(later).hasToString(SPEC);
		assertThat(spec(true)).hasToString(SPEC);
	}

	@Test
	void emptyObjectsAndArrays_areNotShared_whereObjectsMayBeModified() throws IOException {
		JsonObject spec = spec(false);
		spec.getAsJsonObject("object").addProperty("modified", true);
		spec.getAsJsonArray("array").add(true);
		assertThat(spec.get("list")).hasToString("[{},[],\"\",7,true]");
		assertThat(spec(false)).hasToString(SPEC);
	}

	private JsonObject spec(boolean shares) throws IOException {
		CollectingSink<DynamicKubernetesObject> objects = new CollectingSink<>(shares);
		this.format.readList(
				Bodies.whole(Bodies.list("Widget", "{\"metadata\":{\"name\":\"a\"},\"spec\":" + SPEC + "}")), objects);
		return objects.objects().get(0).getRaw().getAsJsonObject("spec");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{}         |  3
			[]         |  3
			1          |  4
			""          |  3
			[1]        | 22
			""")
	void treeOfSmallValues_takesBoundedHeap(String element, int factor) throws IOException {
		String list = String.join(",", Collections.nCopies(1_000_000, element));
		String body = Bodies.list("Widget", "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"list\":[" + list + "]}}");
		this.format.readList(Bodies.whole(body), new CollectingSink<>());
		long before = usedHeap();
		this.format.readList(Bodies.whole(body), this.sink);
		assertThat((usedHeap() - before) / (double) list.length()).as(element).isLessThan(factor);
		assertThat(this.sink.objects()).hasSize(1);
	}

	private static long usedHeap() {
		long used = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			System.gc();
			used = Math.min(used, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
		}
		return used;
	}

	@Test
	void managedFields_areSkippedByDefault() throws IOException {
		String body = Bodies.list("Widget", "{\"metadata\":{\"managedFields\":[{\"manager\":\"m\"}],\"name\":\"a\"},"
				+ "\"spec\":{\"managedFields\":7}}");
		this.format.readList(Bodies.whole(body), this.sink);
		this.format.withManagedFields().readList(Bodies.whole(body), this.sink);
		JsonObject without = this.sink.objects().get(0).getRaw();
		assertThat(without.getAsJsonObject("metadata").has("managedFields")).isFalse();
		assertThat(without.getAsJsonObject("spec").has("managedFields")).isTrue();
		assertThat(this.sink.objects().get(1).getMetadata().getManagedFields()).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			"spec":1e99999999999 | spec: expected a number whose exponent has 32 bits
			"spec":[{"a":1e99999999999}] | spec[0].a: expected a number whose exponent has 32 bits
			""")
	void mismatch_isReportedAtAnyPosition(String mismatch, String reason) throws IOException {
		UndecodableObject expected = new UndecodableObject(new ObjectState("shop", "bad", "u-1", "12"), reason);
		verify("{" + mismatch + "," + META + "}", expected);
		verify("{" + META + "," + mismatch + ",\"status\":{\"x\":[{}]}}", expected);
	}

	@ParameterizedTest
	@CsvSource({ "labels,7", "labels,\"x\"", "ownerReferences,{}", "creationTimestamp,\"yesterday\"" })
	void metadataThatDoesNotFit_isReported(String property, String value) throws IOException {
		String object = "{" + META.replace("\"uid\"", "\"" + property + "\":" + value + ",\"uid\"") + "}";
		verify(object, new UndecodableObject(new ObjectState("shop", "bad", "u-1", "12"),
				"metadata: expected what fits io.kubernetes.client.openapi.models.V1ObjectMeta"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{} | metadata.name: expected a name
			{"metadata":null} | metadata.name: expected a name
			{"metadata":{}} | metadata.name: expected a name
			{"metadata":[]} | metadata: expected an object
			7 | expected an object
			null | expected an object
			""")
	void objectWithoutName_isReportedWithoutName(String object, String reason) throws IOException {
		verify(object, new UndecodableObject(new ObjectState(null, null, null, null), reason));
	}

	@Test
	void deepNesting_isReported() throws IOException {
		String deep = "[".repeat(9000) + "]".repeat(9000);
		this.format.readList(Bodies.whole(Bodies.list("Widget", "{\"spec\":" + deep + "," + META + "}", GOOD)),
				this.sink);
		assertThat(this.sink.undecodable()).singleElement()
			.satisfies((object) -> assertThat(object.state().name()).isEqualTo("bad"))
			.satisfies((object) -> assertThat(object.reason()).endsWith("expected no more than 500 levels of nesting"));
		assertThat(this.sink.objects()).hasSize(1);
	}

	private void verify(String object, UndecodableObject expected) throws IOException {
		CollectingSink<DynamicKubernetesObject> list = new CollectingSink<>();
		this.format.readList(Bodies.whole(Bodies.list("Widget", GOOD, object, GOOD)), list);
		assertThat(list.objects()).hasSize(2);
		assertThat(list.undecodable()).containsExactly(expected);
		String events = "{\"type\":\"DELETED\",\"object\":" + object + "}{\"type\":\"ADDED\",\"object\":" + GOOD + "}";
		try (WatchEventReader<DynamicKubernetesObject> watch = this.format.readWatch(Bodies.whole(events))) {
			assertThat(watch.next())
				.isEqualTo(new WatchEvent.Undecodable<DynamicKubernetesObject>(ChangeType.DELETED, expected));
			assertThat(watch.next()).isInstanceOf(WatchEvent.Change.class);
			assertThat(watch.next()).isNull();
		}
	}

}
