/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.spring.InformerConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Check that the application uses Spring Boot 4. Without it, Spring Boot 3 would report a
 * missing class. The check runs before an auto-configuration is read, and uses only types
 * that exist in Spring Boot 3 as well.
 */
class SpringBootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		check(SpringBootVersion.getVersion());
	}

	static void check(@Nullable String version) {
		if (version != null && version.matches("[1-3]\\..*")) {
			throw new InformerConfigurationException(
					"informer-spring-boot-starter requires Spring Boot 4, but the application uses version " + version
							+ ".",
					"Use Spring Boot 4 for the application, or remove informer-spring-boot-starter.", null);
		}
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
