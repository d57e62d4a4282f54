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

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the beans that are declared for the objects of one type, such as an error handler
 * of pods, or for those of every type.
 */
final class GenericBeanLookup {

	private final ConfigurableListableBeanFactory beanFactory;

	GenericBeanLookup(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * The beans for a type and for every type.
	 * @param beanType an interface whose only parameter is the type of the objects
	 * @param type the type of the objects
	 * @return the beans by name
	 */
	<B> Map<String, B> named(Class<B> beanType, Class<?> type) {
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
	 * The same in their order.
	 */
	<B> List<B> ordered(Class<B> beanType, Class<?> type) {
		Collection<B> beans = named(beanType, type).values();
		return this.beanFactory.getBeanProvider(beanType).orderedStream().filter(beans::contains).toList();
	}

	/**
	 * The bean that is declared for a type, or else the one for every type; {@code null}
	 * when there is none, or more than one.
	 */
	<B> @Nullable B onlyOne(Class<B> beanType, Class<?> type) {
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
	 * What a bean is declared for. Its own type says less: what Spring finds for an
	 * interface may be declared for one of its implementations.
	 */
	private @Nullable Class<?> declaredType(String name, Class<?> beanType) {
		return this.beanFactory.containsBeanDefinition(name)
				? this.beanFactory.getMergedBeanDefinition(name).getResolvableType().as(beanType).resolveGeneric(0)
				: null;
	}

}
