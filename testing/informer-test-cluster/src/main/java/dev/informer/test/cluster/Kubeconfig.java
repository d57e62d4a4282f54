/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.net.URI;
import java.util.Base64;

/**
 * Kubeconfig for one server and one user.
 */
final class Kubeconfig {

	private Kubeconfig() {
	}

	static String of(URI server, byte[] certificateAuthority, String user, String token) {
		return """
				apiVersion: v1
				kind: Config
				clusters:
				- name: test
				  cluster:
				    server: %s
				    certificate-authority-data: %s
				users:
				- name: %s
				  user:
				    token: %s
				contexts:
				- name: test
				  context:
				    cluster: test
				    user: %s
				current-context: test
				""".formatted(server, Base64.getEncoder().encodeToString(certificateAuthority), quoted(user),
				quoted(token), quoted(user));
	}

	private static String quoted(String value) {
		return '"' + value + '"';
	}

}
