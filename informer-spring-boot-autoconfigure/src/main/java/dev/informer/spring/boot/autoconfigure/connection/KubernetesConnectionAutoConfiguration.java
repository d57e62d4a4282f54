/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.InformerProperties;
import dev.informer.spring.boot.autoconfigure.InformerProperties.Connection;
import dev.informer.spring.connection.ApiClientFactory;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of the connection to the Kubernetes API server. An {@link ApiClient}
 * that the application or Spring Cloud Kubernetes has is used as it is; otherwise one is
 * built when the first informer starts.
 */
@AutoConfiguration(before = InformerAutoConfiguration.class,
		afterName = "org.springframework.cloud.kubernetes.client.KubernetesClientAutoConfiguration")
@EnableConfigurationProperties(InformerProperties.class)
public final class KubernetesConnectionAutoConfiguration {

	@Bean
	ApiClientFactory kubernetesClusters(InformerProperties properties,
			ObjectProvider<KubernetesConnectionDetails> details) {
		Connection connection = properties.getConnection();
		ConnectionProperties.check(connection);
		KubernetesConnectionDetails declared = details.getIfAvailable();
		return new ApiClientFactory((declared != null) ? declared : describedBy(connection), connection.getKubeconfig(),
				connection.getContext(), connection.getNamespace());
	}

	/**
	 * What the properties describe. No bean of its own: its condition would be decided
	 * when the application is built ahead of time, where nobody knows its API server.
	 */
	private static @Nullable KubernetesConnectionDetails describedBy(Connection connection) {
		return (connection.getUrl() != null)
				? new PropertiesKubernetesConnectionDetails(connection, connection.getUrl()) : null;
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	ApiClient kubernetesApiClient(ApiClientFactory clusters) {
		return clusters.createApiClient();
	}

}
