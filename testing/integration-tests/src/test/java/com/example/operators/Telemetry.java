/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.io.IOException;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.informer.client.CustomResource;

/**
 * Of Istio, with {@code oneOf} as a sealed interface, and numbers with decimals.
 */
@CustomResource(group = "telemetry.istio.io", version = "v1alpha1", plural = "telemetries")
class Telemetry extends Resource<Telemetry.Spec, Map<String, Object>> {

	static class Spec {

		List<Map<String, Object>> metrics;

		List<Logging> accessLogging;

		Tracing[] tracing;

	}

	static class Logging {

		boolean disabled;

		@JsonAdapter(Expression.class)
		String filter;

		Map<String, Mode> match;

		List<Provider> providers;

	}

	enum Mode {

		CLIENT, SERVER, CLIENT_AND_SERVER

	}

	record Provider(String name) {
	}

	static class Tracing {

		List<Provider> providers;

		Map<String, Mode> match;

		double randomSamplingPercentage;

		Boolean useRequestIdForTraceSampling;

		Boolean disableSpanReporting;

		Map<String, Tag> customTags;

	}

	@JsonAdapter(TagAdapter.class)
	sealed interface Tag {

	}

	record Literal(Map<String, String> literal) implements Tag {
	}

	record Header(Source header) implements Tag {
	}

	record Environment(Source environment) implements Tag {
	}

	record Source(String name, String defaultValue) {
	}

	static class TagAdapter implements JsonDeserializer<Tag>, JsonSerializer<Tag> {

		@Override
		public Tag deserialize(JsonElement json, Type type, JsonDeserializationContext context) {
			return switch (json.getAsJsonObject().keySet().iterator().next()) {
				case "literal" -> context.deserialize(json, Literal.class);
				case "header" -> context.deserialize(json, Header.class);
				default -> context.deserialize(json, Environment.class);
			};
		}

		@Override
		public JsonElement serialize(Tag tag, Type type, JsonSerializationContext context) {
			return context.serialize(tag, tag.getClass());
		}

	}

	static class Expression extends TypeAdapter<String> {

		@Override
		public String read(JsonReader in) throws IOException {
			in.beginObject();
			in.nextName();
			String expression = in.nextString();
			in.endObject();
			return expression;
		}

		@Override
		public void write(JsonWriter out, String value) throws IOException {
			if (value == null) {
				out.nullValue();
				return;
			}
			out.beginObject().name("expression").value(value).endObject();
		}

	}

}
