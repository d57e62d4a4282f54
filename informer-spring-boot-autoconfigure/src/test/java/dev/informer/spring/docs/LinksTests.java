/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Follows the links of the documentation that lead to other files of the repository.
 */
class LinksTests {

	private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]*)(?:#([^)]*))?\\)");

	@ParameterizedTest
	@MethodSource("pages")
	void links_resolve(Page page) {
		LINK.matcher(page.text()).results().forEach((link) -> {
			Path target = link.group(1).isEmpty() ? page.resolve(page.name().replaceFirst(".*/", ""))
					: page.resolve(link.group(1));
			assertThat(target).as("%s links to %s", page, link.group()).exists();
			if (link.group(2) != null) {
				Path file = Files.isDirectory(target) ? target.resolve("README.md") : target;
				assertThat(anchors(file)).as("%s links to %s", page, link.group()).contains(link.group(2));
			}
		});
	}

	static Stream<Page> pages() {
		return Page.all().stream();
	}

	/**
	 * The anchors of a file, as the sites that show Markdown make them of headings.
	 */
	private static List<String> anchors(Path file) {
		try (Stream<String> lines = Files.lines(file)) {
			return lines.filter((line) -> line.startsWith("#"))
				.map((line) -> line.replaceFirst("^#+ ", "")
					.toLowerCase(Locale.ROOT)
					.replaceAll("[^a-z0-9 _-]", "")
					.replace(' ', '-'))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
