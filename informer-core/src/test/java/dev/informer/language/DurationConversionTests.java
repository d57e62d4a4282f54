/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.language;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.informer.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Searches the sources for conversions and sums of durations that throw for endless ones.
 * {@link TimeSource} has methods that do not.
 */
class DurationConversionTests {

	private static final Pattern CONVERSION = Pattern
		.compile("\\.to(?:Nanos|Millis)\\(\\)|Duration::to(?:Nanos|Millis)|\\.multipliedBy\\("
				+ "|(?<!TimeSource)\\.plus\\(");

	@Test
	void durations_areConvertedByTimeSource() throws IOException {
		try (Stream<Path> sources = Stream.of("informer-core", "informer-spring-boot-autoconfigure")
			.flatMap((module) -> files(RepositoryRoot.find().resolve(module).resolve("src/main/java")))) {
			List<String> found = sources.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> CONVERSION.matcher(JavaText.of(read(file)).code()).find())
				.map((file) -> file.getFileName().toString())
				.toList();
			assertThat(found).containsExactly("TimeSource.java");
		}
	}

	private static Stream<Path> files(Path folder) {
		try {
			return Files.walk(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
