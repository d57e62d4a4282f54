/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param name where it is, seen from the root of the repository
 * @param text what it says
 */
record Page(String name, String text) {

	private static final Path ROOT = root();

	/**
	 * Reads a page.
	 * @param name where it is, seen from the root of the repository
	 */
	static Page of(String name) {
		try {
			return new Page(name, Files.readString(ROOT.resolve(name)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The README and all pages in {@code docs}.
	 */
	static List<Page> all() {
		try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
			return Stream.concat(Stream.of("README.md"),
					files.map((file) -> "docs/" + file.getFileName()).filter((name) -> name.endsWith(".md")).sorted())
				.map(Page::of)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path root() {
		Path here = Path.of("").toAbsolutePath();
		return Files.exists(here.resolve("informer-core")) ? here : here.resolve("..").normalize();
	}

	/**
	 * The file of a page, or of something that it links to.
	 * @param link the link, seen from the page
	 */
	Path resolve(String link) {
		return ROOT.resolve(this.name).resolveSibling(link).normalize();
	}

	/**
	 * The rows of the first table after a line, without its head.
	 * @param heading the line
	 */
	List<List<String>> table(String heading) {
		List<String> lines = this.text.lines().toList();
		int start = lines.indexOf(heading);
		if (start < 0) {
			throw new IllegalStateException(this.name + " has no line '" + heading + "'");
		}
		return lines.subList(start + 1, lines.size())
			.stream()
			.dropWhile((line) -> !line.startsWith("|"))
			.takeWhile((line) -> line.startsWith("|"))
			.skip(2)
			.map(Page::cells)
			.toList();
	}

	private static List<String> cells(String row) {
		return Stream.of(row.substring(1, row.lastIndexOf('|')).split("(?<!\\\\)\\|", -1)).map(String::trim).toList();
	}

	/**
	 * The blocks of code in a language.
	 */
	List<String> blocks(String language) {
		List<String> blocks = new ArrayList<>();
		StringBuilder block = null;
		for (String line : this.text.lines().toList()) {
			if (block == null && line.equals("```" + language)) {
				block = new StringBuilder();
			}
			else if (block != null && line.equals("```")) {
				blocks.add(block.toString());
				block = null;
			}
			else if (block != null) {
				block.append(line).append('\n');
			}
		}
		return blocks;
	}

	@Override
	public String toString() {
		return this.name;
	}

}
