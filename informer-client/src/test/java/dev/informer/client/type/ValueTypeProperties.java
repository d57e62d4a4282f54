/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.Strictness;
import dev.informer.client.json.Bodies;
import dev.informer.client.json.CollectingSink;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.client.type.JsonSampling.Leaf;
import dev.informer.client.type.JsonSampling.Place;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties that hold for each class that the start accepts, for one generated class and
 * random objects of it.
 */
final class ValueTypeProperties {

	private static final int CHANGES = 4;

	private static final Gson GSON = new GsonBuilder().serializeNulls()
		.setStrictness(Strictness.LENIENT)
		.serializeSpecialFloatingPointValues()
		.disableHtmlEscaping()
		.create();

	private static final Pattern REFUSAL = Pattern.compile("Cannot decode (\\S+): .+\\. \\S.+\\.", Pattern.DOTALL);

	private final GeneratedType type;

	private final Class<?> loaded;

	private final Random random;

	private final UnaryOperator<@Nullable Object> copier;

	ValueTypeProperties(GeneratedType type, Class<?> loaded, long seed) {
		this(type, loaded, seed, ValueType::copyOf);
	}

	/**
	 * Create the properties with another method that copies objects.
	 */
	ValueTypeProperties(GeneratedType type, Class<?> loaded, long seed, UnaryOperator<@Nullable Object> copier) {
		this.type = type;
		this.loaded = loaded;
		this.random = new Random(seed);
		this.copier = copier;
	}

	/**
	 * Verify the properties, and return whether the class was accepted.
	 * @param objects the number of objects
	 */
	boolean verify(int objects) throws IOException {
		JsonWireFormat<?> format;
		try {
			format = JsonWireFormat.of(this.loaded, TypeGenerator.API_VERSION, this.type.name()).withManagedFields();
		}
		catch (IllegalArgumentException ex) {
			assertThat(this.type.refusable()).as("%s may be refused: %s", this.type.name(), ex.getMessage()).isTrue();
			assertThat(ex.getMessage()).matches(REFUSAL).contains(this.type.name());
			return false;
		}
		assertThat(this.type.refusable()).as("%s is accepted", this.type.name()).isFalse();
		for (int i = 0; i < objects; i++) {
			verify(format);
		}
		return true;
	}

	private void verify(JsonWireFormat<?> format) throws IOException {
		JsonSampling sampling = new JsonSampling(this.random);
		JsonSample sample = this.type.shape().sample(sampling, new Place("", true), 0.8);
		named(sample.input());
		named(sample.expected());
		String json = GSON.toJson(sample.input());
		try {
			verify(format, sample, sampling, json);
		}
		catch (AssertionError | RuntimeException ex) {
			throw new AssertionError(ex.getMessage() + "\nJSON: " + json, ex);
		}
	}

	private static void named(JsonElement json) {
		JsonObject object = json.getAsJsonObject();
		if (!(object.get("metadata") instanceof JsonObject)) {
			object.add("metadata", new JsonObject());
		}
		object.getAsJsonObject("metadata").addProperty("name", "name");
	}

	private void verify(JsonWireFormat<?> format, JsonSample sample, JsonSampling sampling, String json)
			throws IOException {
		Object decoded = decode(format, json);
		JsonElement written = ValueType.jsonOf(decoded);
		assertThat(sampling.difference(sample.expected(), written)).as("decoded and written").isNull();
		verifyCopy(decoded, sample, sampling);
		verifyChanges(decoded, written);
		Object again = decode(format, json);
		assertThat(ValueType.difference(decoded, again)).as("decoded twice").isNull();
		assertThat(new ObjectGraph(decoded).shared(new ObjectGraph(again))).as("shared by decoding twice").isNull();
		if (!sampling.losesNull()) {
			assertThat(ValueType.difference(decode(format, GSON.toJson(written)), decoded))
				.as("decoded what was written")
				.isNull();
		}
		List<String> others = new ArrayList<>();
		for (int i = 0; i < CHANGES && !sampling.leaves().isEmpty(); i++) {
			Leaf leaf = sampling.leaves().get(this.random.nextInt(sampling.leaves().size()));
			String other = replaced(sampling, sample, leaf);
			if (other != null) {
				others.add(other);
				verifyNamed(decoded, decode(format, other), leaf.place(), "changed JSON " + other);
			}
		}
		verifySharing(format, sample, sampling, json, others);
	}

