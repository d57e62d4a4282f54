/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Name of a resource as users write it: {@code plural.version.group} or, for the version
 * that the server prefers, {@code plural.group}. The core group is omitted: {@code pods},
 * {@code pods.v1}.
 *
 * @param version the version; {@code null} for the preferred one
 * @param group the API group; empty for the core group
 */
record ResourceName(String plural, @Nullable String version, String group) {

	private static final Pattern VERSION = Pattern.compile("v[0-9]+((alpha|beta)[0-9]+)?");

	private static final Pattern NAME = Pattern.compile("[a-z0-9-]+(\\.[a-z0-9-]+)*");

	/**
	 * Parse a name.
	 * @throws IllegalArgumentException if the name is invalid
	 */
	static ResourceName parse(String text) {
		if (!NAME.matcher(text).matches()) {
			throw new IllegalArgumentException(
					"'" + text + "' is not the name of a resource. Use plural.version.group in lower case, "
							+ "such as certificates.v1.cert-manager.io");
		}
		String[] parts = text.split("\\.", 2);
		String rest = (parts.length > 1) ? parts[1] : "";
		String[] next = rest.split("\\.", 2);
		if (VERSION.matcher(next[0]).matches()) {
			return new ResourceName(parts[0], next[0], (next.length > 1) ? next[1] : "");
		}
		return new ResourceName(parts[0], null, rest);
	}

}
