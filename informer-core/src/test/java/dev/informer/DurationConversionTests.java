/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.informer.client.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Searches the sources for conversions and sums of durations that throw for endless ones.
 * {@link TimeSource} has methods that do not.
 */
class DurationConversionTests {

	private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

	private static final Pattern CONVERSION = Pattern
		.compile("\\.to(?:Nanos|Millis)\\(\\)|Duration::to(?:Nanos|Millis)|\\.multipliedBy\\("
				+ "|(?<!TimeSource)\\.plus\\(");

	@Test
	void durations_areConvertedByTimeSource() throws IOException {
		List<String> found = new ArrayList<>();
		for (String module : List.of("informer-client", "informer-core", "informer-replicas",
				"informer-spring-boot-autoconfigure")) {
			try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
				for (Path file : files.filter((each) -> each.toString().endsWith(".java")).toList()) {
					if (CONVERSION.matcher(COMMENT.matcher(Files.readString(file)).replaceAll("")).find()) {
						found.add(file.getFileName().toString());
					}
				}
			}
		}
		assertThat(found).containsExactly("TimeSource.java");
	}

}
