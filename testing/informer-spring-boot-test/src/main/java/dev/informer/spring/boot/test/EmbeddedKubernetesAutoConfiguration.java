/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test;

import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Auto-configuration for the embedded API server of
 * {@link AutoConfigureEmbeddedKubernetes}.
 */
@AutoConfiguration(before = KubernetesConnectionAutoConfiguration.class)
public final class EmbeddedKubernetesAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	EmbeddedKubernetes embeddedKubernetes(ObjectProvider<EmbeddedKubernetesCustomizer> customizers) {
		EmbeddedKubernetes kubernetes = EmbeddedKubernetes
			.start((options) -> customizers.orderedStream().forEach((customizer) -> customizer.customize(options)));
		try {
			customizers.orderedStream().forEach((customizer) -> customizer.populate(kubernetes));
		}
		catch (RuntimeException ex) {
			kubernetes.close();
			throw ex;
		}
		return kubernetes;
	}

	@Bean
	@Primary
	KubernetesConnectionDetails embeddedKubernetesConnectionDetails(EmbeddedKubernetes kubernetes) {
		return KubernetesConnectionDetails.ofKubeconfig(kubernetes.kubeconfig());
	}

}
