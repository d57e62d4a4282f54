/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;

import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchEventReader;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.client.json.Bodies.GOOD;
import static dev.informer.client.json.Bodies.META;
import static dev.informer.client.json.Bodies.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for objects that the parser rejects, which must not affect other objects. Texts
 * are in ISO 8859-1, so that they can contain bytes that are not UTF-8.
 */
class BrokenObjectTests {

	private final JsonWireFormat<V1Pod> pods = JsonWireFormat.of(V1Pod.class, "v1", "Pod");

	static Stream<String> brokenValues() {
		return Stream.of("hunter2", "012", "+1", "-", "1.", ".5", "1e", "0x10", "NaN", "Infinity", "True", "nul", "'a'",
				"\"hunter2\\q\"", "\"\\u12\"", "\"\\u12x4\"", "\"hunter2\u0001\"", "\"hunter2\n\"", "\"\u0000\"",
				"\"hunter2\" \"hunter2\"", "1 2", "{\"a\" 1}", "{\"a\"}", "{a:1}", "{\"a\":}", "{\"a\":1,}", "{,}",
				"[1,,2]", "[1 2]", "[,]", "", "\"hunter2\u0080\"", "\"\u00ff\"", "\"\u00c3\"", "\"\u00e6\u009d\"",
				"{\"\\ud800\":1}", "{\"a\\ude80\\ud83d\":\"\\ud83dx\"}", "\"\u00f8\u0088\u0080\u0080\u0080\"",
				"{\"\u00ff\":1}", "{\"a\":[\"\u00fe\"]}", "\u00ef\u00bb\u00bf1", "//x",
				"[{\"}]\":\"\\\"]\",\"b\":hunter2}]", "[".repeat(100_000) + "]".repeat(100_000),
				"{\"a\":".repeat(20_000) + "1" + "}".repeat(20_000));
	}

	@ParameterizedTest
	@MethodSource("brokenValues")
	void brokenValue_makesItsObjectUndecodable(String value) throws IOException {
		for (String property : List.of("spec", "unknown")) {
			verify("{" + META + ",\"" + property + "\":{\"nodeName\":" + value + "}}", property);
			verify("{\"" + property + "\":{\"nodeName\":" + value + ",\"name\":\"wrong\"}," + META + "}", property);
			verify("{\"metadata\":{\"name\":\"wrong\"},\"x\":" + value + "," + META + ",\"y\":" + value + "}", "x");
		}
	}

	private void verify(String object, String property) throws IOException {
		verify(object, property, 1);
	}

	/**
	 * Read the object in lists and events.
	 * @param size number of bytes that arrive at once in one of the lists
	 */
	private void verify(String object, String property, int size) throws IOException {
		String body = Bodies.list("Pod", GOOD, object, GOOD, object, object, GOOD);
		for (InputStream response : List.of(bytes(body), Bodies.trickling(bytes(body).readAllBytes(), size))) {
			CollectingSink<V1Pod> sink = new CollectingSink<>();
			assertThat(this.pods.readList(response, sink).resourceVersion()).isEqualTo("7");
			assertThat(sink.objects()).hasSize(3).allSatisfy(BrokenObjectTests::verifyGood);
			assertThat(sink.undecodable()).hasSize(3).allSatisfy((undecodable) -> verify(undecodable, property));
		}
		String events = "{\"type\":\"DELETED\",\"object\":" + object + "}\n{\"object\":" + object
				+ ",\"type\":\"MODIFIED\"}\n{\"type\":\"ADDED\",\"object\":" + GOOD + "}\n";
		try (WatchEventReader<V1Pod> watch = this.pods.readWatch(bytes(events))) {
			verify(watch.next(), ChangeType.DELETED, property);
			verify(watch.next(), ChangeType.MODIFIED, property);
			assertThat(watch.next()).isInstanceOfSatisfying(WatchEvent.Change.class,
					(event) -> verifyGood((V1Pod) event.object()));
			assertThat(watch.next()).isNull();
		}
	}

	private static void verify(@Nullable WatchEvent<V1Pod> event, ChangeType type, String property) {
		assertThat(event).isInstanceOfSatisfying(WatchEvent.Undecodable.class, (undecodable) -> {
			assertThat(undecodable.type()).isEqualTo(type);
			verify(undecodable.object(), property);
		});
	}

	private static void verify(UndecodableObject undecodable, String property) {
		assertThat(undecodable.state()).isEqualTo(new ObjectState("shop", "bad", "u-1", "12"));
		assertThat(undecodable.reason()).startsWith(property).doesNotContain("hunter2").hasSizeLessThan(400);
	}

	static void verifyGood(V1Pod pod) {
		assertThat(pod.getMetadata()).isEqualTo(new V1ObjectMeta().name("good").resourceVersion("7"));
		assertThat(pod.getSpec().getNodeName()).isEqualTo("n");
	}