	/**
	 * Return the JSON with another leaf, which is restored.
	 */
	private static @Nullable String replaced(JsonSampling sampling, JsonSample sample, Leaf leaf) {
		JsonSample other = sampling.otherThan(leaf);
		if (other == null) {
			return null;
		}
		leaf.replacement().accept(other.input());
		String json = GSON.toJson(sample.input());
		leaf.replacement().accept(leaf.sample().input());
		return json;
	}

	private void verifyCopy(Object decoded, JsonSample sample, JsonSampling sampling) {
		Object copy = this.copier.apply(decoded);
		assertThat(copy).isNotNull();
		assertThat(ValueType.difference(decoded, copy)).as("copy").isNull();
		assertThat(ValueType.equal(copy, decoded)).as("copy is equal").isTrue();
		assertThat(sampling.difference(sample.expected(), ValueType.jsonOf(copy))).as("JSON of the copy").isNull();
		ObjectGraph graph = new ObjectGraph(decoded);
		ObjectGraph other = new ObjectGraph(copy);
		assertThat(graph.shared(other)).as("shared with the copy").isNull();
		assertThat(other.classes()).as("classes of the copy").isEqualTo(graph.classes());
	}

	/**
	 * Change everything in a copy, and some copies in one place each.
	 */
	private void verifyChanges(Object decoded, JsonElement written) {
		Object copy = this.copier.apply(decoded);
		new ObjectGraph(copy).changes().forEach(ObjectGraph.Change::apply);
		assertThat(ValueType.jsonOf(decoded).toString()).as("JSON after its copy was changed")
			.isEqualTo(written.toString());
		for (int i = 0; i < CHANGES; i++) {
			Object changed = this.copier.apply(decoded);
			List<ObjectGraph.Change> changes = new ObjectGraph(changed).changes();
			ObjectGraph.Change change = changes.get(this.random.nextInt(changes.size()));
			if (change.apply()) {
				verifyNamed(decoded, changed, change.place(), "changed copy");
			}
		}
	}

	private static void verifyNamed(Object decoded, Object changed, Place place, String description) {
		String difference = ValueType.difference(decoded, changed);
		assertThat(difference).as("difference at %s of %s", place, description).isNotNull();
		assertThat(place.isNamedBy(difference)).as("difference '%s' at %s of %s", difference, place, description)
			.isTrue();
		assertThat(ValueType.equal(changed, decoded)).as(description).isFalse();
	}

	private static void verifySharing(JsonWireFormat<?> format, JsonSample sample, JsonSampling sampling, String json,
			List<String> others) throws IOException {
		List<String> items = new ArrayList<>(List.of(json, json));
		items.addAll(others);
		items.add(json);
		CollectingSink<Object> shared = new CollectingSink<>(true);
		read(format, shared, items);
		for (int i = 0; i < items.size(); i++) {
			Object object = shared.objects().get(i);
			assertThat(ValueType.difference(decode(format, items.get(i)), object)).as("object %s with shared parts", i)
				.isNull();
			if (items.get(i).equals(json)) {
				assertThat(sampling.difference(sample.expected(), ValueType.jsonOf(object)))
					.as("JSON of object %s with shared parts", i)
					.isNull();
			}
		}
	}

	private static Object decode(JsonWireFormat<?> format, String json) throws IOException {
		CollectingSink<Object> sink = new CollectingSink<>(false);
		read(format, sink, List.of(json));
		return sink.objects().get(0);
	}

	@SuppressWarnings("unchecked")
	private static void read(JsonWireFormat<?> format, CollectingSink<Object> sink, List<String> items)
			throws IOException {
		((JsonWireFormat<Object>) format).readList(Bodies.whole(Bodies.list("Any", items.toArray(String[]::new))),
				sink);
		assertThat(sink.undecodable()).isEmpty();
		assertThat(sink.objects()).hasSameSizeAs(items);
	}

}
