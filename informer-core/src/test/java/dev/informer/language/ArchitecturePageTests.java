/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.language;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares {@code docs/architecture.md} with the sources.
 */
class ArchitecturePageTests {

	/** A type in code font, optionally with a nested type or a member. */
	private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.\\w+)?`");

	private static final Pattern STATION = Pattern.compile("(?m)^\\| \\d+ \\|.*$");

	/** A model of the official client. */
	private static final Set<String> MODELS = Set.of("V1Pod");

	/** Not counted, as the page says. */
	private static final Set<String> DECODER = Set.of("ProtobufListReader", "ProtobufWireFormat", "ProtobufObjects",
			"JsonListReader", "ModelRootDecoder");

	private final String page;

	ArchitecturePageTests() throws IOException {
		this.page = Files.readString(RepositoryRoot.find().resolve("docs/architecture.md"));
	}

	@Test
	void types_exist() throws IOException {
		assertThat(types(this.page)).hasSizeGreaterThan(30).isSubsetOf(sources());
	}

	@Test
	void counts_areThoseOfTheTable() {
		List<String> stations = STATION.matcher(this.page).results().map((match) -> match.group()).toList();
		Set<String> types = types(String.join("\n", stations));
		types.removeAll(MODELS);
		types.removeAll(DECODER);
		assertThat(this.page).contains("The way has %d stations and %d types".formatted(stations.size(), types.size()));
	}

	private static Set<String> types(String text) {
		return TYPE.matcher(text).results().map((match) -> match.group(1)).collect(Collectors.toSet());
	}

	private static Set<String> sources() throws IOException {
		try (Stream<Path> files = Files.walk(RepositoryRoot.find())) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.endsWith(".java"))
				.map((name) -> name.replace(".java", ""))
				.collect(Collectors.toSet());
		}
	}

}
