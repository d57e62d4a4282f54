/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import org.jspecify.annotations.Nullable;

/**
 * Kubeconfig of an embedded server.
 */
final class Kubeconfig {

	private Kubeconfig() {
	}

	/**
	 * Return a kubeconfig whose current context is a server and the namespace
	 * {@code default}.
	 * @param url the URL of the server
	 * @param token the token of the user; {@code null} for none
	 */
	static String of(String url, @Nullable String token) {
		String user = (token != null) ? "\n    token: \"" + token + "\"" : " {}";
		return """
				apiVersion: v1
				kind: Config
				current-context: embedded
				clusters:
				- name: embedded
				  cluster:
				    server: %s
				contexts:
				- name: embedded
				  context:
				    cluster: embedded
				    namespace: default
				    user: embedded
				users:
				- name: embedded
				  user:%s
				""".formatted(url, user);
	}

}
