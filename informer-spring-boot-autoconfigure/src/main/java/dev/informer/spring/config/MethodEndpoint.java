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
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.config.InformerProperties.Retry;
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
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Endpoint of an annotated method of a bean: resolves the attributes of its annotation
 * and invokes the method.
 * <p>
 * The bean is looked up at the first call, or at each call if it is not a singleton, so
 * that lazy and scoped beans work. As many threads invoke the method at once as its
 * concurrency allows; threads that race for the first lookup find the same bean.
 *
 * @param <M> the type of the method
 */
class MethodEndpoint<M extends AnnotatedMethod<?>> {

	private static final Set<String> REQUEST_SCOPES = Set.of("request", "session", "websocket");

	static final String DURATION = "a duration: a number and a unit, such as 10m or 30s";

	private static final Pattern WITHOUT_UNIT = Pattern.compile("[+-]?0*[1-9][0-9]*");

	private final ConfigurableListableBeanFactory beanFactory;

	private final String beanName;

	private final M method;

	private volatile @Nullable Target singleton;

	/**
	 * Create an endpoint.
	 * @throws InvalidHandlerMethodException if the method cannot be invoked on the bean
	 */
	MethodEndpoint(ConfigurableListableBeanFactory beanFactory, String beanName, M method) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
		this.method = method;
		checkScope();
		Class<?> type = beanFactory.getType(beanName);
		if (type != null) {
			checkProxy(type);
		}
	}

	final ConfigurableListableBeanFactory beanFactory() {
		return this.beanFactory;
	}

	final M method() {
		return this.method;
	}

	final InvalidHandlerMethodException invalid(String reason, String action) {
		return this.method.invalid(reason, action);
	}

	/**
	 * Return the ID that an attribute has, or that of the bean and the method.
	 */
	final String id(String attribute) {
		String id = text("id", attribute);
		if (id != null && !Names.isId(id)) {
			throw invalid("its ID '" + id + "' cannot be a part of the keys of properties",
					"Use letters, digits, '-', '_' and '.', best only lowercase letters and digits, such as audit.");
		}
		return Objects.requireNonNullElseGet(id, () -> this.beanName + "." + this.method.method().getName());
	}

	/**
	 * Check that no other method has the same ID.
	 */
	final void checkUnique(String id, @Nullable MethodEndpoint<?> other) {
		if (other != null) {
			throw invalid("its ID '" + id + "' is the ID of another method, " + other.method.method().toGenericString(),
					"Give each of them a unique ID: " + this.method.annotationName() + "(id = \"...\").");
		}
	}

	final @Nullable Object invoke(@Nullable Object... arguments) throws Exception {
		Target target = target();
		try {
			return target.method().invoke(target.bean(), arguments);
		}
		catch (InvocationTargetException ex) {
			ReflectionUtils.rethrowException(ex.getTargetException());
			throw ex;
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

	/**
	 * Return the retries that attributes have.
	 */
	final Retry retry(InformerHandler.Retry retry) {
		return new Retry(
				value("retry.maxRetries", retry.maxRetries(), "a whole number, at least 0, or -1 for no limit",
						Integer::valueOf),
				duration("retry.delay", retry.delay()),
				value("retry.multiplier", retry.multiplier(), "a number", Double::valueOf),
				duration("retry.maxDelay", retry.maxDelay()), duration("retry.jitter", retry.jitter()));
	}

	final @Nullable Integer concurrency(String text) {
		return value("concurrency", text, "a whole number, at least 1", Integer::valueOf);
	}

	final @Nullable Boolean bool(String attribute, String text) {
		return value(attribute, text, "true or false", MethodEndpoint::parseBoolean);
	}

	final @Nullable Duration duration(String attribute, String text) {
		return value(attribute, text, DURATION, MethodEndpoint::parseDuration);
	}

	static Duration parseDuration(String text) {
		if (WITHOUT_UNIT.matcher(text).matches()) {
			throw new IllegalArgumentException("No unit: " + text);
		}
		return DurationStyle.detectAndParse(text);
	}

	final <V> @Nullable V value(String attribute, String text, String expected, Function<String, V> parser) {
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

	/**
	 * Return the bean that an attribute names, or the value of its expression, for
	 * objects of a type; {@code null} for none.
	 */
	final <B> @Nullable B bean(String attribute, String text, Class<B> type, Class<?> objects) {
		Object value = evaluate(attribute, text);
		if (value == null) {
			return null;
		}
		String name = type.isInstance(value) ? null : value.toString();
		B bean = (name != null) ? named(attribute, name, type, objects) : type.cast(value);
		Class<?> mismatch = new GenericBeanLookup(this.beanFactory).findMismatch(bean, name, type, objects);
		if (mismatch != null) {
			throw invalid(
					"its " + attribute + " '" + ((name != null) ? name : text) + "' is a " + type.getSimpleName()
							+ " of " + mismatch.getName() + ", but its objects are of " + objects.getName(),
					"Name a bean of type " + type.getSimpleName() + "<" + objects.getSimpleName()
							+ "> in the attribute '" + attribute + "'.");
		}
		return bean;
	}

	private <B> B named(String attribute, String name, Class<B> type, Class<?> objects) {
		try {
			return this.beanFactory.getBean(name, type);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw this.method.invalid(
					"its " + attribute + " '" + name + "' is not the name of a " + type.getSimpleName() + " bean: "
							+ ex.getMessage(),
					"Name a bean of type " + type.getSimpleName() + "<" + objects.getSimpleName()
							+ "> in the attribute '" + attribute + "', or declare one.",
					ex);
		}
	}

	final @Nullable String text(String attribute, String text) {
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

	/**
	 * Check that options can be built from the attributes.
	 */
	final void check(Runnable options) {
		try {
			options.run();
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
							+ "', but the method is called outside of requests",
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
