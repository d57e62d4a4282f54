/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * Exception for a version of Spring Boot before 4.
 */
class UnsupportedSpringBootException extends RuntimeException {

	UnsupportedSpringBootException(@Nullable String version) {
		super("informer-spring-boot-starter requires Spring Boot 4, but the application uses version " + version + ".");
	}

}
