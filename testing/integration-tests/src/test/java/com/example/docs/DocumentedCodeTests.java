/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each Java block of the documentation is part of a compiled source file, and
 * that each dependency is a published module in the version of this build.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentedCodeTests {

	private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

	private static final Pattern DEPENDENCY = Pattern
		.compile("<groupId>dev\\.informer</groupId>\\s*<artifactId>([^<]*)</artifactId>\\s*<version>([^<]*)</version>"
				+ "|'dev\\.informer:([^:']*)(?::([^']*))?'");

	private static final Pattern PROJECT_VERSION = Pattern
		.compile("<artifactId>informer-parent</artifactId>\\s*<version>([^<]*)</version>");

	private final List<String> sources = new ArrayList<>();

	@BeforeAll
	void readSources() throws IOException {
		for (String folder : List.of("sample-app/src", "sample-controller/src", "testing/integration-tests/src",
				"benchmarks/src")) {
			try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
				for (Path file : files.filter((file) -> file.toString().endsWith(".java")).toList()) {
					this.sources.add(withoutIndentation(Files.readString(file)));
				}
			}
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void javaBlocks_arePartOfCompiledSources(Path page) throws IOException {
		List<String> missing = javaBlocks(Files.readString(ROOT.resolve(page))).stream()
			.filter((block) -> this.sources.stream().noneMatch((source) -> source.contains(withoutIndentation(block))))
			.toList();
		assertThat(missing).as("blocks of %s that are in no compiled source file, line by line", page).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("pages")
	void dependencies_arePublishedModules(Path page) throws IOException {
		for (MatchResult dependency : DEPENDENCY.matcher(Files.readString(ROOT.resolve(page))).results().toList()) {
			boolean maven = dependency.group(1) != null;
			assertThat(modules()).contains(dependency.group(maven ? 1 : 3));
			String version = dependency.group(maven ? 2 : 4);
			// with Gradle, the BOM can manage it
			assertThat((version != null) ? version : version()).isEqualTo(version());
		}
	}

	private static List<String> modules() throws IOException {
		try (Stream<Path> files = Files.find(ROOT, 3, (file, attributes) -> file.endsWith("pom.xml"))) {
			return files.filter(DocumentedCodeTests::isPublished)
				.map((file) -> Objects.requireNonNull(file.getParent()).getFileName().toString())
				.toList();
		}
	}

	private static boolean isPublished(Path pom) {
		try {
			return Files.readString(pom).contains("<unpublished>false</unpublished>");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String version() throws IOException {
		return PROJECT_VERSION.matcher(Files.readString(ROOT.resolve("pom.xml")))
			.results()
			.findFirst()
			.map((match) -> match.group(1))
			.orElseThrow();
	}

	static List<Path> pages() throws IOException {
		try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
			return Stream.concat(Stream.of(ROOT.resolve("README.md")), pages.sorted())
				.filter((page) -> page.toString().endsWith(".md"))
				.map(ROOT::relativize)
				.toList();
		}
	}

	private static List<String> javaBlocks(String page) {
		List<String> blocks = new ArrayList<>();
		for (String rest : page.split("(?m)^```java\n", -1)) {
			blocks.add(rest.substring(0, Math.max(0, rest.indexOf("\n```"))));
		}
		return blocks.subList(1, blocks.size());
	}

	private static String withoutIndentation(String code) {
		return code.replaceAll("(?m)^[ \t]+|[ \t]+$", "");
	}

}
