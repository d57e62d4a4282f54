/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.List;

import dev.informer.spring.InformerConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link SpringBootVersionCheck}.
 */
class SpringBootVersionCheckTests {

	@ParameterizedTest
	@ValueSource(strings = { "3.5.7", "3.0.0-SNAPSHOT", "2.7.18" })
	void olderVersion_isRejectedByName(String version) {
		assertThatExceptionOfType(InformerConfigurationException.class)
			.isThrownBy(() -> SpringBootVersionCheck.check(version))
			.withMessage("informer-spring-boot-starter requires Spring Boot 4, but the application uses version "
					+ version + ".")
			.satisfies((ex) -> assertThat(ex.action()).startsWith("Use Spring Boot 4"));
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "4.0.0", "4.1.0-RC1", "5.0.0", "10.0.0", "unknown", "" })
	void otherVersion_isAccepted(String version) {
		assertThatNoException().isThrownBy(() -> SpringBootVersionCheck.check(version));
	}

	@Test
	void check_runsFirst() {
		List<ApplicationContextInitializer<?>> initializers = SpringFactoriesLoader
			.forDefaultResourceLocation(getClass().getClassLoader())
			.load(ApplicationContextInitializer.class)
			.stream()
			.<ApplicationContextInitializer<?>>map((initializer) -> initializer)
			.toList();
		assertThat(initializers).hasAtLeastOneElementOfType(SpringBootVersionCheck.class);
		assertThat(initializers.get(0)).isInstanceOf(SpringBootVersionCheck.class);
		assertThat(SpringBootVersion.getVersion()).startsWith("4.");
	}

}
