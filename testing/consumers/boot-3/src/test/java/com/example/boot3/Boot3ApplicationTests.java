/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.boot3;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@ExtendWith(OutputCaptureExtension.class)
class Boot3ApplicationTests {

	@Test
	void startup_failsWithTheRequirementAndNothingElse(CapturedOutput output) {
		assertThat(SpringBootVersion.getVersion()).startsWith("3.");
		assertThatThrownBy(() -> Boot3Application.main(new String[0]))
			.hasMessageContaining("requires Spring Boot 4, but the application uses version 3.");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"informer-spring-boot-starter requires Spring Boot 4, but the application uses version 3.",
				"Use Spring Boot 4 for the application");
		assertThat(output).doesNotContain("\tat ", "Caused by", "Exception", "NoClassDefFoundError", " WARN ");
	}

}
