/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.informer.InformerFactory;
import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.SimpleThreadScope;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for handler methods of beans of all kinds.
 */
@ExtendWith(OutputCaptureExtension.class)
class InformerHandlerBeansTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new);

	@Test
	void configurationMethod_isInvoked() {
		this.runner.withUserConfiguration(HandlingConfiguration.class).run((context) -> {
			add(context, "one");
			assertThat(context.getBean(HandlingConfiguration.class).seen).containsExactly("one");
		});
	}

	@Test
	void inheritedOverriddenAndDefaultMethods_areInvoked() {
		this.runner.withBean("inheriting", Inheriting.class).run((context) -> {
			assertThat(context.getBean(InformerRegistry.class).handlerIds()).containsExactly("inheriting.byDefault",
					"inheriting.generic", "inheriting.inherited", "inheriting.overridden");
			add(context, "one");
			assertThat(context.getBean(Inheriting.class).seen).containsExactlyInAnyOrder("default one", "generic one",
					"inherited one", "overridden below one");
		});
	}

	@Test
	void scopedProxy_invokesCurrentBean() {
		this.runner.withUserConfiguration(ThreadScoped.class).run((context) -> {
			add(context, "one");
			add(context, "two");
			assertThat(context.getBean(ThreadScoped.class).created).singleElement()
				.satisfies((handler) -> assertThat(handler.seen).containsExactly("one", "two"));
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { RequestScoped.class, ProxiedSessionScoped.class })
	void requestScope_isRejected(Class<?> configuration) {
		this.runner
			.withInitializer((context) -> List.of("request", "session")
				.forEach((name) -> context.getBeanFactory().registerScope(name, new SimpleThreadScope())))
			.withUserConfiguration(configuration)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("its bean 'scoped' has the scope '"));
	}

	@Test
	void beanDeclaredAsInterface_isRejectedWithRemedy() {
		this.runner.withUserConfiguration(DeclaredAsInterface.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidHandlerMethodException.class,
						(ex) -> assertThat(ex.action()).contains("let it return the class with the method"))
				.hasMessageContaining("there is no informer of " + V1Pod.class.getName()));
	}

	@Test
	void beanWhoseClassIsUnknown_isRejectedIfItIsCreatedInTime() {
		this.runner.withUserConfiguration(DeclaredAsSupertype.class)
			.withBean(Object.class, Object::new, (definition) -> definition.setDependsOn("made"))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidHandlerMethodException.class,
						(ex) -> assertThat(ex.action()).contains("let it return the class with the method"))
				.hasMessageContaining(
						"the class of the bean 'made', " + Scoped.class.getName() + ", was not known before"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "lazy", "prototype", "made", "registered" })
	void beanWhoseClassIsUnknown_isReportedOnceIfItIsCreatedLater(String name, CapturedOutput output) {
		this.runner.withUserConfiguration(DeclaredAsSupertype.class).run((context) -> {
			((GenericApplicationContext) context.getSourceApplicationContext()).registerBean("registered",
					Scoped.class);
			assertThat(output).doesNotContain("is not called");
			context.getBean(name);
			context.getBean(name);
			context.getBean("known");
			assertThat(output)
				.containsOnlyOnce("Bean '" + name + "' has a method that is not called: Method 'handle' of class '"
						+ Scoped.class.getName() + "' cannot be an @InformerHandler")
				.containsOnlyOnce("is not called");
		});
	}

	@Test
	void subclassOfTheDeclaredClass_isInvokedWithoutReport(CapturedOutput output) throws Exception {
		this.runner.withUserConfiguration(DeclaredAsSuperclass.class).run((context) -> {
			add(context, "one");
			assertThat(context.getBean(DeclaredAsSuperclass.class).seen).containsExactly("one");
			assertThat(output).doesNotContain("is not called");
		});
	}

	@SuppressWarnings("unchecked")
	private static TestInformer<V1Pod> informer(ApplicationContext context, String name) {
		return (TestInformer<V1Pod>) context.getBean(name + "Informer");
	}

	private static void add(ApplicationContext context, String name) throws Exception {
		informer(context, "pods").deliver(new ResourceEvent.Added<>(pod("shop", name), false));
	}

	private static String name(KubernetesObject object) {
		return String.valueOf(object.getMetadata().getName());
	}

	@Configuration
	static class HandlingConfiguration {

		final List<String> seen = new ArrayList<>();

		@InformerHandler
		void handle(V1Pod pod) {
			this.seen.add(name(pod));
		}

	}

	abstract static class Inherited<T extends KubernetesObject> {

		final List<String> seen = new ArrayList<>();

		@InformerHandler
		void inherited(V1Pod pod) {
			this.seen.add("inherited " + name(pod));
		}

		@InformerHandler
		void overridden(V1Pod pod) {
			this.seen.add("overridden above " + name(pod));
		}

		@InformerHandler
		abstract void generic(T object);

	}

	interface WithDefault {

		List<String> seen();

		@InformerHandler
		default void byDefault(V1Pod pod) {
			seen().add("default " + name(pod));
		}

	}

	static class Inheriting extends Inherited<V1Pod> implements WithDefault {

		@Override
		public List<String> seen() {
			return this.seen;
		}

		@Override
		void overridden(V1Pod pod) {
			this.seen.add("overridden below " + name(pod));
		}

		@Override
		void generic(V1Pod pod) {
			this.seen.add("generic " + name(pod));
		}

	}

	static class Scoped {

		final List<String> seen = new ArrayList<>();

		@InformerHandler
		void handle(V1Pod pod) {
			this.seen.add(name(pod));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ThreadScoped {

		final List<Scoped> created = new ArrayList<>();

		@Bean
		static CustomScopeConfigurer threadScope() {
			CustomScopeConfigurer configurer = new CustomScopeConfigurer();
			configurer.addScope("thread", new SimpleThreadScope());
			return configurer;
		}

		@Bean
		@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Scoped scoped() {
			Scoped scoped = new Scoped();
			this.created.add(scoped);
			return scoped;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RequestScoped {

		@Bean
		@Scope("request")
		Scoped scoped() {
			return new Scoped();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedSessionScoped {

		@Bean
		@Scope(scopeName = "session", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Scoped scoped() {
			return new Scoped();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredAsSupertype {

		@Bean
		@Lazy
		Object lazy() {
			return new Scoped();
		}

		@Bean
		@Scope("prototype")
		Object prototype() {
			return new Scoped();
		}

		@Bean
		@Lazy
		FactoryBean<Object> made() {
			return new FactoryBean<>() {

				@Override
				public Object getObject() {
					return new Scoped();
				}

				@Override
				public Class<?> getObjectType() {
					return Object.class;
				}

			};
		}

		@Bean
		@Lazy
		Inheriting known() {
			return new Inheriting();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredAsSuperclass {

		final List<String> seen = new ArrayList<>();

		@Bean
		@Scope("prototype")
		Scoped handler() {
			return new Scoped() {

				@Override
				void handle(V1Pod pod) {
					DeclaredAsSuperclass.this.seen.add(name(pod));
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredAsInterface {

		@Bean
		ProxiedHandlerTests.OrderHandler orders() {
			return new ProxiedHandlerTests.OrdersBehindInterface();
		}

	}

}
