/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Finds beans of a generic interface, such as an error handler, that are declared for one
 * type of objects or for all types.
 */
final class GenericBeanLookup {

	private final ConfigurableListableBeanFactory beanFactory;

	GenericBeanLookup(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Find the beans for a type and for all types.
	 * @param beanType an interface whose only type parameter is the type of the objects
	 * @param type the type of the objects
	 * @return the beans by name
	 */
	<B> Map<String, B> findByName(Class<B> beanType, Class<?> type) {
		Map<String, B> beans = new LinkedHashMap<>();
		for (String name : this.beanFactory.getBeanNamesForType(beanType, true, false)) {
			Class<?> declared = declaredType(name, beanType);
			if (declared == type || declared == KubernetesObject.class) {
				beans.put(name, this.beanFactory.getBean(name, beanType));
			}
		}
		return beans;
	}

	/**
	 * Find the beans for a type and for all types, in their order.
	 */
	<B> List<B> findOrdered(Class<B> beanType, Class<?> type) {
		Collection<B> beans = findByName(beanType, type).values();
		return this.beanFactory.getBeanProvider(beanType).orderedStream().filter(beans::contains).toList();
	}

	/**
	 * Find the bean for a type, or the bean for all types if there is none.
	 * @return the bean; {@code null} if there is none or more than one
	 */
	<B> @Nullable B findOnly(Class<B> beanType, Class<?> type) {
		Map<Class<?>, List<String>> names = new LinkedHashMap<>();
		for (String name : this.beanFactory.getBeanNamesForType(beanType, true, false)) {
			Class<?> declared = declaredType(name, beanType);
			if (declared != null) {
				names.computeIfAbsent(declared, (any) -> new ArrayList<>()).add(name);
			}
		}
		List<String> best = names.getOrDefault(type, names.getOrDefault(KubernetesObject.class, List.of()));
		return (best.size() == 1) ? this.beanFactory.getBean(best.get(0), beanType) : null;
	}

	/**
	 * Return the type that a bean cannot be used for objects because of, or {@code null}
	 * if it can be used or its type is not known, as for a lambda expression.
	 * @param value the bean
	 * @param name the name of the bean, or {@code null} for another object
	 * @param beanType an interface whose only type parameter is the type of the objects
	 * @param type the type of the objects
	 */
	@Nullable Class<?> findMismatch(Object value, @Nullable String name, Class<?> beanType, Class<?> type) {
		Class<?> declared = (name != null) ? declaredType(name, beanType) : null;
		if (declared == null) {
			declared = ResolvableType.forClass(AopUtils.getTargetClass(value)).as(beanType).resolveGeneric(0);
		}
		return (declared != null && !declared.isAssignableFrom(type)) ? declared : null;
	}

	/**
	 * Return the type that a bean is declared for. Resolving by Spring is not exact
	 * enough: an interface also matches beans that are declared for an implementation.
	 */
	private @Nullable Class<?> declaredType(String name, Class<?> beanType) {
		return this.beanFactory.containsBeanDefinition(name)
				? this.beanFactory.getMergedBeanDefinition(name).getResolvableType().as(beanType).resolveGeneric(0)
				: null;
	}

}
