/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Names}.
 */
class NamesTests {

	@ParameterizedTest
	@ValueSource(strings = { "pods", "v1pods", "a" })
	void lowercaseLettersAndDigits_areSimple(String name) {
		assertThat(Names.isSimple(name)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1pods", "my-pods", "my.pods", "Pods", "my_pods" })
	void otherCharacters_areNotSimple(String name) {
		assertThat(Names.isSimple(name)).isFalse();
	}

	@Test
	void nearest_isMostSimilarWithinTolerance() {
		List<String> known = List.of("pods", "nodes", "podtemplates");
		assertThat(Names.nearest("pod", known)).contains("pods");
		assertThat(Names.nearest("note", known)).isEmpty();
		assertThat(Names.nearest("nodez", known)).contains("nodes");
		assertThat(Names.nearest("certificates", known)).isEmpty();
	}

}
