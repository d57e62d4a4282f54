/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.util.List;
import java.util.regex.Pattern;

/**
 * User who authenticates by a token.
 *
 * @param name the user's name, as RBAC subjects name it
 * @param token the bearer token
 * @param groups the groups that the user is in
 */
record TokenUser(String name, String token, List<String> groups) {

	private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._:@/+=-]+");

	TokenUser {
		requireAllowed("name of a user", name);
		requireAllowed("token of user " + name, token);
		groups = List.copyOf(groups);
		groups.forEach((group) -> requireAllowed("group of user " + name, group));
	}

	private static void requireAllowed(String what, String value) {
		if (!ALLOWED.matcher(value).matches()) {
			throw new IllegalArgumentException(
					"Invalid %s. Use letters, digits and . _ : @ / + = - only.".formatted(what));
		}
	}

	/**
	 * Return the line of this user for {@code --token-auth-file}.
	 * @return the line without line break
	 */
	String toLine() {
		return "%s,%s,%s,\"%s\"".formatted(this.token, this.name, this.name, String.join(",", this.groups));
	}

}
