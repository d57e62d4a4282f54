/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

	private static final Pattern MAJOR = Pattern.compile("^(\\d{1,4})\\.");

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		check(SpringBootVersion.getVersion());
	}

	static void check(@Nullable String version) {
		Matcher major = MAJOR.matcher((version != null) ? version : "");
		if (major.find() && Integer.parseInt(major.group(1)) < 4) {
			throw new UnsupportedSpringBootException(version);
		}
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	static final class UnsupportedSpringBootException extends InformerConfigurationException {

		private UnsupportedSpringBootException(@Nullable String version) {
			super("informer-spring-boot-starter requires Spring Boot 4, but the application uses version " + version
					+ ".", "Use Spring Boot 4 for the application, or remove informer-spring-boot-starter.", null);
		}

	}

}
