/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.kubeconfig;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Context of a kubeconfig, with the cluster and the user that it names.
 *
 * @param name the name of the context
 * @param cluster the cluster
 * @param user the user; without keys if the context names none
 * @param userName the name of the user; empty if the context names none
 * @param namespace the namespace; {@code null} for none
 */
public record KubeconfigContext(String name, KubeconfigSection cluster, KubeconfigSection user, String userName,
		@Nullable String namespace) {

	private static final Set<String> CONTEXT = Set.of("cluster", "user", "namespace", "extensions");

	private static final Set<String> CLUSTER = Set.of("server", "tls-server-name", "insecure-skip-tls-verify",
			"certificate-authority", "certificate-authority-data", "proxy-url", "disable-compression", "extensions",
			"api-version");

	private static final Set<String> USER = Set.of("client-certificate", "client-certificate-data", "client-key",
			"client-key-data", "token", "tokenFile", "username", "password", "as", "as-uid", "as-groups",
			"as-user-extra", "auth-provider", "exec", "extensions");

	static KubeconfigContext of(String name, KubeconfigSection context, KubeconfigSection cluster,
			KubeconfigSection user, String userName) {
		context.rejectUnknownKeys(CONTEXT);
		cluster.rejectUnknownKeys(CLUSTER);
		user.rejectUnknownKeys(USER);
		return new KubeconfigContext(name, cluster, user, userName, context.text("namespace"));
	}

}
