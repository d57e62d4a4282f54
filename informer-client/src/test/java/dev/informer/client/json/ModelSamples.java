/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.ToNumberPolicy;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Pod;
import jakarta.annotation.Nonnull;

/**
 * Generator of JSON with a value for every field of a model, at any depth.
 */
class ModelSamples {

	/**
	 * Gson of the official client, but with integers where the type is {@code Object}.
	 */
	static final Gson GSON = JSON.getGson()
		.newBuilder()
		.setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
		.create();

	private static final List<String> TEXTS = List.of("", "web-1", "registry.example.com/team/image:1.27.3",
			"a \"quote\"", "back\\slash", "line\nbreak\ttab", "\u0000\u001f", "grün", "東京", "\uD83D\uDE80 launch",
			"</script>", "null", "true", "1e3", "x".repeat(300), "ж".repeat(90));

	private final Random random;

	private final double nulls;

	private final boolean unknown;

	private final Deque<Class<?>> enclosing = new ArrayDeque<>();

	ModelSamples(long seed, double nulls) {
		this(seed, nulls, false);
	}

	private ModelSamples(long seed, double nulls, boolean unknown) {
		this.random = new Random(seed);
		this.nulls = nulls;
		this.unknown = unknown;
	}

	/**
	 * Return the same samples with additional unknown properties in every object.
	 */
	static ModelSamples withUnknownProperties(long seed) {
		return new ModelSamples(seed, 0, true);
	}

	/**
	 * Return all models of the official client that are Kubernetes objects.
	 */
	static Stream<Class<? extends KubernetesObject>> models() {
		try {
			URI jar = URI.create("jar:" + V1Pod.class.getProtectionDomain().getCodeSource().getLocation());
			String folder = V1Pod.class.getPackageName().replace('.', '/');
			try (FileSystem files = FileSystems.newFileSystem(jar, Map.of());
					Stream<Path> classes = Files.list(files.getPath(folder))) {
				return classes.map(ModelSamples::simpleName)
					.filter((name) -> !name.contains("$"))
					.sorted()
					.toList()
					.stream()
					.<Class<? extends KubernetesObject>>mapMulti((name, sink) -> {
						Class<?> type = load(V1Pod.class.getPackageName() + "." + name);
						if (KubernetesObject.class.isAssignableFrom(type)) {
							sink.accept(type.asSubclass(KubernetesObject.class));
						}
					});
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String simpleName(Path file) {
		return Objects.requireNonNull(file.getFileName()).toString().replace(".class", "");
	}

	private static Class<?> load(String name) {
		try {
			return Class.forName(name);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	JsonObject objectOf(Class<?> type) {
		JsonObject object = new JsonObject();
		this.enclosing.push(type);
		addUnknown(object, "aUnknown");
		for (Field field : type.getDeclaredFields()) {
			if (Modifier.isStatic(field.getModifiers())) {
				continue;
			}
			String name = field.getAnnotation(SerializedName.class).value();
			boolean required = field.isAnnotationPresent(Nonnull.class);
			if (isNestedInItself(field.getGenericType())) {
				continue;
			}
			if (field.getName().equals("name") || required || this.random.nextDouble() >= this.nulls) {
				object.add(name, value(field.getGenericType()));
			}
			else if (this.random.nextBoolean()) {
				object.add(name, JsonNull.INSTANCE);
			}
		}
		addUnknown(object, "");
		addUnknown(object, "unknown.example.com/größe");
		this.enclosing.pop();
		return object;
	}

	private void addUnknown(JsonObject object, String name) {
		if (this.unknown) {
			object.add(name, new ModelSamples(object.size(), 0).tree(3));
		}
	}

	private JsonElement value(Type type) {
		if (type instanceof ParameterizedType parameterized) {
			Type[] arguments = parameterized.getActualTypeArguments();
			return (parameterized.getRawType() == List.class) ? list(arguments[0]) : map(arguments[1]);
		}
		if (type == String.class) {
			return new JsonPrimitive(text());
		}
		if (type == Integer.class) {
			return new JsonPrimitive(this.random.nextInt());
		}
		if (type == Long.class) {
			return new JsonPrimitive(this.random.nextLong());
		}
		if (type == Double.class) {
			return new JsonPrimitive(this.random.nextGaussian() * 1e6);
		}
		if (type == Boolean.class) {
			return new JsonPrimitive(this.random.nextBoolean());
		}
		if (type == OffsetDateTime.class) {
			return new JsonPrimitive(timestamp());
		}
		if (type == Quantity.class) {
			return new JsonPrimitive(this.random.nextInt(2000) + pick(List.of("", "m", "Mi", "k", "e3", "Gi")));
		}
		if (type == IntOrString.class) {
			return this.random.nextBoolean() ? new JsonPrimitive(this.random.nextInt(65536))
					: new JsonPrimitive(this.random.nextInt(100) + "%");
		}
		if (type == byte[].class) {
			byte[] bytes = new byte[this.random.nextInt(40)];
			this.random.nextBytes(bytes);
			return new JsonPrimitive(Base64.getEncoder().encodeToString(bytes));
		}
		if (type == Object.class) {
			return tree(2);
		}
		return objectOf((Class<?>) type);
	}

	private JsonElement list(Type elements) {
		JsonArray array = new JsonArray();
		if (!isNestedInItself(elements)) {
			int size = 1 + this.random.nextInt(2);
			for (int i = 0; i < size; i++) {
				array.add(value(elements));
			}
		}
		return array;
	}

	private JsonElement map(Type values) {
		JsonObject object = new JsonObject();
		if (!isNestedInItself(values)) {
			int size = 1 + this.random.nextInt(2);
			for (int i = 0; i < size; i++) {
				object.add(text() + i, value(values));
			}
		}
		return object;
	}

	private boolean isNestedInItself(Type type) {
		return type instanceof Class<?> model && Collections.frequency(this.enclosing, model) > 1;
	}

	private JsonElement tree(int depth) {
		return switch (this.random.nextInt((depth > 0) ? 7 : 5)) {
			case 0 -> new JsonPrimitive(text());
			case 1 -> new JsonPrimitive(this.random.nextInt());
			case 2 -> new JsonPrimitive(this.random.nextDouble());
			case 3 -> new JsonPrimitive(this.random.nextBoolean());
			case 4 -> new JsonPrimitive(this.random.nextLong());
			case 5 -> {
				JsonArray array = new JsonArray();
				array.add(JsonNull.INSTANCE);
				array.add(tree(depth - 1));
				yield array;
			}
			default -> {
				JsonObject object = new JsonObject();
				object.add(text(), tree(depth - 1));
				object.add("absent", JsonNull.INSTANCE);
				yield object;
			}
		};
	}

	private String timestamp() {
		return String.format("20%02d-%02d-%02dT%02d:%02d:%02d%s", this.random.nextInt(100), 1 + this.random.nextInt(12),
				1 + this.random.nextInt(28), this.random.nextInt(24), this.random.nextInt(60), this.random.nextInt(60),
				pick(List.of("Z", "Z", ".123456Z", ".5Z", "+02:00", "-00:30", "+0000", ".123456789Z")));
	}

	private String text() {
		return pick(TEXTS);
	}

	private String pick(List<String> texts) {
		return texts.get(this.random.nextInt(texts.size()));
	}

}
