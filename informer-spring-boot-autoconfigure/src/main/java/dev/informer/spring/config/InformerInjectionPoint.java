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

import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/**
 * Injection point of an informer or a lister by the type of the objects: a parameter of a
 * constructor, a {@code @Bean} method or an {@code @Autowired} method, or an
 * {@code @Autowired} field. One with a {@code @Qualifier} is ignored, unless the
 * qualifier is the name of the default bean of the type.
 *
 * @param beanType {@link SharedIndexInformer} or {@link Lister}
 * @param name the qualifier, or the name of the parameter or field
 * @param place the constructor, method or field
 */
record InformerInjectionPoint(Class<?> beanType, Class<? extends KubernetesObject> type, String name, Object place) {

	private static final Set<String> INJECT = Set.of(Autowired.class.getName(), "jakarta.inject.Inject");

	/**
	 * Return whether the parameter or field has the name of the bean of an informer.
	 */
	boolean isNamedLike(String informer) {
		return (informer + suffix()).equals(this.name);
	}

	private boolean isNamedByDefault() {
		return ResourceResolver.find(this.type)
			.map(ResourceResolver::defaultName)
			.filter(this::isNamedLike)
			.isPresent();
	}

	/**
	 * Return what the names of beans of this type end with.
	 */
	String suffix() {
		return (this.beanType == Lister.class) ? "Lister" : "Informer";
	}

	static List<InformerInjectionPoint> find(BeanTypes beans, String beanName) {
		return BeanTypes.introspect(() -> findAll(beans, beans.targetName(beanName)));
	}

	private static List<InformerInjectionPoint> findAll(BeanTypes beans, String beanName) {
		List<InformerInjectionPoint> found = new ArrayList<>();
		Class<?> beanClass = beans.findInjected(beanName);
		BeanDefinition definition = beans.findDefinition(beanName);
		boolean introspected = beanClass != null && AnnotationUtils.isCandidateClass(beanClass, Autowired.class);
		if (definition != null && definition.getFactoryMethodName() != null) {
			addFactoryMethods(beans, definition, found);
		}
		else if (definition != null && beanClass != null && introspected) {
			addConstructor(beanClass, found);
		}
		if (beanClass != null && introspected && !beanClass.isInterface()) {
			addMembers(beanClass, found);
		}
		return found;
	}

	private static void addFactoryMethods(BeanTypes beans, BeanDefinition definition,
			List<InformerInjectionPoint> found) {
		String factoryBean = definition.getFactoryBeanName();
		Class<?> factory = (factoryBean != null) ? beans.find(factoryBean) : beans.findDeclared(definition);
		if (factory != null && AnnotationUtils.isCandidateClass(factory, Bean.class)) {
			ReflectionUtils.doWithMethods(factory, (method) -> addParameters(method, factory, found),
					(method) -> method.getName().equals(definition.getFactoryMethodName())
							&& AnnotatedElementUtils.hasAnnotation(method, Bean.class));
		}
	}

	private static void addConstructor(Class<?> beanClass, List<InformerInjectionPoint> found) {
		Constructor<?>[] constructors = beanClass.getDeclaredConstructors();
		Arrays.stream(constructors)
			.filter((constructor) -> constructors.length == 1 || isInjected(constructor))
			.forEach((constructor) -> addParameters(constructor, beanClass, found));
	}

	private static void addMembers(Class<?> beanClass, List<InformerInjectionPoint> found) {
		ReflectionUtils.doWithFields(beanClass, (field) -> add(ResolvableType.forField(field, beanClass),
				field.getName(), field, field.getAnnotations(), found), (Field field) -> isInjected(field));
		ReflectionUtils.doWithMethods(beanClass, (method) -> addParameters(method, beanClass, found),
				(Method method) -> isInjected(method));
	}

	private static void addParameters(Executable executable, Class<?> beanClass, List<InformerInjectionPoint> found) {
		for (int index = 0; index < executable.getParameterCount(); index++) {
			MethodParameter parameter = MethodParameter.forExecutable(executable, index).withContainingClass(beanClass);
			add(ResolvableType.forMethodParameter(parameter), executable.getParameters()[index].getName(), executable,
					parameter.getParameterAnnotations(), found);
		}
	}

	private static void add(ResolvableType declared, String name, Object place, Annotation[] annotations,
			List<InformerInjectionPoint> found) {
		ResolvableType wanted = contained(contained(declared));
		Class<?> type = wanted.getGeneric(0).resolve();
		if (isBeanType(wanted.toClass()) && type != null && type != KubernetesObject.class
				&& KubernetesObject.class.isAssignableFrom(type)) {
			MergedAnnotation<Qualifier> qualifier = MergedAnnotations.from(annotations).get(Qualifier.class);
			InformerInjectionPoint point = new InformerInjectionPoint(wanted.toClass(),
					type.asSubclass(KubernetesObject.class),
					qualifier.isPresent() ? qualifier.getString(MergedAnnotation.VALUE) : name, place);
			if (!qualifier.isPresent() || point.isNamedByDefault()) {
				found.add(point);
			}
		}
	}

	/**
	 * Return the type of the elements of a container, such as an array, a {@code Map} or
	 * an {@code ObjectProvider}.
	 */
	private static ResolvableType contained(ResolvableType type) {
		if (isBeanType(type.toClass())) {
			return type;
		}
		return type.isArray() ? type.getComponentType() : type.getGeneric(type.getGenerics().length - 1);
	}

	private static boolean isBeanType(Class<?> type) {
		return type == SharedIndexInformer.class || type == Lister.class;
	}

	private static boolean isInjected(AnnotatedElement element) {
		Annotation[] annotations = element.getAnnotations();
		return annotations.length > 0 && MergedAnnotations.from(annotations)
			.stream()
			.anyMatch((each) -> INJECT.contains(each.getType().getName()));
	}

}
