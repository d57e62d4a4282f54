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

import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEventReader;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.client.json.Bodies.GOOD;
import static dev.informer.client.json.Bodies.META;
import static dev.informer.client.json.Bodies.bytes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for strings, names and numbers near and beyond the limits of the parser, which
 * must not affect other objects.
 */
class ParserLimitTests {

	private final JsonWireFormat<V1Pod> pods = JsonWireFormat.of(V1Pod.class, "v1", "Pod");

	/**
	 * Jackson's limit is 100 million characters.
	 */
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

	@ParameterizedTest
	@ValueSource(ints = { 1_000, 1_001, 5_000, 100_000 })
	@Timeout(120)
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

	@Test
	void longName_isRead() throws IOException {
		String name = "n".repeat(3_000_000);
		verifyRead("{" + META + ",\"" + name + "\":1}");
		verifyRead("{\"metadata\":{\"name\":\"a\",\"labels\":{\"" + name + "\":\"1\"}}}");
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

}
