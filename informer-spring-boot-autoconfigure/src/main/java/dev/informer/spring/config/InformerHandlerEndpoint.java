/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerOptions;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.config.InformerProperties.Handler;
import dev.informer.spring.config.InformerProperties.Retry;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.CollectionUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Endpoint of a handler method of a bean: resolves the attributes of its annotation and
 * invokes the method.
 * <p>
 * The bean is looked up at the first event, or at each event if it is not a singleton, so
 * that lazy and scoped beans work. A handler is invoked by as many threads at once as its
 * concurrency allows; threads that race for the first lookup find the same bean.
 */
final class InformerHandlerEndpoint {

	private static final Set<String> REQUEST_SCOPES = Set.of("request", "session", "websocket");

	private static final String DURATION = "a duration: a number and a unit, such as 10m or 30s";

	private static final String PERIOD = DURATION + ", at least 1s, or 0 for none";

	private static final Pattern WITHOUT_UNIT = Pattern.compile("[+-]?0*[1-9][0-9]*");

	private final ConfigurableListableBeanFactory beanFactory;

	private final String beanName;

	private final HandlerMethod method;

	private final String id;

	private final @Nullable String informer;

	private final Handler options;

	private final @Nullable Predicate<? super KubernetesObject> filter;

	private final @Nullable HandlerErrorHandler<? super KubernetesObject> errorHandler;

	private volatile @Nullable Target singleton;

