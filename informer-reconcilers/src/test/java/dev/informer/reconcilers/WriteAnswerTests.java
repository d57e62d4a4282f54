/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import dev.informer.writer.WriteListener;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ObjectWriter}: answers of any shape.
 */
@Timeout(60)
class WriteAnswerTests {

	private static final List<String> PATHS = List.of("kind", "status", "message", "reason", "code", "details",
			"details.causes", "details.causes.0", "details.causes.0.field", "details.causes.0.reason",
			"details.retryAfterSeconds", "metadata");

	private final InformerFactory factory = InformerFactory.create(
			new ApiClient(new OkHttpClient.Builder()
				.addInterceptor((chain) -> new Response.Builder().request(chain.request())
					.protocol(Protocol.HTTP_1_1)
					.code(this.code)
					.message("")
					.body(ResponseBody.create(this.answer, MediaType.get("application/json")))
					.build())
				.build()).setBasePath("http://127.0.0.1:1"));

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	/** What a call reads, so that its writes are held. */
	private final List<SharedIndexInformer<?>> informers = List.of(this.factory.informer(V1ConfigMap.class),
			this.factory.informer(ResourceType.dynamic("example.com", "v1", "carts", "Cart", true), (options) -> {
			}));

	private int code = 422;

	private String answer = "";

	@AfterEach
	void close() {
		this.factory.close();
	}

	static Stream<String> values() {
		return Stream.of("null", "true", "0", "-1", "1e999", "7.5", "9".repeat(10_000), "\"\"", "\"text\"",
				"\"" + "x".repeat(100_000) + "\"", "[]", "[null]", "[1]", "[[]]", "[\"a\", {}]", "[{\"reason\": []}]",
				"{}", "{\"a\": null}", "{\"causes\": 1}", "[".repeat(10_000), "{\"a\":".repeat(10_000), "", "\"");
	}

	@ParameterizedTest
	@MethodSource("values")
	void refusalOfAnyShape_isAnObjectWriteException(String value) {
		for (int status : new int[] { 400, 403, 404, 409, 422, 429, 500, 503 }) {
			this.code = status;
			for (String body : bodies(value)) {
				this.answer = body;
				refused(() -> this.writer.create(configMap()));
				refused(() -> this.writer.apply(configMap()));
				refused(() -> this.writer.update(configMap()));
				refused(() -> this.writer.patch(configMap(), (copy) -> copy.putDataItem("a", "b")));
				if (status != 404) {
					refused(() -> this.writer.delete(configMap()));
				}
				refused(() -> this.writer.create(untyped()));
			}
		}
	}

	@ParameterizedTest
	@MethodSource("values")
	void answerOfAnyShape_isAnObjectOrAnObjectWriteException(String value) {
		this.code = 200;
		for (String body : bodies(value)) {
			this.answer = body;
			WriteListener.listen(new OwnWrites(this.informers, null));
			answered(() -> this.writer.create(configMap()));
			answered(() -> this.writer.delete(configMap()));
			answered(() -> this.writer.create(untyped()));
			WriteListener.listen(null);
		}
	}

	@Test
	void otherProperties_areRead() {
		this.answer = """
				{"reason": "Invalid", "message": null, "details": {"causes": [null, 1,
				{"field": "spec.a", "reason": "FieldValueInvalid"}, {"field": {}, "reason": "FieldValueRequired"}]}}""";
		assertThatExceptionOfType(ObjectWriteException.class).isThrownBy(() -> this.writer.create(configMap()))
			.withMessageEndingWith("422 Invalid: spec.a (FieldValueInvalid), (FieldValueRequired)");
	}

	private static List<String> bodies(String value) {
		List<String> bodies = new ArrayList<>(List.of(value));
		for (String path : PATHS) {
			String[] names = path.split("\\.");
			StringBuilder body = new StringBuilder();
			for (String name : names) {
				body.append(name.equals("0") ? "[" : "{\"reason\": \"Invalid\", \"" + name + "\": ");
			}
			body.append(value);
			for (int i = names.length - 1; i >= 0; i--) {
				body.append(names[i].equals("0") ? "]" : "}");
			}
			bodies.add(body.toString());
		}
		for (String name : List.of("name", "deletionTimestamp", "finalizers", "deletionGracePeriodSeconds")) {
			bodies.add("{\"metadata\": {\"deletionTimestamp\": \"2030-01-01T00:00:00Z\", \"" + name + "\": " + value
					+ "}}");
		}
		for (String name : List.of("name", "kind", "namespaced")) {
			bodies.add("{\"resources\": [{\"name\": \"carts\", \"kind\": \"Cart\", \"" + name + "\": " + value + "}]}");
		}
		bodies.add("{\"resources\": " + value + "}");
		bodies.add("{\"resources\": [" + value + "]}");
		return bodies;
	}

	private void refused(Write write) {
		assertThatExceptionOfType(ObjectWriteException.class).as(shortened())
			.isThrownBy(write::send)
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(this.code))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(2_000));
	}

	private void answered(Write write) {
		try {
			write.send();
		}
		catch (ObjectWriteException ex) {
			assertThat(ex.getMessage()).as(shortened()).hasSizeLessThan(2_000);
		}
		catch (Exception ex) {
			throw new AssertionError(shortened(), ex);
		}
	}

	private String shortened() {
		return this.answer.substring(0, Math.min(this.answer.length(), 200));
	}

	private static V1ConfigMap configMap() {
		return new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace("shop").name("a").uid("uid").resourceVersion("1"));
	}

	private static DynamicKubernetesObject untyped() {
		JsonObject cart = JsonParser.parseString("""
				{"apiVersion": "example.com/v1", "kind": "Cart", "metadata": {"namespace": "shop", "name": "a"}}""")
			.getAsJsonObject();
		return new DynamicKubernetesObject(cart);
	}

	/**
	 * Write of an object.
	 */
	@FunctionalInterface
	private interface Write {

		void send() throws Exception;

	}

}
