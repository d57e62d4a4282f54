/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import java.io.File;

import dev.informer.client.connection.ClusterConnection;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.config.InformerProperties;
import dev.informer.spring.config.InformerProperties.Connection;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for the connection to the Kubernetes API server. An
 * {@link ApiClient} bean of the application or of Spring Cloud Kubernetes is used as it
 * is. Otherwise a client is created when the first informer starts.
 */
@AutoConfiguration(before = InformerAutoConfiguration.class,
		afterName = "org.springframework.cloud.kubernetes.client.KubernetesClientAutoConfiguration")
@EnableConfigurationProperties(InformerProperties.class)
public final class KubernetesConnectionAutoConfiguration {

	@Bean
	ClusterConnection kubernetesConnection(InformerProperties properties,
			ObjectProvider<KubernetesConnectionDetails> details, ObjectProvider<SslBundles> bundles,
			Environment environment) {
		Connection connection = properties.connection();
		PropertiesKubernetesConnectionDetails.check(connection);
		KubernetesConnectionDetails declared = details.getIfAvailable();
		File kubeconfig = connection.kubeconfig();
		return ClusterConnection.create((settings) -> settings.failures(PropertiesKubernetesConnectionDetails::invalid)
			.server((declared != null) ? declared : fromProperties(connection, bundles))
			.kubeconfig((kubeconfig != null) ? kubeconfig.toPath() : null)
			.context(connection.context())
			.namespace(connection.namespace())
			.proxy(connection.proxy())
			.application(environment.getProperty("spring.application.name")));
	}

	/**
	 * Return the connection details from the properties. They are not a bean: its
	 * condition would be evaluated during ahead-of-time processing, when the URL is
	 * unknown.
	 */
	private static @Nullable KubernetesConnectionDetails fromProperties(Connection connection,
			ObjectProvider<SslBundles> bundles) {
		return (connection.url() != null) ? new PropertiesKubernetesConnectionDetails(connection, connection.url(),
				bundles.getIfAvailable(DefaultSslBundleRegistry::new)) : null;
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	ApiClient kubernetesApiClient(ClusterConnection connection) {
		return connection.apiClient();
	}

}
