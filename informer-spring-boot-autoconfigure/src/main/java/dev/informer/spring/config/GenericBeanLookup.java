/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.spring.InvalidInformerBeanException;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

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
	 * Find the beans for a type and for all types by name, in the order that Spring gives
	 * them, without creating the beans of other types. The bean type is an interface
	 * whose only type parameter is the type of the objects.
	 */
	<B> Map<String, B> findAll(Class<B> beanType, Class<?> type) {
		Map<String, B> beans = new LinkedHashMap<>();
		for (String name : this.beanFactory.getBeanNamesForType(beanType, true, false)) {
			Class<?> declared = declaredType(name, beanType, 0);
			if (declared == type || declared == KubernetesObject.class) {
				beans.put(name, bean(name, beanType));
			}
		}
		Map<Object, String> names = new IdentityHashMap<>();
		beans.forEach((name, bean) -> names.put(bean, name));
		Map<String, B> sorted = new LinkedHashMap<>();
		beans.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByValue(AnnotationAwareOrderComparator.INSTANCE
				.withSourceProvider((bean) -> orderSources(names.get(bean)))))
			.forEach((entry) -> sorted.put(entry.getKey(), entry.getValue()));
		return sorted;
	}

	/**
	 * Find the beans for a type, or the beans for all types if there are none, in their
	 * order.
	 */
	<B> List<B> findMostSpecific(Class<B> beanType, Class<?> type) {
		Map<String, B> all = findAll(beanType, type);
		List<B> own = all.entrySet()
			.stream()
			.filter((entry) -> declaredType(entry.getKey(), beanType, 0) == type)
			.map(Map.Entry::getValue)
			.toList();
		return own.isEmpty() ? List.copyOf(all.values()) : own;
	}

	private <B> B bean(String name, Class<B> beanType) {
		try {
			return this.beanFactory.getBean(name, beanType);
		}
		catch (BeansException ex) {
			if (ex.contains(InvalidInformerBeanException.class)
					|| !(ex.getMostSpecificCause() instanceof BeanCurrentlyInCreationException cycle)) {
				throw ex;
			}
			throw circular(name, beanType, cycle);
		}
	}

	private InvalidInformerBeanException circular(String name, Class<?> beanType,
			BeanCurrentlyInCreationException cycle) {
		String required = cycle.getBeanName();
		if (required != null && required.equals(this.beanFactory.getMergedBeanDefinition(name).getFactoryBeanName())) {
			return new InvalidInformerBeanException(name,
					"its method is not static, and the bean '" + required
							+ "', of whose class it is, needs an informer " + "or lister that this "
							+ beanType.getSimpleName() + " configures",
					"Declare the method static, or move it to a @Configuration class without informers and listers.",
					cycle);
		}
		return new InvalidInformerBeanException(name,
				"it depends on an informer or lister that this " + beanType.getSimpleName() + " configures",
				"Remove the informer or lister from the bean '" + name
						+ "' and the beans that it depends on, or inject " + "an ObjectProvider of it there.",
				cycle);
	}

	private @Nullable Object orderSources(@Nullable String name) {
		return (name != null && this.beanFactory.containsBeanDefinition(name)
				&& this.beanFactory.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)
						? definition.getResolvedFactoryMethod() : null;
	}

	/**
	 * Return the type that a bean cannot be used for objects because of, or {@code null}
	 * if it can be used or its type is not known, as for a lambda expression.
	 * @param name the name of the bean, or {@code null} for another object
	 */
	@Nullable Class<?> findMismatch(Object value, @Nullable String name, Class<?> beanType, Class<?> type) {
		Class<?> declared = findGeneric(value, name, beanType, 0);
		return (declared != null && !declared.isAssignableFrom(type)) ? declared : null;
	}

	/**
	 * Return a type argument that a bean is declared with, or {@code null} if it is not
	 * known.
	 * @param name the name of the bean, or {@code null} for another object
	 */
	@Nullable Class<?> findGeneric(Object value, @Nullable String name, Class<?> beanType, int index) {
		Class<?> declared = (name != null) ? declaredType(name, beanType, index) : null;
		return (declared != null) ? declared
				: ResolvableType.forClass(AopUtils.getTargetClass(value)).as(beanType).resolveGeneric(index);
	}

	/**
	 * Return the type that a bean is declared for. Resolving by Spring is not exact
	 * enough: an interface also matches beans that are declared for an implementation.
	 */
	private @Nullable Class<?> declaredType(String name, Class<?> beanType, int index) {
		return this.beanFactory.containsBeanDefinition(name)
				? this.beanFactory.getMergedBeanDefinition(name).getResolvableType().as(beanType).resolveGeneric(index)
				: null;
	}

}
