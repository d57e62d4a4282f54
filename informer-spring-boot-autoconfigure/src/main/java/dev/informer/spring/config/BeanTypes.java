/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ClassUtils;

/**
 * Names and classes of the beans of an application, including the classes behind proxies.
 * No bean is created.
 */
final class BeanTypes {

	private static final String OWN = "dev.informer.spring.boot.autoconfigure.";

	private final ConfigurableListableBeanFactory beanFactory;

	BeanTypes(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Return the names of all beans, except targets of scoped proxies, abstract
	 * definitions and beans of this module's auto-configurations.
	 */
	List<String> names() {
		List<String> beans = new ArrayList<>();
		this.beanFactory.getBeanNamesIterator().forEachRemaining(beans::add);
		beans.removeIf((name) -> ScopedProxyUtils.isScopedTarget(name) || isExcluded(name));
		return beans;
	}

	/**
	 * Return the user class of a bean, or {@code null} if it is not known yet.
	 */
	@Nullable Class<?> find(String name) {
		Class<?> type = determine(name);
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			type = determine(ScopedProxyUtils.getTargetBeanName(name));
		}
		return (type != null) ? ClassUtils.getUserClass(type) : null;
	}

	/**
	 * Return the user class of the object that Spring creates and injects into, which is
	 * the factory bean of a bean that has one; {@code null} if it is not known yet.
	 */
	@Nullable Class<?> findInjected(String name) {
		if (!this.beanFactory.isFactoryBean(name)) {
			return find(name);
		}
		Class<?> factory = this.beanFactory.getType(BeanFactory.FACTORY_BEAN_PREFIX + name, false);
		return (factory != null) ? ClassUtils.getUserClass(factory) : null;
	}

	private @Nullable Class<?> determine(String name) {
		String bean = targetName(name);
		BeanDefinition definition = findDefinition(bean);
		if (definition != null && definition
			.getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE) instanceof Class<?> original) {
			return original;
		}
		Class<?> type = this.beanFactory.getType(bean, false);
		return (type != null && Proxy.isProxyClass(type)) ? determineBehindProxy(bean, definition, type) : type;
	}

	/**
	 * Return the class behind a JDK proxy that Spring did not create for its definition,
	 * such as that of a {@code @Bean} method or of a post-processor.
	 */
	private Class<?> determineBehindProxy(String bean, @Nullable BeanDefinition definition, Class<?> proxy) {
		Object singleton = this.beanFactory.getSingleton(bean);
		Class<?> target = (singleton != null) ? AopProxyUtils.ultimateTargetClass(singleton) : proxy;
		if (Proxy.isProxyClass(target) && definition != null) {
			Class<?> declared = definition.getResolvableType().resolve();
			return (declared != null && !declared.isInterface()) ? declared : proxy;
		}
		return target;
	}

	/**
	 * Return the bean scope, behind a scoped proxy if it has one; {@code null} if the
	 * bean has no definition.
	 */
	@Nullable String findScope(String name) {
		BeanDefinition definition = findDefinition(targetName(name));
		return (definition != null) ? definition.getScope() : null;
	}

	/**
	 * Return the name of the bean behind a scoped proxy, or that of another bean.
	 */
	String targetName(String name) {
		String target = ScopedProxyUtils.getTargetBeanName(name);
		return this.beanFactory.containsBeanDefinition(target) ? target : name;
	}

	/**
	 * Return the merged definition of a bean, or {@code null} if it has none.
	 */
	@Nullable BeanDefinition findDefinition(String name) {
		return this.beanFactory.containsBeanDefinition(name) ? this.beanFactory.getMergedBeanDefinition(name) : null;
	}

	/**
	 * Return the class that a definition names, which is the class with the static
	 * factory method if there is one.
	 */
	@Nullable Class<?> findDeclared(BeanDefinition definition) {
		if (definition instanceof AbstractBeanDefinition declared && declared.hasBeanClass()) {
			return declared.getBeanClass();
		}
		String name = definition.getBeanClassName();
		return (name != null && ClassUtils.isPresent(name, this.beanFactory.getBeanClassLoader()))
				? ClassUtils.resolveClassName(name, this.beanFactory.getBeanClassLoader()) : null;
	}

	private boolean isExcluded(String name) {
		if (!this.beanFactory.containsBeanDefinition(name)) {
			return false;
		}
		BeanDefinition definition = this.beanFactory.getBeanDefinition(name);
		String factory = definition.getFactoryBeanName();
		return definition.isAbstract() || isOwn((factory != null) ? factory : definition.getBeanClassName());
	}

	private static boolean isOwn(@Nullable String configuration) {
		return configuration != null && configuration.startsWith(OWN) && configuration.endsWith("AutoConfiguration");
	}

	/**
	 * Return what a bean class declares; nothing if a class to which it refers is
	 * missing, as for beans of libraries that are never created. Spring fails if it
	 * creates such a bean.
	 */
	static <T> List<T> introspect(Supplier<List<T>> declared) {
		try {
			return declared.get();
		}
		catch (IllegalStateException | TypeNotPresentException | LinkageError ex) {
			Throwable cause = NestedExceptionUtils.getMostSpecificCause(ex);
			if (cause instanceof LinkageError || cause instanceof ClassNotFoundException) {
				return List.of();
			}
			throw ex;
		}
	}

}
