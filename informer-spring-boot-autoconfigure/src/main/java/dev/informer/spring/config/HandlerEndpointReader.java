/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerOptions;
import dev.informer.RetryPolicy;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InvalidHandlerMethodException;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.StringUtils;

/**
 * Reads what the annotation of a handler method says.
 */
final class HandlerEndpointReader {

	private static final String DURATION = "a duration: a number and a unit, such as 10m or 30s";

	private static final String POSITIVE = "a whole number, at least 1";

	private static final String NOT_NEGATIVE = "a whole number, at least 0";

	private static final String NUMBER = "a number";

	private static final String BOOLEAN = "true or false";

	private final ConfigurableListableBeanFactory beanFactory;

	private final GenericBeanLookup typedBeans;

	HandlerEndpointReader(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.typedBeans = new GenericBeanLookup(beanFactory);
	}

	HandlerEndpoint read(String beanName, HandlerMethod method) {
		InformerHandler annotation = method.annotation();
		String id = text(method, "id", annotation.id());
		HandlerEndpoint endpoint = new HandlerEndpoint((id != null) ? id : beanName + "." + method.method().getName(),
				beanName, method, text(method, "informer", annotation.informer()), options(method), filter(method),
				errorHandler(method));
		try {
			HandlerOptions.Builder<?> builder = new HandlerOptions.Builder<>();
			endpoint.options().accept(builder);
			builder.build();
		}
		catch (IllegalArgumentException ex) {
			throw method.refuse(String.valueOf(ex.getMessage()), "Change its attributes.");
		}
		return endpoint;
	}

	private Consumer<HandlerOptions.Builder<?>> options(HandlerMethod method) {
		InformerHandler annotation = method.annotation();
		Duration resyncPeriod = duration(method, "resyncPeriod", annotation.resyncPeriod());
		Integer concurrency = value(method, "concurrency", annotation.concurrency(), POSITIVE, Integer::valueOf);
		UnaryOperator<RetryPolicy> retry = retry(method, annotation.retry());
		Boolean autoStartup = value(method, "autoStartup", annotation.autoStartup(), BOOLEAN,
				HandlerEndpointReader::parseBoolean);
		return (builder) -> {
			PropertyMapper map = PropertyMapper.get();
			map.from(resyncPeriod).to(builder::resyncPeriod);
			map.from(concurrency).to(builder::concurrency);
			map.from(autoStartup).as((start) -> !start).to(builder::paused);
			if (annotation.queue().length > 0) {
				builder.queue(annotation.queue()[0]);
			}
			if (annotation.changes().length > 0) {
				builder.changes(annotation.changes());
			}
			builder.retry(retry.apply(builder.build().retry()));
		};
	}

	private UnaryOperator<RetryPolicy> retry(HandlerMethod method, InformerHandler.Retry retry) {
		Integer maxRetries = value(method, "retry.maxRetries", retry.maxRetries(), NOT_NEGATIVE, Integer::valueOf);
		Duration delay = duration(method, "retry.delay", retry.delay());
		Double multiplier = value(method, "retry.multiplier", retry.multiplier(), NUMBER, Double::valueOf);
		Duration maxDelay = duration(method, "retry.maxDelay", retry.maxDelay());
		Duration jitter = duration(method, "retry.jitter", retry.jitter());
		return (policy) -> Policies.override(policy, maxRetries, delay, multiplier, maxDelay, jitter);
	}

	private @Nullable Duration duration(HandlerMethod method, String attribute, String text) {
		return value(method, attribute, text, DURATION, DurationStyle::detectAndParse);
	}

	private <V> @Nullable V value(HandlerMethod method, String attribute, String text, String expected,
			Function<String, V> parser) {
		String value = text(method, attribute, text);
		try {
			return (value != null) ? parser.apply(value) : null;
		}
		catch (IllegalArgumentException ex) {
			throw method.refuse("its " + attribute + " '" + value + "' is not " + expected,
					"Change the attribute '" + attribute + "'.");
		}
	}

	private static boolean parseBoolean(String text) {
		if (!text.equals("true") && !text.equals("false")) {
			throw new IllegalArgumentException("Neither true nor false: " + text);
		}
		return text.equals("true");
	}

	@SuppressWarnings("unchecked")
	private @Nullable Predicate<? super KubernetesObject> filter(HandlerMethod method) {
		return (Predicate<? super KubernetesObject>) bean(method, "filter", method.annotation().filter(),
				Predicate.class);
	}

	@SuppressWarnings("unchecked")
	private @Nullable HandlerErrorHandler<? super KubernetesObject> errorHandler(HandlerMethod method) {
		HandlerErrorHandler<?> named = bean(method, "errorHandler", method.annotation().errorHandler(),
				HandlerErrorHandler.class);
		return (HandlerErrorHandler<? super KubernetesObject>) ((named != null) ? named
				: this.typedBeans.onlyOne(HandlerErrorHandler.class, method.type()));
	}

	private <B> @Nullable B bean(HandlerMethod method, String attribute, String text, Class<B> type) {
		Object value = evaluate(method, attribute, text);
		if (value == null || type.isInstance(value)) {
			return type.cast(value);
		}
		try {
			return this.beanFactory.getBean(value.toString(), type);
		}
		catch (BeansException ex) {
			InvalidHandlerMethodException refusal = method.refuse(
					"its " + attribute + " '" + value + "' is no bean that is a " + type.getSimpleName() + ": "
							+ ex.getMessage(),
					"Name a bean of that type in the attribute '" + attribute + "', or declare one.");
			refusal.initCause(ex);
			throw refusal;
		}
	}

	private @Nullable String text(HandlerMethod method, String attribute, String text) {
		return Objects.toString(evaluate(method, attribute, text), null);
	}

	/**
	 * What a text stands for; {@code null} when that is nothing, or an empty text.
	 */
	private @Nullable Object evaluate(HandlerMethod method, String attribute, String text) {
		try {
			String value = this.beanFactory.resolveEmbeddedValue(text);
			BeanExpressionResolver resolver = this.beanFactory.getBeanExpressionResolver();
			Object evaluated = (resolver != null)
					? resolver.evaluate(value, new BeanExpressionContext(this.beanFactory, null)) : value;
			return (evaluated instanceof String string && !StringUtils.hasText(string)) ? null : evaluated;
		}
		catch (IllegalArgumentException | BeansException ex) {
			InvalidHandlerMethodException refusal = method.refuse(
					"its " + attribute + " '" + text + "' cannot be resolved: "
							+ NestedExceptionUtils.getMostSpecificCause(ex).getMessage(),
					"Define the property, give it a default by ${name:default}, or correct the expression.");
			refusal.initCause(ex);
			throw refusal;
		}
	}

}
