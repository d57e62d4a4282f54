/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Runs Prometheus' {@code promtool} on the alert rules: each alert fires on its failure,
 * and none in a normal state.
 */
class PrometheusRulesTests {

	private static final String PROMTOOL = "INFORMER_TEST_PROMTOOL";

	private static final Path RULES = Path.of("../../docs/observability/prometheus-rules.yaml");

	private static final Path TESTS = Path.of("src/test/resources/prometheus-rules-tests.yaml");

	private final String promtool = System.getenv().getOrDefault(PROMTOOL, "");

	@BeforeEach
	void requirePromtool() {
		boolean required = "required".equals(System.getenv("INFORMER_TEST_REAL_SERVER"));
		assertThat(required && this.promtool.isEmpty()).as("missing " + PROMTOOL).isFalse();
		assumeTrue(!this.promtool.isEmpty(), PROMTOOL + " is not set");
	}

	@Test
	void rules_areValid() throws Exception {
		assertSucceeds("check", "rules", "--lint=all", "--lint-fatal", RULES.toString());
	}

	@Test
	void eachAlert_firesOnItsFailureOnly() throws Exception {
		assertSucceeds("test", "rules", TESTS.toString());
	}

	@Test
	void everyAlert_isTested() throws IOException {
		assertThat(names("alertname=\"([A-Za-z]+)\"", TESTS)).isEqualTo(names("- alert: ([A-Za-z]+)", RULES));
	}

	private static TreeSet<String> names(String pattern, Path file) throws IOException {
		TreeSet<String> names = new TreeSet<>();
		Pattern.compile(pattern)
			.matcher(Files.readString(file))
			.results()
			.map((match) -> match.group(1))
			.forEach(names::add);
		return names;
	}

	private void assertSucceeds(String... arguments) throws Exception {
		ProcessBuilder builder = new ProcessBuilder(this.promtool);
		builder.command().addAll(List.of(arguments));
		Process process = builder.redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
	}

}
