/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.HandlerOptions;
import dev.informer.InformerFactory;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for handler methods in an application.
 */
class InformerHandlerTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new);

	@Test
	void handlers_areInvokedForMatchingEvents() {
		this.contextRunner.withBean("recorder", Recorder.class).run((context) -> {
			TestInformer<V1Pod> pods = pods(context);
			V1Pod one = pod("shop", "one");
			V1Pod two = pod("shop", "two");
			pods.deliver(new ResourceEvent.Added<>(one, true));
			pods.deliver(new ResourceEvent.Updated<>(one, two));
			pods.deliver(new ResourceEvent.Deleted<>(two, two, false));
			assertThat(context.getBean(Recorder.class).calls).containsExactlyInAnyOrder("event ADDED one", "object one",
					"event UPDATED two", "object two", "change one two", "event DELETED two", "deleted two");
		});
	}

	@Test
	void methodException_reachesInformerUnwrapped() {
		this.contextRunner.withBean("failing", Failing.class)
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> pods(context).deliver(new ResourceEvent.Added<>(pod("shop", "one"), false)))
				.withMessage("no one here"));
	}

	@Test
	void scopedBean_isLookedUpForEachEvent() {
		this.contextRunner.withUserConfiguration(PrototypeConfiguration.class).run((context) -> {
			pods(context).deliver(new ResourceEvent.Added<>(pod("shop", "one"), false));
			pods(context).deliver(new ResourceEvent.Added<>(pod("shop", "two"), false));
			assertThat(context.getBean(PrototypeConfiguration.class).created).hasSize(2);
		});
	}

	@Test
	void lazyBean_isCreatedAtFirstEvent() {
		this.contextRunner.withUserConfiguration(LazyConfiguration.class).run((context) -> {
			assertThat(context.getBeanFactory().containsSingleton("lazy")).isFalse();
			pods(context).deliver(new ResourceEvent.Added<>(pod("shop", "one"), false));
			assertThat(context.getBeanFactory().containsSingleton("lazy")).isTrue();
		});
	}

	@Test
	void attributes_resolvePlaceholdersAndExpressions() {
		this.contextRunner.withBean("configured", Configured.class)
			.withPropertyValues("audit.id=audit", "audit.resync=10m", "informer.resources.webpods.resource=pods")
			.run((context) -> {
				TestInformer<?> web = context.getBean("webpodsInformer", TestInformer.class);
				HandlerOptions<?> options = web.handlerOptions("audit");
				assertThat(options.resyncPeriod()).hasMinutes(10);
				assertThat(options.queue()).isEqualTo(QueuePolicy.KEEP_ALL);
				assertThat(context).doesNotHaveBean("podsInformer");
			});
	}

	@Test
	void options_areMergedFromHandlerAnnotationInformerAndDefaults() {
		ApplicationContextRunner runner = this.contextRunner.withBean("two", TwoHandlers.class)
			.withPropertyValues("informer.defaults.resync-period=1m");
		runner.run((context) -> {
			assertThat(pods(context).handlerOptions("annotated").resyncPeriod()).hasMinutes(10);
			assertThat(pods(context).handlerOptions("plain").resyncPeriod()).hasMinutes(1);
		});
		runner
			.withPropertyValues("informer.resources.pods.handler.resync-period=5m",
					"informer.resources.pods.handler.queue=keep-all", "informer.handlers.annotated.resync-period=0")
			.run((context) -> {
				assertThat(pods(context).handlerOptions("annotated").resyncPeriod()).isEqualTo(Duration.ZERO);
				assertThat(pods(context).handlerOptions("annotated").queue()).isEqualTo(QueuePolicy.COALESCE);
				assertThat(pods(context).handlerOptions("plain").resyncPeriod()).hasMinutes(5);
				assertThat(pods(context).handlerOptions("plain").queue()).isEqualTo(QueuePolicy.KEEP_ALL);
			});
	}

	@Test
	void duplicateIds_areRejected() {
		this.contextRunner.withBean("overloaded", Overloaded.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("its ID 'overloaded.handle' is the ID of another method"));
	}

	@Test
	void unknownInformer_isRejected() {
		this.contextRunner.withBean("elsewhere", Elsewhere.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("there is no informer 'webpods'; the informers are none"));
	}

	@Test
	void informerOfAnotherType_isRejected() {
		this.contextRunner.withBean("elsewhere", Elsewhere.class)
			.withPropertyValues("informer.resources.webpods.type=" + V1Node.class.getName())
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("has objects of type " + V1Node.class.getName()));
	}

	@Test
	void invalidResyncPeriod_isRejected() {
		this.contextRunner.withBean("configured", Configured.class)
			.withPropertyValues("audit.id=audit", "audit.resync=often", "informer.resources.webpods.resource=pods")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidHandlerMethodException.class)
				.hasMessageContaining("its resyncPeriod 'often' is not a duration"));
	}

	@Test
	void unknownHandlerProperty_isRejectedWithNearest() {
		this.contextRunner.withBean("two", TwoHandlers.class)
			.withPropertyValues("informer.handlers.plan.queue=keep-all")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidInformerPropertyException.class, (ex) -> {
					assertThat(ex.key()).isEqualTo("informer.handlers.plan");
					assertThat(ex.action()).startsWith("Did you mean 'plain'?");
				}));
	}

	@Test
	void unknownDefaultIdProperty_isRejectedWithRemedy() {
		this.contextRunner.withBean("recorder", Recorder.class)
			.withPropertyValues("informer.handlers.[recorder.removed].queue=keep-all")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidInformerPropertyException.class,
						(ex) -> assertThat(ex.action()).contains("@InformerHandler(id = \"audit\")")));
	}

	@SuppressWarnings("unchecked")
	private static TestInformer<V1Pod> pods(ApplicationContext context) {
		return (TestInformer<V1Pod>) context.getBean("podsInformer");
	}

	static class Recorder {

		final List<String> calls = new ArrayList<>();

		@InformerHandler
		void event(ResourceEvent<V1Pod> event) {
			this.calls.add("event " + event.type() + " " + name(event.object()));
		}

		@InformerHandler
		void object(V1Pod pod) {
			this.calls.add("object " + name(pod));
		}

		@InformerHandler
		void change(V1Pod previous, V1Pod current) {
			this.calls.add("change " + name(previous) + " " + name(current));
		}

		@InformerHandler
		public void deleted(ResourceEvent.Deleted<V1Pod> event) {
			this.calls.add("deleted " + name(event.object()));
		}

		private static String name(V1Pod pod) {
			return String.valueOf(pod.getMetadata().getName());
		}

	}

	static class Failing {

		@InformerHandler
		void handle(V1Pod pod) {
			throw new IllegalStateException("no one here");
		}

	}

	static class Configured {

		@InformerHandler(id = "${audit.id}", informer = "#{'web' + 'pods'}", resyncPeriod = "${audit.resync}",
				queue = QueuePolicy.KEEP_ALL)
		void handle(V1Pod pod) {
		}

	}

	static class TwoHandlers {

		@InformerHandler(id = "annotated", resyncPeriod = "10m", queue = QueuePolicy.COALESCE)
		void annotated(V1Pod pod) {
		}

		@InformerHandler(id = "plain")
		void plain(V1Pod pod) {
		}

	}

	static class Overloaded {

		@InformerHandler
		void handle(V1Pod pod) {
		}

		@InformerHandler
		void handle(V1Node node) {
		}

	}

	static class DefaultInformerHandler {

		@InformerHandler
		void handle(V1Pod pod) {
		}

	}

	static class Elsewhere {

		@InformerHandler(informer = "webpods")
		void handle(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrototypeConfiguration {

		final List<DefaultInformerHandler> created = new ArrayList<>();

		@Bean
		@Scope("prototype")
		DefaultInformerHandler prototype() {
			DefaultInformerHandler handler = new DefaultInformerHandler();
			this.created.add(handler);
			return handler;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyConfiguration {

		@Bean
		@Lazy
		Recorder lazy() {
			return new Recorder();
		}

	}

}
