/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import dev.informer.HandlerErrorHandler;
import dev.informer.Lister;
import dev.informer.ObjectTransform;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Verb;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans and injection points that would be ignored, or be given something else, without a
 * failure.
 */
@Timeout(120)
class SilentlyIgnoredTests {

	@AutoClose
	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url());

	@Test
	void misspeltNameOfParameter_isReportedWithQualifier() {
		ApplicationContextRunner misspelt = this.runner.withBean("consumer", Misspelt.class)
			.withPropertyValues("informer.resources.webpods.resource=pods",
					"informer.resources.webpods.namespaces=default");
		Advice advice = Advice.of(misspelt);
		assertThat(advice.description()).contains("webpodLister", "[webpodsLister]");
		assertThat(advice.text("@Qualifier\\(\"(\\w+)\"\\)")).isEqualTo("webpodsLister");
		misspelt.withPropertyValues(advice.assignment("informer.resources.pods.required"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void parameterWithoutNameInTheClassFile_isReportedAndCreatesNoInformer(@TempDir Path folder) throws Exception {
		Path source = folder.resolve("Consumer.java");
		Files.writeString(source, """
				import dev.informer.SharedIndexInformer;
				import io.kubernetes.client.openapi.models.V1Pod;

				public class Consumer {

					public final SharedIndexInformer<V1Pod> informer;

					public Consumer(SharedIndexInformer<V1Pod> webpodsInformer) {
						this.informer = webpodsInformer;
					}

				}
				""");
		compile(folder, source);
		try (URLClassLoader loader = new URLClassLoader(new URL[] { folder.toUri().toURL() },
				getClass().getClassLoader())) {
			Class<?> consumer = loader.loadClass("Consumer");
			ApplicationContextRunner unnamed = this.runner.withBean("consumer", consumer)
				.withPropertyValues("informer.resources.webpods.resource=pods",
						"informer.resources.webpods.namespaces=default");
			Advice advice = Advice.of(unnamed);
			assertThat(advice.description()).contains("[webpodsInformer]");
			assertThat(advice.action()).contains("@Qualifier(\"webpodsInformer\")", "-parameters");
			assertThat(this.kubernetes.requests()).noneMatch((request) -> request.verb() == Verb.LIST);
			// with the other remedy both are there, as the code asks for
			unnamed.withPropertyValues(advice.assignment("informer.resources.pods.required")).run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeansOfType(SharedIndexInformer.class)).containsOnlyKeys("podsInformer",
						"webpodsInformer");
			});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.samples", "io.kubernetes.client.acme", "io.micrometer.acme",
			"jakarta.acme", "tools.jackson.acme", "com.fasterxml.jackson.acme", "dev.informer.acme" })
	void beanInPackageOfLibrary_isNotIgnored(String name, @TempDir Path folder) throws Exception {
		Path source = folder.resolve("Consumer.java");
		Files.writeString(source, """
								package %s;

								import dev.informer.Lister;
								import dev.informer.reconcilers.ReconcilerRegistration;
				import dev.informer.reconcilers.Reconcilers;
				import dev.informer.spring.InformerHandler;
				import dev.informer.spring.InformerRegistry;
								import dev.informer.spring.InformerReconciler;
								import io.kubernetes.client.openapi.models.*;
								import org.springframework.beans.factory.annotation.Autowired;
								import org.springframework.context.annotation.Bean;
								import org.springframework.context.annotation.Configuration;

								@Configuration(proxyBeanMethods = false)
								public class Consumer {

									@Autowired
									Lister<V1Secret> field;

									Consumer(Lister<V1ConfigMap> parameter) {
									}

									@Bean
									String ofMethod(Lister<V1Service> parameter) {
										return parameter.toString();
									}

									@InformerHandler(id = "handler")
									void handle(V1Pod pod) {
									}

									@InformerReconciler(id = "reconciler")
									void reconcile(V1Namespace namespace) {
									}

								}
								""".formatted(name));
		compile(folder, source);
		try (URLClassLoader loader = new URLClassLoader(new URL[] { folder.toUri().toURL() },
				getClass().getClassLoader())) {
			this.runner.withUserConfiguration(loader.loadClass(name + ".Consumer")).run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeansOfType(SharedIndexInformer.class)).containsOnlyKeys("podsInformer",
						"namespacesInformer", "secretsInformer", "configmapsInformer", "servicesInformer");
				assertThat(context.getBean(InformerRegistry.class).handlerIds()).containsExactly("handler");
				assertThat(context.getBean(Reconcilers.class).registrations()).extracting(ReconcilerRegistration::name)
					.containsExactly("reconciler");
			});
		}
	}

	@Test
	void lazyBeanOfClassWithMissingDependency_doesNotEndTheStart(@TempDir Path folder) throws Exception {
		Path source = folder.resolve("Broken.java");
		Files.writeString(source, """
				public class Broken {

					static class Missing {
					}

					Missing method() {
						return null;
					}

				}
				""");
		compile(folder, source);
		Files.delete(folder.resolve("Broken$Missing.class"));
		try (URLClassLoader loader = new URLClassLoader(new URL[] { folder.toUri().toURL() },
				getClass().getClassLoader())) {
			RootBeanDefinition broken = new RootBeanDefinition(loader.loadClass("Broken"));
			broken.setLazyInit(true);
			this.runner
				.withInitializer(
						(context) -> ((GenericApplicationContext) context).registerBeanDefinition("broken", broken))
				.run((context) -> assertThat(context).hasNotFailed());
		}
	}

	private static void compile(Path folder, Path source) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		assertThat(compiler.run(null, null, null, "-proc:none", "-g:none", "-d", folder.toString(), "-cp",
				System.getProperty("java.class.path"), source.toString()))
			.isZero();
	}

	@Test
	void transformsOfOneType_areAllAppliedInOrder() {
		this.kubernetes.create(
				new V1Pod().apiVersion("v1").kind("Pod").metadata(new V1ObjectMeta().namespace("default").name("web")));
		this.runner.withUserConfiguration(Transforms.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(PodReader.class).pods().get("default", "web").orElseThrow()).satisfies(
					(pod) -> assertThat(pod.getMetadata().getLabels()).containsEntry("order", "first second third"));
		});
	}

	@Test
	void errorHandlersOfOneType_areAllInvokedInOrder() {
		this.runner.withUserConfiguration(ErrorHandlers.class).run((context) -> {
			assertThat(context).hasNotFailed();
			this.kubernetes.create(new V1Pod().apiVersion("v1")
				.kind("Pod")
				.metadata(new V1ObjectMeta().namespace("default").name("web")));
			ErrorHandlers handlers = context.getBean(ErrorHandlers.class);
			Awaitility.await().untilAsserted(() -> assertThat(handlers.invoked).containsExactly("first", "second"));
		});
	}

	@Test
	void handlerBehindProxyOfBeanMethod_isReported() {
		Advice advice = Advice.of(this.runner.withUserConfiguration(ProxiedByMethod.class));
		assertThat(advice.description()).contains("'handle'");
		assertThat(advice.action()).contains("proxyTargetClass");
	}

	@Test
	void handlerBehindProxyOfPostProcessor_isReported() {
		Advice advice = Advice.of(this.runner.withUserConfiguration(ProxiedByPostProcessor.class));
		assertThat(advice.description()).contains("'handle'");
		assertThat(advice.action()).contains("proxyTargetClass");
	}

	static class Misspelt {

		Misspelt(Lister<V1Pod> webpodLister) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ErrorHandlers {

		private final List<String> invoked = new CopyOnWriteArrayList<>();

		@Bean
		@Order(2)
		HandlerErrorHandler<V1Pod> second() {
			return (failure) -> this.invoked.add("second");
		}

		@Bean
		@Order(1)
		HandlerErrorHandler<V1Pod> first() {
			return (failure) -> {
				this.invoked.add("first");
				throw new IllegalStateException("expected");
			};
		}

		@InformerHandler(id = "failing", retry = @InformerHandler.Retry(maxRetries = "0"))
		void handle(V1Pod pod) {
			throw new IllegalStateException("expected");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(PodReader.class)
	static class Transforms {

		@Bean
		@Order(3)
		ObjectTransform<V1Pod> third() {
			return append("third");
		}

		@Bean
		@Order(1)
		ObjectTransform<V1Pod> first() {
			return append("first");
		}

		@Bean
		@Order(2)
		ObjectTransform<V1Pod> second() {
			return append("second");
		}

		private static ObjectTransform<V1Pod> append(String text) {
			return (pod) -> {
				Map<String, String> labels = Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
				pod.getMetadata().putLabelsItem("order", (labels.getOrDefault("order", "") + " " + text).strip());
				return pod;
			};
		}

	}

	record PodReader(Lister<V1Pod> pods) {

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedByMethod {

		@Bean
		Greeting greeting() {
			ProxyFactory factory = new ProxyFactory(new Greeter());
			factory.setProxyTargetClass(false);
			return (Greeting) factory.getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedByPostProcessor {

		@Bean
		static BeanPostProcessor proxying() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					return (bean instanceof Greeting)
							? Proxy.newProxyInstance(Greeting.class.getClassLoader(), new Class<?>[] { Greeting.class },
									(proxy, method, arguments) -> method.invoke(bean, arguments))
							: bean;
				}

			};
		}

		@Bean
		Greeter greeter() {
			return new Greeter();
		}

	}

	interface Greeting {

		void greet();

	}

	static class Greeter implements Greeting {

		@Override
		public void greet() {
		}

		@InformerHandler(id = "greeter")
		void handle(V1Pod pod) {
		}

	}

}
