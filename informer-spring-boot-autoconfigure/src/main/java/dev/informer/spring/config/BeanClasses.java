/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.util.ClassUtils;

/**
 * Knows the classes of beans, those behind proxies, without creating a bean.
 */
final class BeanClasses {

	private static final List<String> LIBRARIES = List.of("java.", "jakarta.", "org.springframework.",
			"io.kubernetes.client.", "io.micrometer.", "tools.jackson.", "com.fasterxml.jackson.");

	private static final String OWN = "dev.informer.spring.boot.autoconfigure.";

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates an instance.
	 * @param beanFactory has the beans
	 */
	public BeanClasses(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * The names of all beans that are more than the target of a scoped proxy, but for
	 * those of this module's auto-configurations.
	 * @return the names
	 */
	public List<String> names() {
		Set<String> names = new LinkedHashSet<>(List.of(this.beanFactory.getBeanDefinitionNames()));
		names.addAll(List.of(this.beanFactory.getSingletonNames()));
		List<String> beans = new ArrayList<>(names);
		beans.removeIf((name) -> ScopedProxyUtils.isScopedTarget(name) || isLeftOut(name));
		return beans;
	}

	/**
	 * The class that a bean was written as.
	 * @param name the name of the bean
	 * @return the class; {@code null} when it is not known yet
	 */
	public @Nullable Class<?> find(String name) {
		Class<?> type = determine(name);
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			type = determine(ScopedProxyUtils.getTargetBeanName(name));
		}
		return (type != null) ? ClassUtils.getUserClass(type) : null;
	}

	private @Nullable Class<?> determine(String name) {
		String target = ScopedProxyUtils.getTargetBeanName(name);
		String bean = this.beanFactory.containsBeanDefinition(target) ? target : name;
		BeanDefinition definition = findDefinition(bean);
		if (definition != null && definition
			.getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE) instanceof Class<?> original) {
			return original;
		}
		return this.beanFactory.getType(bean, false);
	}

	/**
	 * The definition of a bean.
	 * @param name the name of the bean
	 * @return the definition with what it inherits; {@code null} when there is none
	 */
	@Nullable BeanDefinition findDefinition(String name) {
		return this.beanFactory.containsBeanDefinition(name) ? this.beanFactory.getMergedBeanDefinition(name) : null;
	}

	/**
	 * The class that a definition itself names, which is the one of a static factory
	 * method if it has one.
	 */
	@Nullable Class<?> declared(BeanDefinition definition) {
		if (definition instanceof AbstractBeanDefinition declared && declared.hasBeanClass()) {
			return declared.getBeanClass();
		}
		String name = definition.getBeanClassName();
		return (name != null && ClassUtils.isPresent(name, this.beanFactory.getBeanClassLoader()))
				? ClassUtils.resolveClassName(name, this.beanFactory.getBeanClassLoader()) : null;
	}

	private boolean isLeftOut(String name) {
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
	 * Whether nobody needs to look into a class because it belongs to a library: looking
	 * costs the start of every application more than anything else here.
	 */
	static boolean isInfrastructure(Class<?> beanClass) {
		String name = beanClass.getName();
		return LIBRARIES.stream().anyMatch(name::startsWith);
	}

}
