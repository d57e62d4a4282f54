/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.language;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Searches the sources, the properties and the documentation of the repository for words
 * that are not in the project's vocabulary.
 *
 * @see Vocabulary
 */
@TestInstance(Lifecycle.PER_CLASS)
class VocabularyTests {

	private static final Path ROOT = RepositoryRoot.find();

	private static final Pattern TEST_SOURCE = Pattern.compile(".*/src/test/.*\\.java");

	private static final Pattern MAIN_SOURCE = Pattern.compile(".*/src/main/.*\\.java");

	/** Javadoc that begins with a question word; "Whether" only before a field. */
	private static final Pattern QUESTION = Pattern
		.compile("/\\*\\*[\\s*]+(?:(?:What|Who(?:ever)?|How|When|Where|Which)\\b"
				+ "|Whether\\b(?:(?!\\*/)[\\s\\S])*\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s+)*"
				+ "[^;={(@]*(?:\\{|\\([^)]*\\)(?!\\s*default)))");

	private final Vocabulary vocabulary = Vocabulary.load();

	private final Set<String> apiIdentifiers = new HashSet<>();

	private final List<Path> files = new ArrayList<>();

	@BeforeAll
	void findFiles() throws IOException {
		try (Stream<Path> paths = Files.find(ROOT, Integer.MAX_VALUE,
				(path, attributes) -> attributes.isRegularFile() && isProse(ROOT.relativize(path)))) {
			paths.sorted().forEach(this.files::add);
		}
		this.files.stream()
			.filter((file) -> file.toString().endsWith(".java") && !isTestSource(file))
			.forEach((file) -> this.apiIdentifiers.addAll(JavaText.of(read(file)).identifiers()));
	}

	@Test
	void files_useTheVocabulary() {
		assertThat(this.files).hasSizeGreaterThan(500);
		List<String> findings = this.files.stream().flatMap((file) -> findings(file).stream()).toList();
		assertThat(findings).as("words of %s", Vocabulary.WORDS).isEmpty();
	}

	@Test
	void pages_haveOneSentencePerLine() {
		assertThat(this.files.stream().filter((file) -> file.toString().endsWith(".md")))
			.allSatisfy((file) -> assertThat(Markdown.furtherSentences(read(file))).as("%s", file).isEmpty());
	}

	@Test
	void javadocOfMainSources_beginsWithNoQuestionWord() {
		List<Path> sources = this.files.stream()
			.filter((file) -> MAIN_SOURCE.matcher(file.toString()).matches())
			.toList();
		assertThat(sources).hasSizeGreaterThan(200);
		assertThat(sources).noneMatch((file) -> QUESTION.matcher(read(file)).find());
	}

	private List<String> findings(Path file) {
		String name = ROOT.relativize(file).toString();
		String text = read(file);
		if (!name.endsWith(".java")) {
			return this.vocabulary.search(name, name.endsWith(".md") ? Markdown.prose(text) : text);
		}
		JavaText java = JavaText.of(text);
		List<String> findings = new ArrayList<>(this.vocabulary.search(name, java.prose()));
		if (isTestSource(file)) {
			findings.addAll(this.vocabulary.search(name, java.identifierWords(this.apiIdentifiers)));
		}
		return findings;
	}

	private static boolean isProse(Path path) {
		for (Path part : path) {
			if (part.toString().equals("target") || (part.toString().startsWith(".") && !path.startsWith(".ci"))) {
				return false;
			}
		}
		String name = path.getFileName().toString();
		return name.endsWith(".java") || name.endsWith(".md") || name.endsWith(".properties")
				|| name.equals("additional-spring-configuration-metadata.json")
				|| (path.startsWith("docs") && (name.endsWith(".yaml") || name.endsWith(".json")));
	}

	private static boolean isTestSource(Path file) {
		return TEST_SOURCE.matcher(file.toString()).matches();
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
