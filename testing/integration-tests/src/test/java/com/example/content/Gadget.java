/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.content;

import java.io.IOException;
import java.time.OffsetDateTime;

import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Custom resource with fields that not every object has in the right form.
 */
@CustomResource(group = "example.com", version = "v1", plural = "gadgets", kind = "Gadget")
class Gadget implements KubernetesObject {

	private @Nullable String apiVersion;

	private @Nullable String kind;

	private V1ObjectMeta metadata = new V1ObjectMeta();

	private @Nullable Spec spec;

	@Override
	public @Nullable String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public @Nullable String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	@Nullable Spec getSpec() {
		return this.spec;
	}

	/**
	 * Desired state.
	 */
	static class Spec {

		int size;

		@Nullable OffsetDateTime since;

		@Nullable Color color;

		@JsonAdapter(Number.class)
		@Nullable Integer number;

		@Nullable String text;

		@Override
		public boolean equals(Object other) {
			throw new IllegalStateException("for the test");
		}

		@Override
		public int hashCode() {
			return 1;
		}

	}

	/**
	 * Color.
	 */
	enum Color {

		RED

	}

	/**
	 * Adapter whose exception quotes the value.
	 */
	static class Number extends TypeAdapter<Integer> {

		@Override
		public void write(JsonWriter writer, Integer value) throws IOException {
			writer.value(value);
		}

		@Override
		public Integer read(JsonReader reader) throws IOException {
			return Integer.valueOf(reader.nextString());
		}

	}

}
