/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.File;
import java.util.List;

import dev.informer.spring.KubernetesConnectionDetails;
import org.jspecify.annotations.Nullable;

/**
 * {@link ClusterSource} for {@link KubernetesConnectionDetails}.
 */
final class DetailsClusterSource implements ClusterSource {

	private final @Nullable KubernetesConnectionDetails details;

	DetailsClusterSource(@Nullable KubernetesConnectionDetails details) {
		this.details = details;
	}

	@Override
	public @Nullable Cluster find(List<String> locations) {
		if (this.details == null) {
			locations.add("property 'informer.connection.url': not set");
			return null;
		}
		KubernetesConnectionDetails details = this.details;
		String type = details.getClass().getSimpleName();
		return new Cluster(type.isEmpty() ? "KubernetesConnectionDetails" : type, details.getNamespace(),
				() -> settings(details));
	}

	/**
	 * Return the settings. Certificates are requested from the details whenever they may
	 * have changed, so that details that read files or bundles return the current ones.
	 */
	static ConnectionSettings settings(KubernetesConnectionDetails details) {
		String problem = ServerUrl.problem(details.getUrl());
		if (problem != null) {
			throw new IllegalStateException("its URL " + problem);
		}
		return new ConnectionSettings(details.getUrl(), details.isVerifyTls(), null, () -> tls(details),
				credentials(details), ConnectionSettings.NO_IMPERSONATION, null);
	}

	private static TlsMaterial tls(KubernetesConnectionDetails details) {
		String certificate = details.getClientCertificate();
		String key = details.getClientKey();
		return new TlsMaterial(details.getCaCertificate(),
				(certificate != null && key != null) ? new ClientCertificate(certificate, key) : null,
				details.getSslBundle());
	}

	private static Credentials credentials(KubernetesConnectionDetails details) {
		File file = details.getTokenFile();
		String token = details.getToken();
		if (file != null) {
			return new TokenFile(file.toPath(), null);
		}
		return Credentials.of((token != null) ? Credential.ofToken(token) : Credential.ANONYMOUS);
	}

}
