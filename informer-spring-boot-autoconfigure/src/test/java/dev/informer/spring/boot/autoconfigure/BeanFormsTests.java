/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Forms of beans, each with a handler, a reconciler, a lister, an informer and a writer.
 */
@Timeout(120)
class BeanFormsTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url());

	@ParameterizedTest
	@ValueSource(classes = { Component.class, EnhancedConfiguration.class, PlainConfiguration.class, BeanMethod.class,
			StaticBeanMethod.class, OfFactoryBean.class, OfFactoryBeanMethod.class, ClassProxy.class,
			InterfaceProxy.class, GenericClass.class, PrototypeScope.class, ThreadScope.class, LazyBean.class })
	void form_isHandledReconciledAndInjected(Class<?> form) {
		createService();
		this.runner.withUserConfiguration(form, Seen.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertUsed(context);
		});
	}

	@Test
	void formOfChildContext_isHandledReconciledAndInjected() {
		createService();
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(Seen.class)) {
			this.runner.withParent(parent).withUserConfiguration(Component.class).run((context) -> {
				assertThat(context).hasNotFailed();
				assertUsed(context);
			});
		}
	}

	@Test
	void formWithMocks_isHandledReconciledAndInjected() {
		this.runner.withUserConfiguration(Component.class, Mocks.class, Seen.class).run((context) -> {
			assertThat(context).hasNotFailed();
			create();
			await().untilAsserted(() -> assertThat(context.getBean(Seen.class).entries)
				.contains("handled a beside 7 services and 1 pods", "reconciled m and applied mocked"));
		});
	}

	@Test
	@CompileWithForkedClassLoader
	void formsProcessedAheadOfTime_areHandledReconciledAndInjected() {
		createService();
		TestGenerationContext generation = new TestGenerationContext(BeanFormsTests.class);
		GenericApplicationContext source = new GenericApplicationContext();
		new AnnotatedBeanDefinitionReader(source).register(BeanMethod.class, OfFactoryBean.class, GenericClass.class,
				Seen.class, InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class);
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			GenericApplicationContext context = new GenericApplicationContext();
			initialize(compiled.getInstance(ApplicationContextInitializer.class, initializer.canonicalName()), context);
			TestPropertyValues.of("informer.connection.url=" + this.kubernetes.url()).applyTo(context);
			TestPropertyValues.of("spring.aot.enabled=true").applyToSystemProperties(() -> {
				context.refresh();
				return null;
			});
			try (context) {
				create();
				await().untilAsserted(() -> assertThat(context.getBean(Seen.class).entries)
					.filteredOn("handled a beside 1 services and 1 pods"::equals)
					.hasSize(3));
				await().untilAsserted(() -> assertThat(context.getBean(Seen.class).entries)
					.filteredOn("reconciled m and applied written"::equals)
					.hasSize(3));
			}
		});
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static void initialize(ApplicationContextInitializer initializer, GenericApplicationContext context) {
		initializer.initialize(context);
	}

	private void createService() {
		this.kubernetes.create(new V1Service().apiVersion("v1")
			.kind("Service")
			.metadata(new V1ObjectMeta().namespace("default").name("s"))
			.spec(new V1ServiceSpec().addPortsItem(new V1ServicePort().port(80))));
	}

	private void create() {
		this.kubernetes.create(TestObjects.configMap("default", "m"));
		this.kubernetes.create(TestObjects.pod("default", "a"));
	}

	private void assertUsed(ApplicationContext context) {
		create();
		await().untilAsserted(() -> assertThat(context.getBean(Seen.class).entries)
			.contains("handled a beside 1 services and 1 pods", "reconciled m and applied written"));
		assertThat(this.kubernetes.get("secrets", "default", "written")).isPresent();
	}

	static class Seen {

		final List<String> entries = new CopyOnWriteArrayList<>();

	}

	/**
	 * What the methods of all forms do.
	 */
	record Work(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer, ObjectWriter writer) {

		void handle(KubernetesObject pod) {
			this.seen.entries.add("handled " + pod.getMetadata().getName() + " beside " + this.services.size()
					+ " services and " + this.informer.lister().size() + " pods");
		}

		void reconcile(KubernetesObject map) throws ObjectWriteException {
			V1Secret secret = new V1Secret().metadata(new V1ObjectMeta().namespace("default").name("written"));
			V1Secret applied = this.writer.apply(secret);
			this.seen.entries
				.add("reconciled " + map.getMetadata().getName() + " and applied " + applied.getMetadata().getName());
		}

	}

	interface Worker {

		void handle(V1Pod pod);

		void reconcile(V1ConfigMap map) throws ObjectWriteException;

	}

	static class Consumer {

		private final Work work;

		@Autowired
		Consumer(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer, ObjectWriter writer) {
			this(new Work(seen, services, informer, writer));
		}

		Consumer(Work work) {
			this.work = work;
		}

		@InformerHandler
		public void handle(V1Pod pod) {
			this.work.handle(pod);
		}

		@InformerReconciler
		public void reconcile(V1ConfigMap map) throws ObjectWriteException {
			this.work.reconcile(map);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Consumer.class)
	static class Component {

	}

	@Configuration
	static class EnhancedConfiguration extends Consumer {

		EnhancedConfiguration(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			super(seen, services, informer, writer);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PlainConfiguration extends Consumer {

		PlainConfiguration(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			super(seen, services, informer, writer);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethod {

		@Bean
		Consumer consumer(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			return new Consumer(seen, services, informer, writer);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class StaticBeanMethod {

		@Bean
		static Consumer consumer(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			return new Consumer(seen, services, informer, writer);
		}

	}

	/**
	 * Bean without injection points, which its factory bean has.
	 */
	static class Product extends Consumer {

		Product(Work work) {
			super(work);
		}

	}

	static class ProductFactory implements FactoryBean<Product> {

		private final Work work;

		ProductFactory(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			this.work = new Work(seen, services, informer, writer);
		}

		@Override
		public Product getObject() {
			return new Product(this.work);
		}

		@Override
		public Class<?> getObjectType() {
			return Product.class;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(ProductFactory.class)
	static class OfFactoryBean {

	}

	@Configuration(proxyBeanMethods = false)
	static class OfFactoryBeanMethod {

		@Bean
		ProductFactory product(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			return new ProductFactory(seen, services, informer, writer);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Proxies {

		@Bean
		static Advisor advisor() {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.setMappedNames("handle", "reconcile");
			return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) (invocation) -> invocation.proceed());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Consumer.class, Proxies.class })
	static class ClassProxy {

		@Bean
		static DefaultAdvisorAutoProxyCreator creator() {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(true);
			return creator;
		}

		@Autowired
		void check(Consumer consumer) {
			assertThat(AopUtils.isCglibProxy(consumer)).isTrue();
		}

	}

	static class WorkerBehindInterface extends Consumer implements Worker {

		WorkerBehindInterface(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			super(seen, services, informer, writer);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ WorkerBehindInterface.class, Proxies.class })
	static class InterfaceProxy {

		@Bean
		static DefaultAdvisorAutoProxyCreator creator() {
			return new DefaultAdvisorAutoProxyCreator();
		}

		@Autowired
		void check(Worker worker) {
			assertThat(AopUtils.isJdkDynamicProxy(worker)).isTrue();
		}

	}

	abstract static class GenericBase<H extends KubernetesObject, R extends KubernetesObject, S extends KubernetesObject> {

		@Autowired
		@Nullable Seen seen;

		private @Nullable Lister<S> services;

		private @Nullable SharedIndexInformer<H> informer;

		private @Nullable ObjectWriter writer;

		@Autowired
		void configure(SharedIndexInformer<H> informer, Lister<S> services, ObjectWriter writer) {
			this.services = services;
			this.informer = informer;
			this.writer = writer;
		}

		@SuppressWarnings({ "unchecked", "NullAway" })
		private Work work() {
			return new Work(this.seen, (Lister<V1Service>) this.services, (SharedIndexInformer<V1Pod>) this.informer,
					this.writer);
		}

		@InformerHandler
		void handle(H pod) {
			work().handle(pod);
		}

		@InformerReconciler
		void reconcile(R map) throws ObjectWriteException {
			work().reconcile(map);
		}

	}

	static class Pods extends GenericBase<V1Pod, V1ConfigMap, V1Service> {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Pods.class)
	static class GenericClass {

	}

	@Configuration(proxyBeanMethods = false)
	static class PrototypeScope {

		@Bean
		@Scope("prototype")
		Consumer consumer(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			return new Consumer(seen, services, informer, writer);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ThreadScope {

		@Bean
		static CustomScopeConfigurer configurer() {
			CustomScopeConfigurer configurer = new CustomScopeConfigurer();
			configurer.addScope("thread", new SimpleThreadScope());
			return configurer;
		}

		@Bean
		@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Consumer consumer(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			return new Consumer(seen, services, informer, writer);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBean {

		@Bean
		@Lazy
		Consumer consumer(Seen seen, Lister<V1Service> services, SharedIndexInformer<V1Pod> informer,
				ObjectWriter writer) {
			return new Consumer(seen, services, informer, writer);
		}

	}

	/**
	 * What the application injects instead of the beans of the starter.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Mocks {

		@Bean
		@SuppressWarnings("unchecked")
		Lister<V1Service> mockedServices() {
			Lister<V1Service> lister = mock(Lister.class);
			given(lister.size()).willReturn(7);
			return lister;
		}

		@Bean
		ObjectWriter mockedWriter() throws ObjectWriteException {
			ObjectWriter writer = mock(ObjectWriter.class);
			given(writer.apply(any(V1Secret.class)))
				.willReturn(new V1Secret().metadata(new V1ObjectMeta().name("mocked")));
			return writer;
		}

	}

}
