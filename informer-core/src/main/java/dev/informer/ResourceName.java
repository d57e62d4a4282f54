/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A resource as users name it: {@code plural.version.group} or, for the version that the
 * server prefers, {@code plural.group}. Resources of the core group have no group:
 * {@code pods}, {@code pods.v1}.
 *
 * @param plural the name in the path of the API
 * @param version the version; {@code null} for the preferred one
 * @param group the API group; empty for the core group
 */
record ResourceName(String plural, @Nullable String version, String group) {

	private static final Pattern VERSION = Pattern.compile("v[0-9]+((alpha|beta)[0-9]+)?");

	private static final Pattern NAME = Pattern.compile("[a-z0-9-]+(\\.[a-z0-9-]+)*");

	/**
	 * Takes a name apart.
	 * @throws IllegalArgumentException when it is none
	 */
	static ResourceName parse(String text) {
		if (!NAME.matcher(text).matches()) {
			throw new IllegalArgumentException("'" + text + "' names no resource: write plural.version.group, "
					+ "such as certificates.v1.cert-manager.io, in lower case");
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