	/**
	 * Create an endpoint.
	 * @throws InvalidHandlerMethodException if an attribute is invalid, or the method
	 * cannot be invoked on the bean
	 */
	InformerHandlerEndpoint(ConfigurableListableBeanFactory beanFactory, String beanName, HandlerMethod method) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
		this.method = method;
		InformerHandler annotation = method.annotation();
		String id = text("id", annotation.id());
		this.id = (id != null) ? id : beanName + "." + method.method().getName();
		this.informer = text("informer", annotation.informer());
		this.filter = filter(annotation);
		this.errorHandler = errorHandler(annotation);
		this.options = options(annotation);
		checkOptions();
		checkScope();
		Class<?> type = beanFactory.getType(beanName);
		if (type != null) {
			checkProxy(type);
		}
	}

	String id() {
		return this.id;
	}

	HandlerMethod method() {
		return this.method;
	}

	InvalidHandlerMethodException invalid(String reason, String action) {
		return this.method.invalid(reason, action);
	}

	/**
	 * Return the name of the informer; {@code null} for the default one of the type.
	 */
	@Nullable String informer() {
		return this.informer;
	}

	/**
	 * Return the options of the annotation.
	 */
	Handler options() {
		return this.options;
	}

	private Handler options(InformerHandler annotation) {
		InformerHandler.Retry retry = annotation.retry();
		return new Handler(
				value("resyncPeriod", annotation.resyncPeriod(), PERIOD, InformerHandlerEndpoint::parsePeriod),
				(annotation.queue().length > 0) ? annotation.queue()[0] : null,
				(annotation.changes().length > 0) ? List.of(annotation.changes()) : null,
				value("concurrency", annotation.concurrency(), "a whole number, at least 1", Integer::valueOf),
				value("autoStartup", annotation.autoStartup(), "true or false", InformerHandlerEndpoint::parseBoolean),
				text("leader", annotation.leader()), annotation.leaderOnly() ? true : null,
				annotation.sharded() ? true : null,
				new Retry(
						value("retry.maxRetries", retry.maxRetries(), "a whole number, at least 0, or -1 for no limit",
								Integer::valueOf),
						duration("retry.delay", retry.delay()),
						value("retry.multiplier", retry.multiplier(), "a number", Double::valueOf),
						duration("retry.maxDelay", retry.maxDelay()), duration("retry.jitter", retry.jitter())));
	}

	/**
	 * Set the options of the annotation and of the method.
	 */
	void applyTo(HandlerOptions.Builder<?> builder) {
		this.options.applyTo(builder);
		builder.name(this.id)
			.on(this.method.on().toArray(ResourceEvent.Type[]::new))
			.filter(this.filter)
			.errorHandler(this.errorHandler);
	}

	<T extends KubernetesObject> ResourceEventHandler<T> handler() {
		return this::invoke;
	}

	private void invoke(ResourceEvent<?> event) throws Exception {
		Target target = target();
		try {
			target.method().invoke(target.bean(), this.method.arguments(event));
		}
		catch (InvocationTargetException ex) {
			ReflectionUtils.rethrowException(ex.getTargetException());
		}
	}

	private Target target() {
		Target known = this.singleton;
		if (known != null) {
			return known;
		}
		Object bean = this.beanFactory.getBean(this.beanName);
		Method invocable = AopUtils.selectInvocableMethod(this.method.method(), bean.getClass());
		ReflectionUtils.makeAccessible(invocable);
		Target target = new Target(bean, invocable);
		if (this.beanFactory.isSingleton(this.beanName)) {
			this.singleton = target;
		}
		return target;
	}

	private @Nullable Duration duration(String attribute, String text) {
		return value(attribute, text, DURATION, InformerHandlerEndpoint::parseDuration);
	}

	private static Duration parseDuration(String text) {
		if (WITHOUT_UNIT.matcher(text).matches()) {
			throw new IllegalArgumentException("No unit: " + text);
		}
		return DurationStyle.detectAndParse(text);
	}

	private static Duration parsePeriod(String text) {
		Duration period = parseDuration(text);
		if (!period.isZero() && period.compareTo(InformerSettings.MIN_RESYNC_PERIOD) < 0) {
			throw new IllegalArgumentException("Too short: " + text);
		}
		return period;
	}

	private <V> @Nullable V value(String attribute, String text, String expected, Function<String, V> parser) {
		String value = text(attribute, text);
		try {
			return (value != null) ? parser.apply(value) : null;
		}
		catch (IllegalArgumentException ex) {
			throw invalid("its " + attribute + " '" + value + "' is not " + expected,
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
	private @Nullable Predicate<? super KubernetesObject> filter(InformerHandler annotation) {
		return (Predicate<? super KubernetesObject>) bean("filter", annotation.filter(), Predicate.class);
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private @Nullable HandlerErrorHandler<? super KubernetesObject> errorHandler(InformerHandler annotation) {
		HandlerErrorHandler<?> named = bean("errorHandler", annotation.errorHandler(), HandlerErrorHandler.class);
		List<HandlerErrorHandler> handlers = (named != null) ? List.of(named) : new GenericBeanLookup(this.beanFactory)
			.findMostSpecific(HandlerErrorHandler.class, this.method.type());
		return (handlers.size() <= 1) ? CollectionUtils.firstElement(handlers)
				: (failure) -> invokeAll(handlers, failure);
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static void invokeAll(List<HandlerErrorHandler> handlers, HandlerFailure<?> failure) {
		try {
			handlers.get(0).failed(failure);
		}
		finally {
			// one that throws does not keep the others from being notified
			if (handlers.size() > 1) {
				invokeAll(handlers.subList(1, handlers.size()), failure);
			}
		}
	}

	private <B> @Nullable B bean(String attribute, String text, Class<B> type) {
		Object value = evaluate(attribute, text);
		if (value == null) {
			return null;
		}
		String name = type.isInstance(value) ? null : value.toString();
		B bean = (name != null) ? named(attribute, name, type) : type.cast(value);
		Class<?> mismatch = new GenericBeanLookup(this.beanFactory).findMismatch(bean, name, type, this.method.type());
		if (mismatch != null) {
			throw invalid(
					"its " + attribute + " '" + ((name != null) ? name : text) + "' is a " + type.getSimpleName()
							+ " of " + mismatch.getName() + ", but its objects are of " + this.method.type().getName(),
					"Name a bean of type " + type.getSimpleName() + "<" + this.method.type().getSimpleName()
							+ "> in the attribute '" + attribute + "'.");
		}
		return bean;
	}

	private <B> B named(String attribute, String name, Class<B> type) {
		try {
			return this.beanFactory.getBean(name, type);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw this.method.invalid(
					"its " + attribute + " '" + name + "' is not the name of a " + type.getSimpleName() + " bean: "
							+ ex.getMessage(),
					"Name a bean of type " + type.getSimpleName() + "<" + this.method.type().getSimpleName()
							+ "> in the attribute '" + attribute + "', or declare one.",
					ex);
		}
	}

	private @Nullable String text(String attribute, String text) {
		return Objects.toString(evaluate(attribute, text), null);
	}

	/**
	 * Resolve placeholders and expressions; {@code null} if the result is {@code null} or
	 * an empty text.
	 */
	private @Nullable Object evaluate(String attribute, String text) {
		try {
			String value = this.beanFactory.resolveEmbeddedValue(text);
			BeanExpressionResolver resolver = this.beanFactory.getBeanExpressionResolver();
			Object evaluated = (resolver != null)
					? resolver.evaluate(value, new BeanExpressionContext(this.beanFactory, null)) : value;
			return (evaluated instanceof String string && !StringUtils.hasText(string)) ? null : evaluated;
		}
		catch (IllegalArgumentException | BeansException ex) {
			throw this.method.invalid(
					"its " + attribute + " '" + text + "' cannot be resolved: "
							+ NestedExceptionUtils.getMostSpecificCause(ex).getMessage(),
					"Define the property, give it a default by ${name:default}, or correct the expression.", ex);
		}
	}

	private void checkOptions() {
		try {
			HandlerOptions.Builder<?> builder = new HandlerOptions.Builder<>();
			applyTo(builder);
			builder.build();
		}
		catch (IllegalArgumentException ex) {
			throw invalid(String.valueOf(ex.getMessage()), "Change its attributes.");
		}
	}

	private void checkScope() {
		String scope = new BeanTypes(this.beanFactory).findScope(this.beanName);
		if (scope != null && REQUEST_SCOPES.contains(scope)) {
			throw invalid(
					"its bean '" + this.beanName + "' has the scope '" + scope
							+ "', but events are delivered outside of requests",
					"Put the method into a singleton bean, which can keep the state for other beans.");
		}
	}

	private void checkProxy(Class<?> type) {
		try {
			AopUtils.selectInvocableMethod(this.method.method(), type);
		}
		catch (IllegalStateException ex) {
			throw invalid(
					"the proxy of the bean '" + this.beanName + "' implements only its interfaces "
							+ "and does not have the method",
					"Declare the method in an interface of the bean, or use a proxy that extends its class "
							+ "(proxyTargetClass).");
		}
		boolean subclass = SpringProxy.class.isAssignableFrom(type) && !Proxy.isProxyClass(type);
		if (subclass && Modifier.isFinal(this.method.method().getModifiers())) {
			throw invalid("it is final, so that it would be invoked on the proxy of the bean '" + this.beanName
					+ "', whose fields are not set, instead of on the bean", "Remove the modifier final.");
		}
	}

	private record Target(Object bean, Method method) {
	}

}
