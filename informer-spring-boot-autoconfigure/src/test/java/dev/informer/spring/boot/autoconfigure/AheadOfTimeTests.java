/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.Owned;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformerFactory;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.Compiled;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application that was processed ahead of time has the same informers.
 */
class AheadOfTimeTests {

	private static final String[] PROPERTIES = { "informer.resources.webpods.resource=pods",
			"informer.resources.webpods.label-selector=tier=web",
			"informer.resources.certificates.resource=certificates.cert-manager.io",
			"informer.resources.secretnames.resource=secrets", "informer.resources.secretnames.metadata-only=true",
			"informer.writer.writes.configmaps.operations=create" };

	@Test
	@CompileWithForkedClassLoader
	void aotProcessedApplication_hasSameBeansAndHandlersAndRuntimeConnection() {
		processed((context) -> {
			TestPropertyValues.of(PROPERTIES).and("informer.connection.url=http://one:1").applyTo(context);
			TestPropertyValues.of("spring.aot.enabled=true").applyToSystemProperties(() -> {
				context.refresh();
				return null;
			});
			assertThat(context.getBeanNamesForType(SharedIndexInformer.class)).containsExactlyInAnyOrder("podsInformer",
					"webpodsInformer", "nodesInformer", "certificatesInformer", "secretnamesInformer",
					"serviceaccountsInformer");
			assertThat(context.getBean(User.class).nodes).isSameAs(context.getBean("nodesLister"));
			assertThat(context.getBean("webpodsInformer", SharedIndexInformer.class).options().labelSelector())
				.isEqualTo("tier=web");
			assertThat(resourceType(context, "certificatesInformer")).isEqualTo("certificates.cert-manager.io");
			assertThat(resourceType(context, "secretnamesInformer")).isEqualTo("secrets");
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			assertThat(registry.isRunning()).isTrue();
			assertThat(registry.handlerIds()).containsExactly("user.handle");
			assertThat(context.getBean(Reconcilers.class).registrations()).singleElement()
				.satisfies((reconciler) -> assertThat(reconciler.options().finalizer()).isEqualTo("example.com/node"));
			assertThat(context.getBean(ApiClient.class).getBasePath()).isEqualTo("http://one:1");
			assertThat(context.getBeansOfType(ObjectWriter.class)).hasSize(1);
			context.close();
		});
	}

	@Test
	void aotProcessedApplication_hasReflectionHintsForModels() throws NoSuchMethodException {
		TestGenerationContext generation = new TestGenerationContext(AheadOfTimeTests.class);
		processAheadOfTime(generation);
		RuntimeHints hints = generation.getRuntimeHints();
		assertThat(Stream.of(V1Pod.class, V1Container.class, V1Node.class, V1NodeStatus.class, V1ConfigMap.class,
				V1ServiceAccount.class))
			.allMatch((model) -> RuntimeHintsPredicates.reflection()
				.onType(model)
				.withMemberCategories(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
						MemberCategory.ACCESS_DECLARED_FIELDS)
				.test(hints));
		assertThat(RuntimeHintsPredicates.reflection().onType(V1Service.class).test(hints)).isFalse();
		assertThat(Stream.of(User.class.getDeclaredMethod("handle", V1Pod.class),
				User.class.getDeclaredMethod("reconcile", V1Node.class, Owned.class),
				User.class.getDeclaredMethod("cleanUp", V1Node.class)))
			.allMatch((method) -> RuntimeHintsPredicates.reflection().onMethodInvocation(method).test(hints));
	}

	@ParameterizedTest
	@ValueSource(strings = { "dev/informer/client/official-models.tsv",
			"dev/informer/client/protobuf/kubernetes-messages.txt" })
	void tableOfTheCore_hasResourceHint(String table) {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		assertThat(RuntimeHintsPredicates.resource().forResource(table).test(hints)).isTrue();
		assertThat(new ClassPathResource(table).exists()).isTrue();
	}

	private static String resourceType(GenericApplicationContext context, String informer) {
		return context.getBean(informer, SharedIndexInformer.class).resourceType().qualifiedName();
	}

	private static void processed(Consumer<GenericApplicationContext> test) {
		TestGenerationContext generation = new TestGenerationContext(AheadOfTimeTests.class);
		ClassName initializer = processAheadOfTime(generation);
		generation.writeGeneratedContent();
		TestCompiler.forSystem()
			.with(generation)
			.compile((compiled) -> test.accept(initialized(compiled, initializer.canonicalName())));
	}

	private static ClassName processAheadOfTime(TestGenerationContext generation) {
		GenericApplicationContext context = new GenericApplicationContext();
		TestPropertyValues.of(PROPERTIES).applyTo(context);
		new AnnotatedBeanDefinitionReader(context).register(UserConfiguration.class, InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class);
		return new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
	}

	private static GenericApplicationContext initialized(Compiled compiled, String initializer) {
		GenericApplicationContext context = new GenericApplicationContext();
		instance(compiled, initializer).initialize(context);
		return context;
	}

	@SuppressWarnings("unchecked")
	private static ApplicationContextInitializer<GenericApplicationContext> instance(Compiled compiled,
			String initializer) {
		return compiled.getInstance(ApplicationContextInitializer.class, initializer);
	}

	@Configuration(proxyBeanMethods = false)
	static class UserConfiguration {

		@Bean
		InformerFactory testFactory() {
			return new TestInformerFactory();
		}

		@Bean
		User user(Lister<V1Node> nodes) {
			return new User(nodes);
		}

	}

	static class User {

		private final Lister<V1Node> nodes;

		User(Lister<V1Node> nodes) {
			this.nodes = nodes;
		}

		@InformerHandler
		void handle(V1Pod pod) {
		}

		@InformerReconciler(owns = V1ServiceAccount.class)
		void reconcile(V1Node node, Owned<V1ServiceAccount> accounts) {
		}

		@InformerCleanup("example.com/node")
		Duration cleanUp(V1Node node) {
			return Duration.ZERO;
		}

	}

}
