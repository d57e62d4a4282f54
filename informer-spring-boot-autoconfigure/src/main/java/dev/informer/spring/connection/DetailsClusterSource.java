/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.informer.spring.KubernetesConnectionDetails;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.credentials.ClientCertificateAuthentication;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link ClusterSource} for {@link KubernetesConnectionDetails}.
 */
final class DetailsClusterSource implements ClusterSource {

	private static final Logger logger = LoggerFactory.getLogger(DetailsClusterSource.class);

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
		return new Cluster(details.getClass().getSimpleName(), details.getNamespace(), () -> client(details));
	}

	static ApiClient client(KubernetesConnectionDetails details) {
		ClientBuilder builder = new ClientBuilder().setBasePath(details.getUrl())
			.setVerifyingSsl(details.isVerifyTls());
		String caCertificate = details.getCaCertificate();
		if (caCertificate != null) {
			builder.setCertificateAuthority(bytes(caCertificate));
		}
		if (!details.isVerifyTls()) {
			logger.atWarn()
				.addKeyValue("url", details.getUrl())
				.log("TLS verification is disabled for the Kubernetes API server {}", details.getUrl());
		}
		authenticate(details, builder);
		return builder.build();
	}

	private static void authenticate(KubernetesConnectionDetails details, ClientBuilder builder) {
		String token = details.getToken();
		String certificate = details.getClientCertificate();
		String key = details.getClientKey();
		if (details.getTokenFile() != null) {
			builder.setAuthentication(new TokenFile(details.getTokenFile().toPath()));
		}
		else if (token != null) {
			builder.setAuthentication(new AccessTokenAuthentication(token));
		}
		else if (certificate != null && key != null) {
			builder.setAuthentication(new ClientCertificateAuthentication(bytes(certificate), bytes(key)));
		}
	}

	private static byte[] bytes(String pem) {
		return pem.getBytes(StandardCharsets.UTF_8);
	}

}
