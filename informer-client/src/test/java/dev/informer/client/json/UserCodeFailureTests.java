/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.util.stream.Stream;

import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.client.json.Bodies.GOOD;
import static dev.informer.client.json.Bodies.META;
import static dev.informer.client.json.Bodies.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for constructors, accessors and adapters of a user that throw during decoding,
 * which must not affect other objects.
 */
class UserCodeFailureTests {

	static Stream<Arguments> failures() {
		return Stream
			.of(new IllegalStateException(), new AssertionError(), new StackOverflowError(), new OutOfMemoryError(),
					new NoClassDefFoundError(), new ExceptionInInitializerError(), new Exception(),
					new InterruptedException(), new Throwable())
			.flatMap((failure) -> Stream.of("adapter", "constructor", "metadata")
				.map((origin) -> arguments(origin, failure)));
	}

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

	@Test
	void constructorThatAlwaysThrows_isReportedAtOnce() {
		assertThatIllegalArgumentException().isThrownBy(() -> JsonWireFormat.of(Refusing.class, "v1", "Refusing"))
			.withMessageContaining("the constructor of " + Refusing.class.getName()
					+ " threw java.lang.UnsupportedOperationException");
		assertThatIllegalArgumentException().isThrownBy(() -> JsonWireFormat.of(Container.class, "v1", "Container"))
			.withMessageContaining("Container.part")
			.withMessageContaining("ExceptionInInitializerError");
	}

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

	static class Refusing {

		V1ObjectMeta metadata = new V1ObjectMeta();

		Refusing() {
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
