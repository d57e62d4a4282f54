/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;

/**
 * {@link KubernetesConnectionDetails} from the current context of a self-contained
 * kubeconfig.
 */
final class KubeconfigConnectionDetails implements KubernetesConnectionDetails {

	private final KubeConfig kubeconfig;

	private final String url;

	KubeconfigConnectionDetails(String text) {
		this.kubeconfig = read(text);
		String server = this.kubeconfig.getServer();
		if (server == null) {
			throw new IllegalArgumentException("The current context of the kubeconfig has no server");
		}
		this.url = server;
	}

	private static KubeConfig read(String text) {
		try (StringReader reader = new StringReader(text)) {
			return KubeConfig.loadKubeConfig(reader);
		}
	}

	@Override
	public String getUrl() {
		return this.url;
	}

	@Override
	public @Nullable String getCaCertificate() {
		return decode(this.kubeconfig.getCertificateAuthorityData());
	}

	@Override
	public @Nullable String getClientCertificate() {
		return decode(this.kubeconfig.getClientCertificateData());
	}

	@Override
	public @Nullable String getClientKey() {
		return decode(this.kubeconfig.getClientKeyData());
	}

	@Override
	public @Nullable String getToken() {
		Map<String, String> credentials = this.kubeconfig.getCredentials();
		return (credentials != null) ? credentials.get(KubeConfig.CRED_TOKEN_KEY) : null;
	}

	@Override
	public @Nullable String getNamespace() {
		return this.kubeconfig.getNamespace();
	}

	@Override
	public boolean isVerifyTls() {
		return this.kubeconfig.verifySSL();
	}

	private static @Nullable String decode(@Nullable String data) {
		return (data != null) ? new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8) : null;
	}

}