	@Test
	void brokenBytes_areSkippedAtAnyPositionOfTheBuffer() throws IOException {
		for (int length = 16_200; length < 16_500; length++) {
			String padding = "{\"metadata\":{\"name\":\"good\",\"labels\":{\"a\":\"" + "x".repeat(length) + "\"}}}";
			CollectingSink<V1Pod> sink = new CollectingSink<>();
			this.pods.readList(bytes(Bodies.list("Pod", padding, "{" + META + ",\"x\":\"\u00e6\u009d\"}", GOOD)), sink);
			assertThat(sink.objects()).hasSize(2);
			assertThat(sink.undecodable()).extracting((object) -> object.state().name()).containsExactly("bad");
		}
	}

	@Test
	void brokenIdentity_isNotReported() throws IOException {
		CollectingSink<V1Pod> sink = new CollectingSink<>();
		this.pods.readList(bytes(Bodies.list("Pod", "{\"metadata\":{\"uid\":\"u\",\"name\":\"\u00ff\"}}", GOOD)), sink);
		assertThat(sink.objects()).hasSize(1);
		assertThat(sink.undecodable()).extracting(UndecodableObject::state)
			.containsExactly(new ObjectState(null, null, "u", null));
	}

	@Test
	void largeBrokenObject_isSkipped() throws IOException {
		String large = "\"" + "x".repeat(3_000_000) + "\"";
		for (String object : List.of("{\"a\":" + large + ",\"b\":nul," + META + "}",
				"{" + META + ",\"a\":" + large + ",\"b\":nul}", "{\"b\":nul," + META + ",\"a\":" + large + "}",
				"{" + META + ",\"b\":nul,\"a\":[" + (large + ",").repeat(3) + large + "]}")) {
			verify(object, "", 1_021);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "\\ud800", "\\udc00", "a\\ud83d", "\\ud83dx", "\\ude80\\ud83d", "\\u0000", "\\ufeff" })
	void loneSurrogate_isRead(String text) throws IOException {
		String object = "{\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"" + text
				+ "\"},\"managedFields\":[{\"fieldsV1\":{\"f:x\":[\"" + text + "\"]}}]},\"tree\":\"" + text
				+ "\",\"copied\":{\"x\":\"" + text + "\"}}";
		JsonWireFormat<Copied> format = JsonWireFormat.of(Copied.class, "v1", "Copied").withManagedFields();
		CollectingSink<Copied> sink = new CollectingSink<>();
		format.readList(bytes(Bodies.list("Copied", object, GOOD)), sink);
		assertThat(sink.undecodable()).isEmpty();
		String expected = String.valueOf(sink.objects().get(0).tree);
		assertThat(sink.objects().get(0)).satisfies((copied) -> {
			assertThat(copied.copied).isEqualTo("x" + expected);
			assertThat(copied.metadata.getLabels()).containsEntry("x", expected);
			assertThat(String.valueOf(copied.metadata.getManagedFields().get(0).getFieldsV1()))
				.isEqualTo("{f:x=[" + expected + "]}");
		});
		String events = "{\"object\":" + object + ",\"type\":\"ADDED\"}";
		try (WatchEventReader<Copied> watch = format.readWatch(bytes(events))) {
			assertThat(watch.next()).isInstanceOfSatisfying(WatchEvent.Change.class,
					(event) -> assertThat(((Copied) event.object()).copied).isEqualTo("x" + expected));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"metadata\":{\"name\":\"bad\"},\"x\":[nul}}",
			"{\"x\":nul,\"metadata\":{\"name\":\"bad\"}", "{\"metadata\":{\"name\":\"bad\"},\"x\":nul]}",
			"{\"metadata\":{\"name\":\"bad\"},\"x\":\u00ff\"}}" })
	void objectWithoutMatchingBrackets_failsTheRequest(String object) throws IOException {
		CollectingSink<V1Pod> sink = new CollectingSink<>();
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.pods.readList(bytes(Bodies.list("Pod", GOOD, object, GOOD, GOOD, GOOD)), sink));
		String events = ("{\"type\":\"ADDED\",\"object\":" + object + "}\n")
				+ ("{\"type\":\"ADDED\",\"object\":" + GOOD + "}\n").repeat(5);
		try (WatchEventReader<V1Pod> watch = this.pods.readWatch(bytes(events))) {
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(watch::next)
				.withMessageStartingWith("invalid JSON after ");
		}
	}

	static class Copied {

		V1ObjectMeta metadata = new V1ObjectMeta();

		@Nullable Object tree;

		@JsonAdapter(FirstEntry.class)
		@Nullable String copied;

	}

	static class FirstEntry extends TypeAdapter<String> {

		@Override
		public String read(JsonReader in) throws IOException {
			in.beginObject();
			String entry = in.nextName() + in.nextString();
			in.endObject();
			return entry;
		}

		@Override
		public void write(JsonWriter out, String value) {
			throw new UnsupportedOperationException();
		}

	}

}
