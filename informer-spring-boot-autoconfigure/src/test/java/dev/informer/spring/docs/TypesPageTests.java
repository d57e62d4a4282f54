/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the tables of types, packages and modules with the sources.
 */
class TypesPageTests {

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

}
