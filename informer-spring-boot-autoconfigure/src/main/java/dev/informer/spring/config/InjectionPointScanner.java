/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/**
 * Finds where beans ask for informers and listers: in the parameters of constructors, of
 * {@code @Bean} methods and of {@code @Autowired} methods, and in {@code @Autowired}
 * fields. One that names its bean by a {@code @Qualifier} is left out.
 */
final class InjectionPointScanner {

	private static final Set<String> INJECT = Set.of(Autowired.class.getName(), "jakarta.inject.Inject");

	private final BeanClasses beans;

	InjectionPointScanner(BeanClasses beans) {
		this.beans = beans;
	}

	List<InjectionPoint> scan(String beanName) {
		List<InjectionPoint> found = new ArrayList<>();
		Class<?> beanClass = this.beans.find(beanName);
		BeanDefinition definition = this.beans.findDefinition(beanName);
		if (definition != null && definition.getFactoryMethodName() != null) {
			addFactoryMethods(definition, found);
		}
		else if (beanClass != null && definition != null && !BeanClasses.isInfrastructure(beanClass)) {
			addConstructor(beanClass, found);
		}
		if (beanClass != null && !BeanClasses.isInfrastructure(beanClass) && !beanClass.isInterface()) {
			addMembers(beanClass, found);
		}
		return found;
	}

	private void addFactoryMethods(BeanDefinition definition, List<InjectionPoint> found) {
		String factoryBean = definition.getFactoryBeanName();
		Class<?> factory = (factoryBean != null) ? this.beans.find(factoryBean) : this.beans.declared(definition);
		if (factory != null && !BeanClasses.isInfrastructure(factory)) {
			ReflectionUtils.doWithMethods(factory, (method) -> addParameters(method, found),
					(method) -> method.getName().equals(definition.getFactoryMethodName())
							&& AnnotatedElementUtils.hasAnnotation(method, Bean.class));
		}
	}

	private void addConstructor(Class<?> beanClass, List<InjectionPoint> found) {
		Constructor<?>[] constructors = beanClass.getDeclaredConstructors();
		Arrays.stream(constructors)
			.filter((constructor) -> constructors.length == 1 || isInjected(constructor))
			.forEach((constructor) -> addParameters(constructor, found));
	}

	private void addMembers(Class<?> beanClass, List<InjectionPoint> found) {
		ReflectionUtils.doWithFields(beanClass, (field) -> add(ResolvableType.forField(field, beanClass),
				field.getName(), field, field.getAnnotations(), found), this::isInjected);
		ReflectionUtils.doWithMethods(beanClass, (method) -> addParameters(method, found), this::isInjected);
	}

	private void addParameters(Executable executable, List<InjectionPoint> found) {
		for (int index = 0; index < executable.getParameterCount(); index++) {
			MethodParameter parameter = MethodParameter.forExecutable(executable, index);
			add(ResolvableType.forMethodParameter(parameter), executable.getParameters()[index].getName(), executable,
					parameter.getParameterAnnotations(), found);
		}
	}

	private void add(ResolvableType declared, String name, Object place, Annotation[] annotations,
			List<InjectionPoint> found) {
		@Nullable InjectionPoint injectionPoint = InjectionPoint.of(declared, name, place);
		if (injectionPoint != null && !MergedAnnotations.from(annotations).isPresent(Qualifier.class)) {
			found.add(injectionPoint);
		}
	}

	private boolean isInjected(AnnotatedElement element) {
		Annotation[] annotations = element.getAnnotations();
		return annotations.length > 0 && MergedAnnotations.from(annotations)
			.stream()
			.anyMatch((each) -> INJECT.contains(each.getType().getName()));
	}

	private boolean isInjected(Field field) {
		return isInjected((AnnotatedElement) field);
	}

	private boolean isInjected(Method method) {
		return isInjected((AnnotatedElement) method);
	}

}
