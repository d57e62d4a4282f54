/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the size of the modules. The budgets were set 3 % above it. A commit that
 * raises one says why.
 */
class CodeBudgetTests {

	private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

	private static final Pattern NO_CODE = Pattern.compile("//.*|import .*|package .*|");

	@ParameterizedTest
	@CsvSource({ "informer-client,11080", "informer-core,10300", "informer-replicas,2670", "informer-reconcilers,5710",
			"informer-spring-boot-autoconfigure,6830" })
	void linesOfCode_areWithinTheBudget(String module, long budget, TestReporter reporter) throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
			long lines = files.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> !file.endsWith("package-info.java") && !file.endsWith("module-info.java"))
				.mapToLong(CodeBudgetTests::linesOfCode)
				.sum();
			reporter.publishEntry(module, lines + " of " + budget + " lines of code");
			assertThat(lines).as("lines of code of %s", module).isPositive().isLessThanOrEqualTo(budget);
		}
	}

	private static long linesOfCode(Path file) {
		try {
			return COMMENT.matcher(Files.readString(file))
				.replaceAll("")
				.lines()
				.map(String::strip)
				.filter((line) -> !NO_CODE.matcher(line).matches())
				.count();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
