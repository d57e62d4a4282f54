/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Resources for which the official client has a model, from a table in this jar. No
 * discovery is needed for them. A test generates the table from the client on the class
 * path and compares.
 */
final class OfficialModels {

	static final String TABLE = "official-models.tsv";

	static final String MODELS = "io.kubernetes.client.openapi.models.";

	private static final Comparator<String> VERSION_ORDER = Comparator
		.<String, Boolean>comparing((version) -> version.matches("v\\d+"))
		.thenComparing(Comparator.naturalOrder());

	private static final Map<String, String[]> rows = load();

	/**
	 * Plurals with their groups, in the syntax of {@link ResourceType#qualifiedName()}.
	 */
	private static final Set<String> resources = rows.values()
		.stream()
		.map((row) -> row[1].isEmpty() ? row[3] : row[3] + "." + row[1])
		.collect(Collectors.toUnmodifiableSet());

	private OfficialModels() {
	}

	static <T extends KubernetesObject> @Nullable ResourceType<T> find(Class<T> type) {
		String[] row = type.getName().startsWith(MODELS) ? rows.get(type.getSimpleName()) : null;
		return (row != null) ? new ResourceType<>(type, row[1], row[2], row[3], row[4], Boolean.parseBoolean(row[5]))
				: null;
	}

	static boolean isResource(String qualifiedName) {
		return resources.contains(qualifiedName);
	}

	/**
	 * Return the models by plural and by plural with group. Of several versions the
	 * highest stable one is returned; of several groups with the same plural, the core
	 * group. Models that the client on the class path does not have are left out: it may
	 * be older or newer than that of the table.
	 */
	static Map<String, ResourceType<?>> byName() {
		Map<String, ResourceType<?>> byName = new TreeMap<>();
		for (String model : rows.keySet()) {
			Class<? extends KubernetesObject> type = modelClass(model);
			if (type != null) {
				ResourceType<?> found = Objects.requireNonNull(find(type));
				byName.merge(found.qualifiedName(), found, OfficialModels::newest);
			}
		}
		for (ResourceType<?> found : List.copyOf(byName.values())) {
			byName.merge(found.plural(), found, (one, other) -> one.group().isEmpty() ? one : other);
		}
		return byName;
	}

	private static ResourceType<?> newest(ResourceType<?> one, ResourceType<?> other) {
		return (VERSION_ORDER.compare(one.version(), other.version()) >= 0) ? one : other;
	}

	private static @Nullable Class<? extends KubernetesObject> modelClass(String simpleName) {
		try {
			return Class.forName(MODELS + simpleName, false, OfficialModels.class.getClassLoader())
				.asSubclass(KubernetesObject.class);
		}
		catch (ClassNotFoundException ex) {
			return null;
		}
	}

	private static Map<String, String[]> load() {
		Map<String, String[]> rows = new HashMap<>();
		try (InputStream table = Objects.requireNonNull(OfficialModels.class.getResourceAsStream(TABLE));
				BufferedReader reader = new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
			reader.lines().skip(1).map((line) -> line.split("\t", -1)).forEach((row) -> rows.put(row[0], row));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return rows;
	}

}
