/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import dev.informer.InformerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Value of the header {@code User-Agent}, by which the audit log of the API server names
 * the application.
 */
final class UserAgent {

	private UserAgent() {
	}

	static String of(@Nullable String application) {
		String version = InformerFactory.class.getPackage().getImplementationVersion();
		String product = "informer/" + ((version != null) ? version : "unknown");
		String name = (application != null) ? application.replaceAll("[^\\x21-\\x7E]+", "-") : "";
		return name.isEmpty() ? product : name + " " + product;
	}

}
