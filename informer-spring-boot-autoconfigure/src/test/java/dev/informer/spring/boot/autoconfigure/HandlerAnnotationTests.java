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

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerOptions;
import dev.informer.InformerFactory;
import dev.informer.RetryPolicy;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AliasFor;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for composed annotations of handler methods, and for placeholders and expressions
 * in their attributes.
 */
class HandlerAnnotationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new);

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

	private static HandlerOptions<?> options(ApplicationContext context, String informer, String handler) {
		return context.getBean(informer + "Informer", TestInformer.class).handlerOptions(handler);
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
