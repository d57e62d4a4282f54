/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test.testcontainers;

import dev.informer.Lister;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.cluster.K3sImage;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RequiredServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Namespace;
import org.junit.jupiter.api.Test;
import org.testcontainers.k3s.K3sContainer;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link K3sContainerConnectionDetailsFactory}.
 */
class K3sContainerConnectionDetailsFactoryTests {

	private static final String KUBECONFIG = """
			apiVersion: v1
			kind: Config
			current-context: default
			clusters:
			- name: default
			  cluster:
			    server: https://127.0.0.1:6443
			    certificate-authority-data: Y2E=
			contexts:
			- name: default
			  context: { cluster: default, user: default }
			users:
			- name: default
			  user: { client-certificate-data: Y2VydA==, client-key-data: a2V5 }
			""";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerAutoConfiguration.class))
		.withUserConfiguration(MockedContainer.class);

	@Test
	void details_areThoseOfTheContainersKubeconfig() {
		this.contextRunner.run((context) -> {
			K3sContainer container = context.getBean(K3sContainer.class);
			KubernetesConnectionDetails details = context.getBean(KubernetesConnectionDetails.class);
			verify(container, never()).getKubeConfigYaml();
			given(container.getKubeConfigYaml()).willReturn(KUBECONFIG);
			assertThat(details.getUrl()).isEqualTo("https://127.0.0.1:6443");
			assertThat(details.getCaCertificate()).isEqualTo("ca");
			assertThat(details.getClientCertificate()).isEqualTo("cert");
			assertThat(details.getClientKey()).isEqualTo("key");
			assertThat(details.getToken()).isNull();
			assertThat(details.getTokenFile()).isNull();
			assertThat(details.getNamespace()).isNull();
			assertThat(details.isVerifyTls()).isTrue();
		});
	}

	@Test
	void informers_watchContainerRegardlessOfProperties() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			this.contextRunner
				.withPropertyValues("informer.auto-startup=false", "informer.resources.namespaces.required=true",
						"informer.connection.url=http://127.0.0.1:1")
				.run((context) -> {
					given(context.getBean(K3sContainer.class).getKubeConfigYaml()).willReturn(kubernetes.kubeconfig());
					context.getBean(InformerRegistry.class).start();
					assertThat(context.getBean(ApiClient.class).getBasePath()).isEqualTo(kubernetes.url());
					assertThat(context.getBean("namespacesLister", Lister.class).size()).isEqualTo(4);
				});
		}
	}

	@Test
	@RealKubernetes(RequiredServer.K3S_CONTAINER)
	void realContainer_isFollowed() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off")
			.run()) {
			assertThat(context.getBean(Namespaces.class).lister().get("kube-system")).isPresent();
			assertThat(context.getBean(ApiClient.class).getBasePath()).startsWith("https://");
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class MockedContainer {

		@Bean
		@ServiceConnection
		K3sContainer container() {
			return mock(K3sContainer.class);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		@ServiceConnection
		K3sContainer container() {
			return K3sImage.local().orElseThrow().newContainer();
		}

		@Bean
		Namespaces namespaces(Lister<V1Namespace> lister) {
			return new Namespaces(lister);
		}

	}

	record Namespaces(Lister<V1Namespace> lister) {
	}

}
