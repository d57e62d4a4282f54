/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.util.Set;

import dev.informer.spring.kubeconfig.Kubeconfig;
import dev.informer.spring.kubeconfig.KubeconfigContext;
import dev.informer.spring.kubeconfig.KubeconfigSection;
import org.jspecify.annotations.Nullable;

/**
 * {@link KubernetesConnectionDetails} from the current context of a self-contained
 * kubeconfig.
 */
final class KubeconfigConnectionDetails implements KubernetesConnectionDetails {

	private static final Set<String> CLUSTER = Set.of("server", "certificate-authority-data",
			"insecure-skip-tls-verify", "extensions", "disable-compression");

	private static final Set<String> USER = Set.of("client-certificate-data", "client-key-data", "token", "extensions");

	private final KubeconfigSection cluster;

	private final KubeconfigSection user;

	private final @Nullable String namespace;

	KubeconfigConnectionDetails(String text) {
		Kubeconfig kubeconfig = Kubeconfig.parse(text);
		KubeconfigContext context = kubeconfig.requiredContext();
		this.cluster = context.cluster();
		this.user = context.user();
		this.namespace = context.namespace();
		this.cluster.rejectUnknownKeys(CLUSTER);
		this.user.rejectUnknownKeys(USER);
		this.cluster.requiredText("server");
	}

	@Override
	public String getUrl() {
		return this.cluster.requiredText("server");
	}

	@Override
	public @Nullable String getCaCertificate() {
		return this.cluster.decodedText("certificate-authority-data");
	}

	@Override
	public @Nullable String getClientCertificate() {
		return this.user.decodedText("client-certificate-data");
	}

	@Override
	public @Nullable String getClientKey() {
		return this.user.decodedText("client-key-data");
	}

	@Override
	public @Nullable String getToken() {
		return this.user.text("token");
	}

	@Override
	public @Nullable String getNamespace() {
		return this.namespace;
	}

	@Override
	public boolean isVerifyTls() {
		return !this.cluster.isTrue("insecure-skip-tls-verify");
	}

}
