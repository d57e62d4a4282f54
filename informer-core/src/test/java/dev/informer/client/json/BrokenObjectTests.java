/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEventReader;
import dev.informer.conformance.Conformance;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for objects that the parser or a user's code rejects, which must not affect other
 * objects. Texts are in ISO 8859-1, so that they can contain bytes that are not UTF-8.
 */
class BrokenObjectTests {

	private static final String CASE = "depth, name, string and number beyond any limit: "
			+ "one object at most is undecodable; adapter that throws an Error likewise";

	private static final String META = "\"metadata\":{\"annotations\":{\"name\":\"wrong\"},\"name\":\"bad\","
			+ "\"namespace\":\"shop\",\"ownerReferences\":[{\"name\":\"wrong\",\"uid\":\"wrong\"}],"
			+ "\"resourceVersion\":\"12\",\"uid\":\"u-1\"}";

	private static final String GOOD = "{\"metadata\":{\"name\":\"good\",\"resourceVersion\":\"7\"},"
			+ "\"spec\":{\"nodeName\":\"n\"}}";

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

	@Conformance(CASE)
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
		String body = Bodies.list("Pod", GOOD, object, GOOD, object, object, GOOD);
		for (InputStream response : List.of(bytes(body), Bodies.trickling(bytes(body).readAllBytes()))) {
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

	private static void verifyGood(V1Pod pod) {
		assertThat(pod.getMetadata()).isEqualTo(new V1ObjectMeta().name("good").resourceVersion("7"));
		assertThat(pod.getSpec().getNodeName()).isEqualTo("n");
	}

	@Conformance(CASE)
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

	@Conformance(CASE)
	@Test
	void brokenIdentity_isNotReported() throws IOException {
		CollectingSink<V1Pod> sink = new CollectingSink<>();
		this.pods.readList(bytes(Bodies.list("Pod", "{\"metadata\":{\"uid\":\"u\",\"name\":\"\u00ff\"}}", GOOD)), sink);
		assertThat(sink.objects()).hasSize(1);
		assertThat(sink.undecodable()).extracting(UndecodableObject::state)
			.containsExactly(new ObjectState(null, null, "u", null));
	}

	@Conformance(CASE)
	@Test
	void largeBrokenObject_isSkipped() throws IOException {
		String large = "\"" + "x".repeat(3_000_000) + "\"";
		for (String object : List.of("{\"a\":" + large + ",\"b\":nul," + META + "}",
				"{" + META + ",\"a\":" + large + ",\"b\":nul}", "{\"b\":nul," + META + ",\"a\":" + large + "}",
				"{" + META + ",\"b\":nul,\"a\":[" + (large + ",").repeat(3) + large + "]}")) {
			verify(object, "");
		}
	}

	/**
	 * Jackson's limit is 100 million characters.
	 */
	@Conformance(CASE)
	@Test
	void stringBeyondTheParsersLimit_makesItsObjectUndecodable() throws IOException {
		byte[] part = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
		for (String name : List.of("nodeName", "x\":{\"y")) {
			Stream<InputStream> text = Stream.generate(() -> (InputStream) new ByteArrayInputStream(part)).limit(100);
			Stream<InputStream> body = Stream
				.of(Stream.of(bytes("{\"kind\":\"PodList\",\"items\":[{\"spec\":{\"" + name + "\":\"")), text,
						Stream.of(bytes("\"}" + (name.contains("{") ? "}" : "") + "," + META + "}," + GOOD + "]}")))
				.flatMap((parts) -> parts);
			CollectingSink<V1Pod> sink = new CollectingSink<>();
			this.pods.readList(new SequenceInputStream(Collections.enumeration(body.toList())), sink);
			assertThat(sink.objects().size() + sink.undecodable().size()).isEqualTo(2);
			assertThat(sink.objects()).last().satisfies(BrokenObjectTests::verifyGood);
			assertThat(sink.undecodable()).allSatisfy((object) -> assertThat(object)
				.isEqualTo(new UndecodableObject(new ObjectState("shop", "bad", "u-1", "12"),
						"spec.nodeName: expected JSON within the parser's limits")));
		}
	}

	@Conformance(CASE)
	@ParameterizedTest
	@ValueSource(ints = { 1_000, 1_001, 5_000, 100_000 })
	@Timeout(60)
	void longNumber_isReadOrMakesItsObjectUndecodable(int digits) throws IOException {
		String number = "9".repeat(digits);
		for (String value : List.of(number, "-" + number, number + ".5", "0." + number, "1e" + number)) {
			verifyRead("{" + META + ",\"unknown\":" + value + "}");
			verifyRead("{" + META + ",\"spec\":{\"unknown\":[{\"a\":" + value + "}],\"nodeName\":\"n\"}}");
			verifyRead("{" + META + ",\"spec\":{\"nodeName\":" + value + "}}");
			for (String known : List.of("\"activeDeadlineSeconds\":", "\"priority\":", "\"overhead\":{\"cpu\":",
					"\"hostNetwork\":", "\"containers\":[{\"livenessProbe\":{\"httpGet\":{\"port\":")) {
				String end = known.contains("port") ? "}}}]" : known.contains("{") ? "}" : "";
				CollectingSink<V1Pod> sink = new CollectingSink<>();
				String object = "{\"spec\":{" + known + value + end + "}," + META + "}";
				this.pods.readList(bytes(Bodies.list("Pod", GOOD, object, GOOD)), sink);
				assertThat(sink.objects()).allSatisfy((pod) -> assertThat(pod.getMetadata().getName()).isNotNull());
				assertThat(sink.objects().size() + sink.undecodable().size()).isEqualTo(3);
				assertThat(sink.objects()).hasSizeGreaterThanOrEqualTo(2);
			}
			DynamicKubernetesObject untyped = readUntyped("{" + META + ",\"spec\":{\"a\":" + value + "}}");
			if (untyped != null) {
				assertThat(untyped.getRaw().getAsJsonObject("spec").get("a").getAsString()).hasSizeGreaterThan(5);
			}
		}
	}

	private void verifyRead(String object) throws IOException {
		CollectingSink<V1Pod> sink = new CollectingSink<>();
		this.pods.readList(bytes(Bodies.list("Pod", object, GOOD)), sink);
		assertThat(sink.undecodable()).isEmpty();
		assertThat(sink.objects()).hasSize(2);
	}

	private static @Nullable DynamicKubernetesObject readUntyped(String object) throws IOException {
		CollectingSink<DynamicKubernetesObject> sink = new CollectingSink<>();
		JsonWireFormat.of(DynamicKubernetesObject.class, "v1", "Widget")
			.readList(bytes(Bodies.list("Widget", object, GOOD)), sink);
		assertThat(sink.objects().size() + sink.undecodable().size()).isEqualTo(2);
		return (sink.undecodable().isEmpty()) ? sink.objects().get(0) : null;
	}

	@Conformance(CASE)
	@ParameterizedTest
	@ValueSource(strings = { "1e999999999", "1e-999999999", "1e600000000", "-1e600000000", "0e999999999",
			"1e2147483648", "1e-2147483648", "123456789e600000000" })
	@Timeout(10)
	void hugeExponent_takesNoTime(String number) throws IOException {
		CollectingSink<Numbers> sink = new CollectingSink<>();
		JsonWireFormat<Numbers> format = JsonWireFormat.of(Numbers.class, "v1", "Numbers");
		for (String field : List.of("decimal", "integer", "number", "large", "real", "quantity", "any")) {
			String object = "{" + META + ",\"" + field + "\":" + number + "}";
			format.readList(bytes(Bodies.list("Numbers", object, GOOD)), sink);
			readUntyped(object);
			readUntyped("{\"metadata\":{\"name\":\"a\",\"generation\":" + number + "}}");
		}
		assertThat(sink.objects().size() + sink.undecodable().size()).isEqualTo(14);
	}

	@Conformance(CASE)
	@Test
	void longName_isRead() throws IOException {
		String name = "n".repeat(3_000_000);
		verifyRead("{" + META + ",\"" + name + "\":1}");
		verifyRead("{\"metadata\":{\"name\":\"a\",\"labels\":{\"" + name + "\":\"1\"}}}");
	}

	@Conformance(CASE)
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

	static Stream<Arguments> failures() {
		return Stream
			.of(new IllegalStateException(), new AssertionError(), new StackOverflowError(), new OutOfMemoryError(),
					new NoClassDefFoundError(), new ExceptionInInitializerError(), new Exception(),
					new InterruptedException(), new Throwable())
			.flatMap((failure) -> Stream.of("adapter", "constructor", "metadata")
				.map((origin) -> arguments(origin, failure)));
	}

	@Conformance(CASE)
	@ParameterizedTest
	@MethodSource("failures")
	void throwingCodeOfUser_makesItsObjectUndecodable(String origin, Throwable failure) throws IOException {
		JsonWireFormat<Failing> format = JsonWireFormat.of(Failing.class, "v1", "Failing");
		String bad = "{\"fail\":\"" + origin + "\"," + META + "}";
		CollectingSink<Failing> sink = new CollectingSink<>();
		Failing.failure = failure;
		Failing.failing = origin.equals("constructor");
		try {
			format.readList(bytes(Bodies.list("Failing", bad, bad)), sink);
			assertThat(sink.undecodable()).hasSize(2)
				.allSatisfy((object) -> assertThat(object.state().key()).isEqualTo("shop/bad"));
			Failing.failing = false;
			format.readList(bytes(Bodies.list("Failing", GOOD, bad, GOOD)), sink);
			assertThat(sink.objects()).hasSize(origin.equals("constructor") ? 3 : 2);
		}
		finally {
			Failing.failing = false;
		}
	}

	@Conformance(CASE)
	@Test
	void classThatCannotBeInitialized_makesItsObjectUndecodable() throws IOException {
		CollectingSink<Container> sink = new CollectingSink<>();
		JsonWireFormat.of(Container.class, "v1", "Container")
			.readList(bytes(Bodies.list("Container", "{\"part\":{}," + META + "}", "{\"part\":{}," + META + "}", GOOD)),
					sink);
		assertThat(sink.objects()).hasSize(1);
		assertThat(sink.undecodable()).extracting(UndecodableObject::reason)
			.hasSize(2)
			.allSatisfy((reason) -> assertThat(reason).startsWith("part: expected an object, but the constructor of ")
				.endsWith("Error"));
	}

	@Conformance(CASE)
	@Test
	void adapterOfOtherType_makesItsObjectUndecodable() throws IOException {
		CollectingSink<Mistyped> sink = new CollectingSink<>();
		JsonWireFormat.of(Mistyped.class, "v1", "Mistyped")
			.readList(
					bytes(Bodies.list("Mistyped", "{\"number\":1," + META + "}", GOOD, "{" + META + ",\"number\":1}")),
					sink);
		assertThat(sink.objects()).hasSize(1);
		assertThat(sink.undecodable()).extracting(UndecodableObject::state)
			.containsOnly(new ObjectState("shop", "bad", "u-1", "12"));
	}

	@Test
	void numbersOutsideOfObjects_areRead() throws IOException {
		String number = "9".repeat(2_000);
		CollectingSink<V1Pod> sink = new CollectingSink<>();
		assertThat(this.pods
			.readList(bytes("{\"x\":" + number + ",\"kind\":\"PodList\",\"code\":" + number
					+ ",\"metadata\":{\"remainingItemCount\":" + number + ",\"resourceVersion\":42},\"items\":[]}"),
					sink)
			.resourceVersion()).isEqualTo("42");
		String status = "{\"kind\":\"Status\",\"code\":99999999999,\"reason\":\"Expired\","
				+ "\"details\":{\"retryAfterSeconds\":" + number + "}}";
		ServerStatus expected = new ServerStatus(410, "Expired", "", List.of(), null);
		assertThat(this.pods.readStatus(410, bytes(status))).isEqualTo(expected);
		String events = "{\"x\":" + number + ",\"type\":\"ERROR\",\"object\":" + status
				+ "}{\"type\":\"BOOKMARK\",\"object\":{\"spec\":" + number + ",\"metadata\":{\"resourceVersion\":9}}}";
		try (WatchEventReader<V1Pod> watch = this.pods.readWatch(bytes(events))) {
			assertThat(watch.next()).isEqualTo(
					new WatchEvent.Failure<V1Pod>(new ServerStatus(0, "Expired", "", List.of(), (Duration) null)));
			assertThat(watch.next()).isEqualTo(new WatchEvent.Bookmark<V1Pod>("9", false));
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

	private static InputStream bytes(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	static class Numbers {

		V1ObjectMeta metadata = new V1ObjectMeta();

		@Nullable BigDecimal decimal;

		@Nullable BigInteger integer;

		int number;

		long large;

		double real;

		@Nullable Quantity quantity;

		@Nullable Object any;

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

	static class Failing implements KubernetesObject {

		static Throwable failure = new Throwable();

		static boolean failing;

		private V1ObjectMeta metadata = new V1ObjectMeta();

		@JsonAdapter(FailingAdapter.class)
		@Nullable String fail;

		Failing() {
			if (failing) {
				throw sneaky(failure);
			}
		}

		@Override
		public V1ObjectMeta getMetadata() {
			if ("metadata".equals(this.fail)) {
				throw sneaky(failure);
			}
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "v1";
		}

		@Override
		public String getKind() {
			return "Failing";
		}

		@SuppressWarnings("unchecked")
		static <E extends Throwable> E sneaky(Throwable failure) throws E {
			throw (E) failure;
		}

	}

	static class FailingAdapter extends TypeAdapter<String> {

		@Override
		public String read(JsonReader in) throws IOException {
			String origin = in.nextString();
			if (origin.equals("adapter")) {
				throw Failing.<RuntimeException>sneaky(Failing.failure);
			}
			return origin;
		}

		@Override
		public void write(JsonWriter out, String value) {
			throw new UnsupportedOperationException();
		}

	}

	static class Container {

		V1ObjectMeta metadata = new V1ObjectMeta();

		@Nullable Uninitializable part;

	}

	static class Uninitializable {

		static final int VALUE = Integer.parseInt("x");

	}

	static class Mistyped {

		V1ObjectMeta metadata = new V1ObjectMeta();

		@JsonAdapter(TextAdapter.class)
		int number;

	}

	static class TextAdapter extends TypeAdapter<Object> {

		@Override
		public Object read(JsonReader in) throws IOException {
			return in.nextString();
		}

		@Override
		public void write(JsonWriter out, Object value) {
			throw new UnsupportedOperationException();
		}

	}

}
