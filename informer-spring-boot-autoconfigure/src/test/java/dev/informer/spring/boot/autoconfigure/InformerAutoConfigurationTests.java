/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInjectionPointException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Service;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link InformerAutoConfiguration}: which beans there are.
 */
class InformerAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new);

	@Test
	void noInformers_createsRegistryWithoutClient() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(InformerRegistry.class).doesNotHaveBean(SharedIndexInformer.class);
			assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
			assertThat(context.getBean(InformerRegistry.class).informers()).isEmpty();
			assertThat(context.getBeanFactory().containsSingleton("kubernetesApiClient")).isFalse();
		});
	}

	@Test
	void handlerParameter_createsInformer() {
		this.contextRunner.withUserConfiguration(PodHandler.class).run((context) -> {
			SharedIndexInformer<?> informer = context.getBean("podsInformer", SharedIndexInformer.class);
			assertThat(informer.resourceType().type()).isEqualTo(V1Pod.class);
			assertThat(context.getBean("podsLister")).isSameAs(informer.lister());
			assertThat(context.getBean(InformerRegistry.class).informers()).containsExactly(informer);
		});
	}

	@Test
	void injectionPoints_createInformersAndAreInjectedByType() {
		this.contextRunner.withUserConfiguration(InjectionPoints.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeanNamesForType(SharedIndexInformer.class)).containsExactlyInAnyOrder("podsInformer",
					"nodesInformer", "deploymentsInformer", "servicesInformer", "configmapsInformer");
			Consumer consumer = context.getBean(Consumer.class);
			assertThat(consumer.pods).isSameAs(context.getBean("podsInformer"));
			assertThat(consumer.nodes.getObject()).isSameAs(context.getBean("nodesLister"));
			assertThat(consumer.deployments).isSameAs(context.getBean("deploymentsLister"));
			assertThat(consumer.services).isSameAs(context.getBean("servicesLister"));
		});
	}

	@Test
	void injectionPointsOfGenericBaseClass_createInformersOfTheTypeOfTheBean() {
		this.contextRunner.withBean(PodView.class).run((context) -> {
			assertThat(context).hasNotFailed();
			PodView view = context.getBean(PodView.class);
			assertThat(view.field).isSameAs(context.getBean("podsLister"));
			assertThat(view.setter).isSameAs(context.getBean("podsLister"));
			assertThat(view.informer).isSameAs(context.getBean("podsInformer"));
		});
	}

	@Test
	void injectionPointsOfContainers_createInformers() {
		this.contextRunner.withBean(Containers.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Containers containers = context.getBean(Containers.class);
			assertThat(containers.pods).containsOnlyKeys("podsLister");
			assertThat(containers.nodes).hasSize(1);
			assertThat(containers.services.getObject()).hasSize(1);
		});
	}

	@Test
	void injectionPointWithoutResource_failsStartup() {
		this.contextRunner.withUserConfiguration(StatusConsumer.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidInjectionPointException.class)
				.hasMessageContaining("no resource"));
	}

	@Test
	void pluralProperty_createsInformer() {
		this.contextRunner.withPropertyValues("informer.resources.pods.namespaces=shop").run((context) -> {
			SharedIndexInformer<?> informer = context.getBean("podsInformer", SharedIndexInformer.class);
			assertThat(informer.options().namespaces()).containsExactly("shop");
		});
	}

	@Test
	void namedProperty_createsInformerNotInjectedByType() {
		this.contextRunner.withUserConfiguration(TwoViews.class)
			.withPropertyValues("informer.resources.webpods.resource=pods",
					"informer.resources.webpods.label-selector=tier=web")
			.run((context) -> {
				TwoViews views = context.getBean(TwoViews.class);
				assertThat(views.all).isSameAs(context.getBean("podsLister"));
				assertThat(views.web).isSameAs(context.getBean("webpodsLister"));
				SharedIndexInformer<?> web = context.getBean("webpodsInformer", SharedIndexInformer.class);
				assertThat(web.options().labelSelector()).isEqualTo("tier=web");
				assertThat(web.name()).isEqualTo("webpods");
			});
	}

	@Test
	void onlyNamedInformer_isInjectedWhereParameterHasItsName() {
		this.contextRunner.withUserConfiguration(CalledLikeWebpods.class)
			.withPropertyValues("informer.resources.webpods.resource=pods")
			.run((context) -> {
				assertThat(context.getBeanNamesForType(SharedIndexInformer.class)).containsExactly("webpodsInformer");
				assertThat(context.getBean(CalledLikeWebpods.class).web).isSameAs(context.getBean("webpodsLister"));
			});
	}

	@Test
	void ambiguousParameterName_isRejected() {
		this.contextRunner.withUserConfiguration(CalledLikeWebpods.class, PodHandler.class)
			.withPropertyValues("informer.resources.webpods.resource=pods")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidInjectionPointException.class,
						(ex) -> assertThat(ex.action()).contains("@Qualifier(\"webpodsLister\")")));
	}

	@Test
	void qualifierOfDefaultInformer_createsIt() {
		this.contextRunner.withUserConfiguration(QualifiedByDefaultName.class).run((context) -> {
			assertThat(context.getBeanNamesForType(SharedIndexInformer.class)).containsExactly("podsInformer");
			assertThat(context.getBean(QualifiedByDefaultName.class).pods).isSameAs(context.getBean("podsLister"));
		});
		this.contextRunner.withUserConfiguration(QualifiedByDefaultName.class)
			.withPropertyValues("informer.resources.webpods.resource=pods")
			.run((context) -> assertThat(context.getBeanNamesForType(SharedIndexInformer.class))
				.containsExactlyInAnyOrder("webpodsInformer", "podsInformer"));
	}

	@Test
	void propertyWithGroupOrType_createsInformer() {
		this.contextRunner
			.withPropertyValues("informer.resources.apps.resource=deployments.apps",
					"informer.resources.nodes.type=io.kubernetes.client.openapi.models.V1Node")
			.run((context) -> {
				assertThat(context.getBean("appsInformer", SharedIndexInformer.class).resourceType().type())
					.isEqualTo(V1Deployment.class);
				assertThat(context.getBean("nodesInformer", SharedIndexInformer.class).resourceType().type())
					.isEqualTo(V1Node.class);
			});
	}

	@Test
	void userInformer_replacesDefault() {
		this.contextRunner.withUserConfiguration(OwnInformer.class, PodHandler.class, PodListerConsumer.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeanNamesForType(SharedIndexInformer.class)).containsExactly("myPods");
				SharedIndexInformer<?> own = context.getBean("myPods", SharedIndexInformer.class);
				assertThat(own.handlers()).hasSize(1);
				assertThat(context.getBean(PodListerConsumer.class).pods).isSameAs(own.lister());
			});
	}

	@Test
	void userLister_createsNoInformer() {
		this.contextRunner.withUserConfiguration(OwnLister.class, PodListerConsumer.class).run((context) -> {
			assertThat(context).doesNotHaveBean(SharedIndexInformer.class);
			assertThat(context.getBean(PodListerConsumer.class).pods).isSameAs(context.getBean("fakePods"));
		});
	}

	@Test
	void userApiClient_isUsed() {
		this.contextRunner.withBean("mine", ApiClient.class, ApiClient::new)
			.run((context) -> assertThat(context).hasSingleBean(ApiClient.class).hasBean("mine"));
	}

	@Test
	void factoryInformer_isListedByRegistry() {
		this.contextRunner.run((context) -> {
			SharedIndexInformer<V1Node> nodes = context.getBean(InformerFactory.class).informer(V1Node.class);
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			assertThat(registry.informer("nodes", V1Node.class)).isSameAs(nodes);
		});
	}

	@Test
	void lazyInitialization_startsInformers() {
		this.contextRunner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withUserConfiguration(PodHandler.class)
			.run((context) -> {
				assertThat(context.getBean(InformerRegistry.class).informers()).hasSize(1)
					.allMatch(SharedIndexInformer::hasSynced);
				assertThat(context.getBean(InformerRegistry.class).handlerIds()).containsExactly("podHandler.handle");
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class PodHandler {

		@Bean
		Handler podHandler() {
			return new Handler();
		}

	}

	static class Handler {

		@InformerHandler
		void handle(V1Pod pod) {
		}

	}

	abstract static class View<T extends KubernetesObject> {

		@Autowired
		@Nullable Lister<T> field;

		@Nullable Lister<T> setter;

		@Nullable SharedIndexInformer<T> informer;

		@Autowired
		void configure(Lister<T> lister, SharedIndexInformer<T> informer) {
			this.setter = lister;
			this.informer = informer;
		}

	}

	static class PodView extends View<V1Pod> {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Consumer.class)
	static class InjectionPoints {

		@Bean
		String summary(@Lazy Lister<V1ConfigMap> configMaps) {
			return "summary";
		}

	}

	static class Consumer {

		private final SharedIndexInformer<V1Pod> pods;

		private final ObjectProvider<Lister<V1Node>> nodes;

		@Autowired
		@Nullable Lister<V1Deployment> deployments;

		@Nullable Lister<V1Service> services;

		Consumer(SharedIndexInformer<V1Pod> pods, ObjectProvider<Lister<V1Node>> nodes) {
			this.pods = pods;
			this.nodes = nodes;
		}

		@Autowired
		void services(Lister<V1Service> services) {
			this.services = services;
		}

	}

	record Containers(Map<String, Lister<V1Pod>> pods, Lister<V1Node>[] nodes,
			ObjectProvider<List<Lister<V1Service>>> services) {

	}

	static class StatusConsumer {

		StatusConsumer(Lister<NoResource> lister) {
		}

	}

	abstract static class NoResource implements KubernetesObject {

	}

	static class TwoViews {

		private final Lister<V1Pod> all;

		private final Lister<V1Pod> web;

		TwoViews(Lister<V1Pod> podsLister, @Qualifier("webpodsLister") Lister<V1Pod> web) {
			this.all = podsLister;
			this.web = web;
		}

	}

	static class CalledLikeWebpods {

		private final Lister<V1Pod> web;

		CalledLikeWebpods(Lister<V1Pod> webpodsLister) {
			this.web = webpodsLister;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnInformer {

		@Bean
		SharedIndexInformer<V1Pod> myPods(InformerFactory factory) {
			return factory.informer(V1Pod.class, (options) -> options.name("mine"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnLister {

		@Bean
		Lister<V1Pod> fakePods() {
			return mock();
		}

	}

	static class QualifiedByDefaultName {

		private final Lister<V1Pod> pods;

		QualifiedByDefaultName(@Qualifier("podsLister") Lister<V1Pod> any) {
			this.pods = any;
		}

	}

	static class PodListerConsumer {

		private final Lister<V1Pod> pods;

		PodListerConsumer(Lister<V1Pod> pods) {
			this.pods = pods;
		}

	}

}
