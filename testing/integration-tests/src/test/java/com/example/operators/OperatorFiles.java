/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.informer.client.ResourceType;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Definitions and examples of operators, in a folder beside this repository that only
 * some machines have.
 */
final class OperatorFiles {

	private static final Path FOLDER = Path.of("../../../shared/crds");

	private OperatorFiles() {
	}

	static boolean exist() {
		return Files.isDirectory(FOLDER);
	}

	/**
	 * Return the definition of a resource. Its conversion by a webhook, which does not
	 * run, is removed.
	 */
	static JsonObject definition(String folder, ResourceType<?> type) {
		JsonObject definition = documents(FOLDER.resolve(folder), "crd-", type.kind(),
				(tree) -> text(tree, "kind").equals("CustomResourceDefinition")
						&& text(tree.get("metadata").getAsJsonObject(), "name")
							.equals(type.plural() + "." + type.group()))
			.get(0);
		definition.getAsJsonObject("spec").remove("conversion");
		return definition;
	}

	/**
	 * Return the examples of a resource, in the files of all operators.
	 */
	static List<JsonObject> examples(ResourceType<?> type) {
		return documents(FOLDER, "example-", type.kind(),
				(tree) -> text(tree, "kind").equals(type.kind()) && text(tree, "apiVersion").equals(type.apiVersion()));
	}

	private static List<JsonObject> documents(Path folder, String prefix, String word, Predicate<JsonObject> filter) {
		List<JsonObject> documents = new ArrayList<>();
		try (Stream<Path> files = Files.walk(folder, 2)) {
			for (Path file : files.filter((path) -> path.getFileName().toString().startsWith(prefix))
				.sorted()
				.toList()) {
				String text = Files.readString(file);
				if (text.contains("kind: " + word)) {
					Iterable<Object> all = new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text);
					StreamSupport.stream(all.spliterator(), false)
						.map((document) -> new Gson().toJsonTree(document))
						.filter((tree) -> tree instanceof JsonObject object && filter.test(object))
						.forEach((tree) -> documents.add((JsonObject) tree));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return documents;
	}

	private static String text(JsonObject tree, String name) {
		return tree.has(name) ? tree.get(name).getAsString() : "";
	}

}
