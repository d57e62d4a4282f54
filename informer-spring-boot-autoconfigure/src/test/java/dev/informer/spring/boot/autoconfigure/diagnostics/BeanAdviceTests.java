/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.List;

import dev.informer.HandlerInterceptor;
import dev.informer.IndexFunction;
import dev.informer.Lister;
import dev.informer.spring.InformerCustomizer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1HorizontalPodAutoscaler;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import io.kubernetes.client.util.Config;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Advice about beans that configure informers or connect them: followed literally, it
 * lets the application start.
 */
@Timeout(120)
class BeanAdviceTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url());

	@Test
	void indexFunctionOfClassThatReadsTheIndex_isDeclaredStaticOrElsewhere() {
		for (Class<?> configuration : List.of(ReadsInConstructor.class, ReadsInField.class)) {
			Advice advice = Advice.of(this.runner.withUserConfiguration(configuration));
			assertThat(advice.description()).contains("Bean 'byNode'", configuration.getSimpleName(), "IndexFunction")
				.contains("its method is not static");
			assertThat(advice.action()).contains("Declare the method static, or move it");
		}
		start(this.runner.withUserConfiguration(ReadsStaticIndex.class));
		start(this.runner.withUserConfiguration(Reader.class, Index.class));
	}

	@Test
	void twoVersionsOfOneResource_areReportedWithThePlaceAndAnotherName() {
		for (Class<?> bean : List.of(HandlesBothVersions.class, ReadsBothVersions.class,
				ReadsBothVersionsInOtherOrder.class)) {
			Advice advice = Advice.of(this.runner.withBean("both", bean));
			assertThat(advice.description()).contains(bean.getName())
				.contains(V1HorizontalPodAutoscaler.class.getName(), V2HorizontalPodAutoscaler.class.getName())
				.contains("which the application uses as well")
				.doesNotContain("informer.resources");
			for (Class<?> other : List.of(HandlesBothVersions.class, ReadsBothVersions.class,
					ReadsBothVersionsInOtherOrder.class)) {
				start(this.runner.withBean("both", other)
					.withPropertyValues("informer.resources." + advice.text("informer\\.resources\\.(\\S+=\\S+)\\.$")));
			}
		}
	}

	@Test
	void indexFunctionThatDependsOnReader_injectsAProvider() {
		Advice advice = Advice.of(this.runner.withUserConfiguration(Reader.class, DependentIndex.class));
		assertThat(advice.description()).contains("Bean 'byNode'", "it depends on an informer or lister");
		assertThat(advice.action()).contains("inject an ObjectProvider");
		start(this.runner.withUserConfiguration(Reader.class, IndexWithProvider.class));
	}

	@Test
	void customizerOfOtherType_isNotCreatedForAnInformer() {
		start(this.runner.withUserConfiguration(CustomizesOtherType.class));
	}

	@Test
	void indexWithNameOfBuiltInIndex_isRenamedOrEnabled() {
		Advice advice = Advice.of(this.runner.withUserConfiguration(Reader.class, OwnerIndex.class));
		assertThat(advice.description()).contains("Bean 'owner'", "The index 'owner' is built in");
		assertThat(advice.action()).contains("Give the bean, whose name is that of its index, another name");
		this.runner.withUserConfiguration(Reader.class)
			.withPropertyValues(advice.assignment("informer.resources.pods.indices"))
			.run((context) -> assertThat(
					context.getBean(InformerRegistry.class).informer("pods", V1Pod.class).indices())
				.containsKey("owner"));
	}

	@Test
	void customizerWithUnknownIndex_isNamed() {
		Advice advice = Advice.of(this.runner.withUserConfiguration(Reader.class, UnknownIndex.class));
		assertThat(advice.description()).contains("Bean 'ownedPods'", "Unknown built-in index 'owners'");
	}

	@Test
	void severalClients_areDistinguished() {
		ApplicationContextRunner reader = this.runner.withUserConfiguration(Reader.class)
			.withBean("ours", ApiClient.class, this::client);
		Advice advice = Advice.of(reader.withBean("other", ApiClient.class, this::client));
		assertThat(advice.description()).contains("ApiClient", "[ours, other]");
		assertThat(advice.action()).contains("@Primary", "@Bean(defaultCandidate = false)");
		start(reader.withBean("other", ApiClient.class, this::client,
				(definition) -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false)));
		start(this.runner.withUserConfiguration(Reader.class)
			.withBean("ours", ApiClient.class, this::client, (definition) -> definition.setPrimary(true))
			.withBean("other", ApiClient.class, this::client));
	}

	@Test
	void severalInterceptorsAndConnections_areDistinguished() {
		HandlerInterceptor interceptor = (informer, handler, event, invocation) -> invocation.proceed();
		Advice interceptors = Advice.of(this.runner.withUserConfiguration(Reader.class)
			.withBean("first", HandlerInterceptor.class, () -> interceptor)
			.withBean("second", HandlerInterceptor.class, () -> interceptor));
		assertThat(interceptors.description()).contains("HandlerInterceptor", "[first, second]");
		Advice connections = Advice.of(this.runner.withUserConfiguration(Reader.class)
			.withBean("first", KubernetesConnectionDetails.class, () -> this.kubernetes::url)
			.withBean("second", KubernetesConnectionDetails.class, () -> this.kubernetes::url));
		assertThat(connections.description()).contains("KubernetesConnectionDetails", "[first, second]");
	}

	private ApiClient client() {
		return Config.fromUrl(this.kubernetes.url(), false);
	}

	private static void start(ApplicationContextRunner runner) {
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
		});
	}

	static class HandlesBothVersions {

		@InformerHandler
		void one(V1HorizontalPodAutoscaler autoscaler) {
		}

		@InformerHandler
		void two(V2HorizontalPodAutoscaler autoscaler) {
		}

	}

	static class ReadsBothVersions {

		ReadsBothVersions(Lister<V1HorizontalPodAutoscaler> one, Lister<V2HorizontalPodAutoscaler> two) {
		}

	}

	static class ReadsBothVersionsInOtherOrder {

		ReadsBothVersionsInOtherOrder(Lister<V2HorizontalPodAutoscaler> two, Lister<V1HorizontalPodAutoscaler> one) {
		}

	}

	static class Reader {

		Reader(Lister<V1Pod> pods) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReadsInConstructor extends Reader {

		ReadsInConstructor(Lister<V1Pod> pods) {
			super(pods);
		}

		@Bean
		IndexFunction<V1Pod> byNode() {
			return (pod) -> List.of();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReadsInField {

		@Autowired
		private Lister<V1Pod> pods;

		@Bean
		IndexFunction<V1Pod> byNode() {
			return (pod) -> List.of();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReadsStaticIndex extends Reader {

		ReadsStaticIndex(Lister<V1Pod> pods) {
			super(pods);
		}

		@Bean
		static IndexFunction<V1Pod> byNode() {
			return (pod) -> List.of();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Index {

		@Bean
		IndexFunction<V1Pod> byNode() {
			return (pod) -> List.of();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DependentIndex {

		@Bean
		IndexFunction<V1Pod> byNode(Reader reader) {
			return (pod) -> List.of();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class IndexWithProvider {

		@Bean
		IndexFunction<V1Pod> byNode(ObjectProvider<Reader> reader) {
			return (pod) -> List.of();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CustomizesOtherType extends Reader {

		CustomizesOtherType(Lister<V1Pod> pods) {
			super(pods);
		}

		@Bean
		InformerCustomizer<V1Secret> secrets() {
			return (informer) -> {
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnerIndex {

		@Bean
		IndexFunction<V1Pod> owner() {
			return (pod) -> List.of();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UnknownIndex {

		@Bean
		InformerCustomizer<V1Pod> ownedPods() {
			return (informer) -> informer.enableIndex("owners");
		}

	}

}
