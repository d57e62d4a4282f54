/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.test.ResourceDefinition;

/**
 * Table of all served resources, built in and added. Thread-safe.
 */
public final class ResourceTable {

	private static final List<ResourceDefinition> BUILT_IN = readBuiltIn();

	private final List<ResourceDefinition> definitions = new CopyOnWriteArrayList<>(BUILT_IN);

	public static List<ResourceDefinition> builtIn() {
		return BUILT_IN;
	}

	public List<ResourceDefinition> all() {
		return List.copyOf(this.definitions);
	}

	public void add(ResourceDefinition definition) {
		this.definitions.removeIf((existing) -> isSame(existing, definition));
		this.definitions.add(definition);
	}

	public boolean remove(ResourceDefinition definition) {
		return this.definitions.removeIf((existing) -> isSame(existing, definition));
	}

	public boolean hasGroupVersion(String group, String version) {
		return this.definitions.stream()
			.anyMatch((definition) -> definition.group().equals(group) && definition.version().equals(version));
	}

	public Optional<ResourceDefinition> find(String group, String version, String plural) {
		return this.definitions.stream()
			.filter((definition) -> definition.plural().equals(plural) && definition.group().equals(group)
					&& definition.version().equals(version))
			.findFirst();
	}

	/**
	 * Return the definition for the API version and kind of an object.
	 */
	public ResourceDefinition forKind(String apiVersion, String kind) {
		return this.definitions.stream()
			.filter((definition) -> definition.kind().equals(kind) && definition.apiVersion().equals(apiVersion))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("Cannot find a resource of kind \"" + kind + "\" in \""
					+ apiVersion + "\". Set the object's apiVersion and kind, or add the resource with addResource."));
	}

	/**
	 * Return the definition of a resource by its name, for instance {@code pods} or
	 * {@code deployments.apps}. The group is optional if the plural is in the core group
	 * or in one group only.
	 */
	public ResourceDefinition named(String resource) {
		List<ResourceDefinition> exact = matching(resource);
		if (!exact.isEmpty()) {
			return exact.get(0);
		}
		List<ResourceDefinition> byPlural = this.definitions.stream()
			.filter((definition) -> definition.plural().equals(resource))
			.toList();
		if (byPlural.stream().map(ResourceDefinition::group).distinct().count() == 1) {
			return byPlural.get(0);
		}
		throw new IllegalArgumentException(byPlural.isEmpty()
				? "Cannot find resource \"" + resource
						+ "\". Add it with addResource or create its CustomResourceDefinition."
				: "Cannot choose between the groups of \"" + resource + "\". Use one of "
						+ byPlural.stream().map(ResourceDefinition::resource).distinct().toList());
	}

	private List<ResourceDefinition> matching(String resource) {
		return this.definitions.stream().filter((definition) -> definition.resource().equals(resource)).toList();
	}

	private static boolean isSame(ResourceDefinition one, ResourceDefinition other) {
		return one.resource().equals(other.resource()) && one.version().equals(other.version());
	}

	private static List<ResourceDefinition> readBuiltIn() {
		try (InputStream in = Objects.requireNonNull(ResourceTable.class.getResourceAsStream("built-in-resources.csv"));
				BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
			List<ResourceDefinition> definitions = new ArrayList<>();
			reader.lines().skip(1).map((line) -> line.split(",")).forEach((columns) -> definitions.add(parse(columns)));
			return List.copyOf(definitions);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static ResourceDefinition parse(String[] columns) {
		return new ResourceDefinition(columns[0], columns[1], columns[2], columns[3], Boolean.parseBoolean(columns[4]),
				Boolean.parseBoolean(columns[5]), true);
	}

}
