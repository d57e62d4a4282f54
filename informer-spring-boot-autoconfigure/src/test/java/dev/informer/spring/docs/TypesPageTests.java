/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the types that pages name, and their packages and modules, with the sources.
 */
class TypesPageTests {

	/** A type in code font, optionally with a nested type or a member. */
	private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.\\w+)?`");

	@ParameterizedTest
	@ValueSource(strings = { "docs/handlers.md", "docs/testing.md" })
	void typesOfTable_areInPackageAndModule(String name) {
		Page page = Page.of(name);
		List<List<String>> rows = page.table("## Types and packages");
		assertThat(rows).isNotEmpty();
		for (List<String> row : rows) {
			for (String type : row.get(2).replace("`", "").split(", ")) {
				String source = row.get(1).replace("`", "") + "/src/main/java/"
						+ row.get(0).replace("`", "").replace('.', '/') + "/" + type.replaceFirst("[.].*", "")
						+ ".java";
				assertThat(Stream.of("../", "../testing/").map((folder) -> page.resolve(folder + source)))
					.as("%s: one file %s", name, source)
					.anyMatch((Path file) -> file.toFile().exists());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "docs/architecture.md", "docs/building.md" })
	void typesInCodeFont_exist(String name) throws IOException {
		Set<String> types = TYPE.matcher(Page.of(name).text())
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
		try (Stream<Path> files = Files.walk(Path.of(".."))) {
			assertThat(types).hasSizeGreaterThan(30)
				.isSubsetOf(files.map((file) -> file.getFileName().toString())
					.filter((file) -> file.endsWith(".java"))
					.map((file) -> file.replace(".java", ""))
					.collect(Collectors.toSet()));
		}
	}

}
