/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerOptions;
import dev.informer.InformerFactory;
import dev.informer.ResourceEvent;
import dev.informer.RetryPolicy;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.annotation.AliasFor;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for handler methods of beans of all kinds, and for annotations of all kinds.
 */
class InformerHandlerBeansTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new);

	@Test
	void transactionalMethod_runsInATransaction_behindAProxyOfItsClass() {
		this.runner.withUserConfiguration(Transactions.class).withBean("orders", Orders.class).run((context) -> {
			add(context, "one");
			assertThat(AopUtils.isCglibProxy(context.getBean("orders"))).isTrue();
			assertThat(context.getBean(Orders.class).seen()).containsExactly("one in a transaction");
			assertThat(context.getBean(Transactions.class).log).containsExactly("begin", "commit");
			assertThatIllegalStateException().isThrownBy(() -> add(context, "bad"));
			assertThat(context.getBean(Transactions.class).log).endsWith("begin", "rollback");
		});
	}

	@Test
	void transactionalMethod_runsInATransaction_behindAProxyOfItsInterface() {
		this.runner.withUserConfiguration(InterfaceTransactions.class)
			.withBean("orders", OrdersBehindInterface.class)
			.run((context) -> {
				add(context, "one");
				assertThat(AopUtils.isJdkDynamicProxy(context.getBean("orders"))).isTrue();
				assertThat(context.getBean(OrderHandler.class).seen()).containsExactly("one in a transaction");
			});
	}

	@Test
	void retryableMethod_isRetriedWithinItsCall() {
		this.runner.withUserConfiguration(Resilience.class).withBean("flaky", Flaky.class).run((context) -> {
			add(context, "one");
			assertThat(context.getBean(Flaky.class).calls()).isEqualTo(3);
		});
	}

	@Test
	void finalMethodBehindClassProxy_isRejected() {
		this.runner.withUserConfiguration(Transactions.class)
			.withBean("final", FinalMethod.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("it is final, so that it would be invoked on the proxy of the bean 'final'"));
	}

	@Test
	void finalMethodWithoutProxy_isInvoked() {
		this.runner.withBean("final", FinalMethod.class).run((context) -> {
			add(context, "one");
			assertThat(context.getBean(FinalMethod.class).seen).containsExactly("one");
		});
	}

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
						(ex) -> assertThat(ex.action()).contains("let it return the class with the handler method"))
				.hasMessageContaining("there is no informer of " + V1Pod.class.getName()));
	}

	@Test
	void composedAnnotations_aliasAttributes() {
		this.runner.withBean("composed", Composed.class)
			.withPropertyValues("informer.resources.webpods.resource=pods", "retries=1")
			.run((context) -> {
				assertThat(context.getBean(InformerRegistry.class).handlerIds()).containsExactly("plain", "pods", "web",
						"webslowly");
				HandlerOptions<?> slowly = options(context, "webpods", "webslowly");
				assertThat(slowly.resyncPeriod()).hasMinutes(10);
				assertThat(slowly.retry().maxRetries()).isEqualTo(1);
				assertThat(options(context, "webpods", "web").resyncPeriod()).isZero();
				assertThat(options(context, "pods", "pods").retry().maxRetries()).isEqualTo(1);
				assertThat(options(context, "pods", "plain").retry()).isEqualTo(RetryPolicy.DEFAULT);
			});
	}

	@Test
	void stringAttributes_resolvePlaceholdersAndExpressions() {
		this.runner.withBean("texts", Texts.class)
			.withBean("errors", Errors.class)
			.withPropertyValues("informer.resources.webpods.resource=pods", "t.id=audit", "t.informer=webpods",
					"t.filter=#{T(java.util.function.Predicate).isEqual(null)}", "t.errors=errors", "t.number=3",
					"t.duration=5s", "t.multiplier=1.5")
			.run((context) -> {
				HandlerOptions<?> options = options(context, "webpods", "audit");
				assertThat(options.resyncPeriod()).hasSeconds(10);
				assertThat(options.concurrency()).isEqualTo(6);
				assertThat(options.filter()).isNotNull();
				assertThat(options.errorHandler()).isSameAs(context.getBean("errors"));
				assertThat(options.retry().maxRetries()).isEqualTo(3);
				assertThat(options.retry().delay()).hasSeconds(5);
				assertThat(options.retry().maxDelay()).hasSeconds(10);
				assertThat(options.retry().multiplier()).isEqualTo(1.5);
				assertThat(options.retry().jitter()).isEqualTo(options.retry().delay().dividedBy(2));
			});
	}

	@Test
	void unresolvableText_isRejectedWithAttribute() {
		this.runner.withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class))
			.withBean("unresolved", Unresolved.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("its concurrency '${no.such.property}' cannot be resolved")
				.hasMessageContaining("no.such.property"));
		this.runner.withBean("badExpression", BadExpression.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("its id '#{@unknown.id}' cannot be resolved"));
	}

	@SuppressWarnings("unchecked")
	private static TestInformer<V1Pod> informer(ApplicationContext context, String name) {
		return (TestInformer<V1Pod>) context.getBean(name + "Informer");
	}

	private static HandlerOptions<?> options(ApplicationContext context, String informer, String handler) {
		return informer(context, informer).handlerOptions(handler);
	}

	private static void add(ApplicationContext context, String name) throws Exception {
		informer(context, "pods").deliver(new ResourceEvent.Added<>(pod("shop", name), false));
	}

	private static String name(KubernetesObject object) {
		return String.valueOf(object.getMetadata().getName());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	static class Transactions {

		final List<String> log = new ArrayList<>();

		@Bean
		RecordingTransactionManager transactionManager() {
			return new RecordingTransactionManager(this.log);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class InterfaceTransactions {

		@Bean
		RecordingTransactionManager transactionManager() {
			return new RecordingTransactionManager(new ArrayList<>());
		}

	}

	static class RecordingTransactionManager extends AbstractPlatformTransactionManager {

		private final transient List<String> log;

		RecordingTransactionManager(List<String> log) {
			this.log = log;
		}

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.log.add("begin");
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.log.add("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.log.add("rollback");
		}

	}

	static class Orders {

		private final List<String> seen = new ArrayList<>();

		@InformerHandler
		@Transactional
		void handle(V1Pod pod) {
			record(this.seen, pod);
		}

		List<String> seen() {
			return this.seen;
		}

		static void record(List<String> seen, V1Pod pod) {
			if (name(pod).equals("bad")) {
				throw new IllegalStateException("bad");
			}
			seen.add(name(pod)
					+ (TransactionSynchronizationManager.isActualTransactionActive() ? " in a transaction" : ""));
		}

	}

	interface OrderHandler {

		void handle(V1Pod pod);

		List<String> seen();

	}

	static class OrdersBehindInterface implements OrderHandler {

		private final List<String> seen = new ArrayList<>();

		@Override
		@InformerHandler
		@Transactional
		public void handle(V1Pod pod) {
			Orders.record(this.seen, pod);
		}

		@Override
		public List<String> seen() {
			return this.seen;
		}

	}

	static class FinalMethod {

		final List<String> seen = new ArrayList<>();

		@InformerHandler
		final void handle(V1Pod pod) {
			this.seen.add(name(pod));
		}

		@Transactional
		void other() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Resilience {

	}

	static class Flaky {

		private int calls;

		@InformerHandler
		@Retryable(maxRetries = 3, delay = 1)
		void handle(V1Pod pod) {
			this.calls++;
			if (this.calls < 3) {
				throw new IllegalStateException("for the test");
			}
		}

		int calls() {
			return this.calls;
		}

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
	static class DeclaredAsInterface {

		@Bean
		OrderHandler orders() {
			return new OrdersBehindInterface();
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@Repeatable(WebHandlers.class)
	@InformerHandler(informer = "webpods", retry = @Retry(maxRetries = "${retries}"))
	@interface WebHandler {

		@AliasFor(annotation = InformerHandler.class, attribute = "id")
		String value();

		@AliasFor(annotation = InformerHandler.class)
		String resyncPeriod() default "";

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
	@interface WebHandlers {

		WebHandler[] value();

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.METHOD)
	@WebHandler("pods")
	@interface PodHandler {

		@AliasFor(annotation = InformerHandler.class)
		String informer() default "pods";

	}

	static class Composed {

		@WebHandler("web")
		@WebHandler(value = "webslowly", resyncPeriod = "10m")
		void repeated(V1Pod pod) {
		}

		@PodHandler
		@InformerHandler(id = "plain")
		void twice(V1Pod pod) {
		}

	}

	static class Texts {

		@InformerHandler(id = "${t.id}", informer = "${t.informer}", resyncPeriod = "#{2 * 5}s", filter = "${t.filter}",
				concurrency = "#{${t.number} * 2}", errorHandler = "${t.errors}", autoStartup = "${t.start:true}",
				retry = @Retry(maxRetries = "${t.number}", delay = "${t.duration}", maxDelay = "#{'10s'}",
						multiplier = "${t.multiplier}", jitter = "#{250 * 10}ms"))
		void handle(V1Pod pod) {
		}

	}

	static class Errors implements HandlerErrorHandler<V1Pod> {

		@Override
		public void failed(HandlerFailure<? extends V1Pod> failure) {
		}

	}

	static class Unresolved {

		@InformerHandler(concurrency = "${no.such.property}")
		void handle(V1Pod pod) {
		}

	}

	static class BadExpression {

		@InformerHandler(id = "#{@unknown.id}")
		void handle(V1Pod pod) {
		}

	}

}
