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
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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
 * Tests for handler methods of beans behind a proxy, such as that of a transaction.
 */
class ProxiedHandlerTests {

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
	void proxiedBean_isInvokedThroughProxy() {
		this.runner.withUserConfiguration(ProxyConfiguration.class)
			.withBean("handler", DeletedHandler.class)
			.run((context) -> {
				informer(context, "pods")
					.deliver(new ResourceEvent.Deleted<>(pod("shop", "one"), pod("shop", "one"), false));
				assertThat(context.getBean(ProxyConfiguration.class).intercepted).contains("deleted");
				assertThat(context.getBean(InformerRegistry.class).handlerIds()).contains("handler.deleted");
			});
	}

	@Test
	void proxyWithoutMethod_isRejected() {
		this.runner.withUserConfiguration(InterfaceProxyConfiguration.class)
			.withBean("behind", BehindInterface.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("the proxy of the bean 'behind' implements only its interfaces"));
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

	static class BehindInterface implements Runnable {

		@Override
		public void run() {
		}

		@InformerHandler
		void handle(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InterfaceProxyConfiguration {

		@Bean
		static DefaultAdvisorAutoProxyCreator proxyCreator() {
			return new DefaultAdvisorAutoProxyCreator();
		}

		@Bean
		Advisor advisor() {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.addMethodName("run");
			return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) (invocation) -> invocation.proceed());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxyConfiguration {

		final List<String> intercepted = new ArrayList<>();

		@Bean
		static DefaultAdvisorAutoProxyCreator proxyCreator() {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(true);
			return creator;
		}

		@Bean
		Advisor advisor() {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.addMethodName("deleted");
			return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) (invocation) -> {
				this.intercepted.add(invocation.getMethod().getName());
				return invocation.proceed();
			});
		}

	}

	static class DeletedHandler {

		@InformerHandler
		public void deleted(ResourceEvent.Deleted<V1Pod> event) {
		}

	}

}
