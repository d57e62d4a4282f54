package dev.informer.spring.autoconfigure;

import java.util.function.Consumer;

import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.annotation.InformerHandler;
import dev.informer.spring.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.registry.InformerRegistry;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
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
			"informer.resources.webpods.label-selector=tier=web" };

	@Test
	@CompileWithForkedClassLoader
	void processedApplication_hasTheSameBeansAndHandlers() {
		processed((context) -> {
			TestPropertyValues.of(PROPERTIES).applyTo(context);
			TestPropertyValues.of("spring.aot.enabled=true").applyToSystemProperties(() -> {
				context.refresh();
				return null;
			});
			assertThat(context.getBeanNamesForType(SharedIndexInformer.class)).containsExactlyInAnyOrder("podsInformer",
					"webpodsInformer", "nodesInformer");
			assertThat(context.getBean(User.class).nodes).isSameAs(context.getBean("nodesLister"));
			assertThat(context.getBean("webpodsInformer", SharedIndexInformer.class).options().labelSelector())
				.isEqualTo("tier=web");
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			assertThat(registry.isRunning()).isTrue();
			assertThat(registry.handlerIds()).containsExactly("user.handle");
			context.close();
		});
	}

	private static void processed(Consumer<GenericApplicationContext> test) {
		GenericApplicationContext context = new GenericApplicationContext();
		TestPropertyValues.of(PROPERTIES).applyTo(context);
		new AnnotatedBeanDefinitionReader(context).register(UserConfiguration.class, InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class);
		TestGenerationContext generation = new TestGenerationContext(AheadOfTimeTests.class);
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		TestCompiler.forSystem()
			.with(generation)
			.compile((compiled) -> test.accept(initialized(compiled, initializer.canonicalName())));
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

	}

}
