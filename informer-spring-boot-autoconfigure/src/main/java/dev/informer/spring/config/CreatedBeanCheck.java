/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.informer.spring.InvalidHandlerMethodException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Check of each bean that is created for annotated methods that are bound to no informer,
 * because its class was not known before. It fails the startup; of a bean that is created
 * later, it logs the class once.
 * <p>
 * <b>Concurrency.</b> Thread-safe. Adds a lookup to the creation of a bean of a known
 * class.
 */
final class CreatedBeanCheck implements BeanPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(CreatedBeanCheck.class);

	private final Function<Class<?>, List<AnnotatedMethod<?>>> methods;

	/** Classes with annotated methods of the beans before the methods are bound. */
	private final Map<String, Class<?>> early = new ConcurrentHashMap<>();

	private final Set<Class<?>> reported = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Map<String, List<AnnotatedMethod<?>>> bound;

	/**
	 * Create a check; {@code methods} returns the annotated methods of a class.
	 */
	CreatedBeanCheck(Function<Class<?>, List<AnnotatedMethod<?>>> methods) {
		this.methods = methods;
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		check(bean, beanName);
		return bean;
	}

	/**
	 * Check what a factory bean returns, which has no initialization.
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		check(bean, beanName);
		return bean;
	}

	/**
	 * Check the beans that were created before their methods are bound, by name.
	 * @throws InvalidHandlerMethodException if a method of one of them is not bound
	 */
	void bind(Map<String, List<AnnotatedMethod<?>>> bound) {
		this.bound = bound;
		this.early.forEach((name, type) -> {
			InvalidHandlerMethodException unbound = findUnbound(bound, name, type);
			if (unbound != null) {
				throw unbound;
			}
		});
		this.early.clear();
	}

	private void check(Object bean, String beanName) {
		// what a proxy invokes is a bean of its own, or was checked before
		if (AopUtils.isAopProxy(bean) || Proxy.isProxyClass(bean.getClass())) {
			return;
		}
		Class<?> type = ClassUtils.getUserClass(bean);
		Map<String, List<AnnotatedMethod<?>>> known = this.bound;
		if (known == null) {
			if (!this.methods.apply(type).isEmpty()) {
				this.early.put(beanName, type);
			}
		}
		else if (!this.reported.contains(type)) {
			InvalidHandlerMethodException unbound = findUnbound(known, beanName, type);
			if (unbound != null && this.reported.add(type)) {
				logger.warn("Bean '{}' has a method that is not called: {}. {}", beanName, unbound.getMessage(),
						unbound.action());
			}
		}
	}

	private @Nullable InvalidHandlerMethodException findUnbound(Map<String, List<AnnotatedMethod<?>>> bound,
			String beanName, Class<?> type) {
		try {
			List<AnnotatedMethod<?>> found = this.methods.apply(type);
			if (found.isEmpty()) {
				return null;
			}
			String name = ScopedProxyUtils.isScopedTarget(beanName) ? ScopedProxyUtils.getOriginalBeanName(beanName)
					: beanName;
			List<AnnotatedMethod<?>> known = bound.getOrDefault(name, List.of());
			return found.stream()
				.filter((method) -> known.stream().noneMatch((each) -> isSame(each, method)))
				.findFirst()
				.map((method) -> method.invalid(
						"the class of the bean '" + beanName + "', " + type.getName()
								+ ", was not known before the bean was created",
						"If a @Bean method creates the bean, let it return the class with the method, so that the "
								+ "method is found in time. Define other beans before the start."))
				.orElse(null);
		}
		catch (InvalidHandlerMethodException ex) {
			return ex;
		}
	}

	/**
	 * Return whether a method is another one, or overrides it.
	 */
	private static boolean isSame(AnnotatedMethod<?> bound, AnnotatedMethod<?> created) {
		return bound.method().getName().equals(created.method().getName())
				&& Arrays.equals(bound.method().getParameterTypes(), created.method().getParameterTypes());
	}

}
