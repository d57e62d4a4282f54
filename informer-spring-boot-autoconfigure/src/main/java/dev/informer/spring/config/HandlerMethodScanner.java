/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandlers;
import dev.informer.spring.InvalidHandlerMethodException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotationPredicates;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;

/**
 * Finds the handler methods of a class, its own and inherited ones.
 */
final class HandlerMethodScanner {

	private static final MetadataLookup<@Nullable List<InformerHandler>> ANNOTATED = HandlerMethodScanner::annotations;

	private HandlerMethodScanner() {
	}

	/**
	 * Finds the handler methods of a class.
	 * @param beanClass the class of a bean, not the one of its proxy
	 * @return its handler methods, in an order that does not change
	 * @throws InvalidHandlerMethodException when one of them cannot work
	 */
	public static List<HandlerMethod> scan(Class<?> beanClass) {
		if (BeanClasses.isInfrastructure(beanClass) || !AnnotationUtils.isCandidateClass(beanClass,
				List.of(InformerHandler.class, InformerHandlers.class))) {
			return List.of();
		}
		Map<Method, List<InformerHandler>> methods = MethodIntrospector.selectMethods(beanClass, ANNOTATED);
		return methods.entrySet()
			.stream()
			.sorted(Comparator.comparing((entry) -> entry.getKey().toGenericString()))
			.flatMap((entry) -> entry.getValue()
				.stream()
				.map((annotation) -> new HandlerSignature(entry.getKey(), beanClass, annotation).read()))
			.toList();
	}

	/**
	 * The annotations of a method, or else those of the method that it overrides.
	 */
	private static @Nullable List<InformerHandler> annotations(Method method) {
		List<InformerHandler> annotations = MergedAnnotations
			.from(method, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
			.stream(InformerHandler.class)
			.filter(MergedAnnotationPredicates.firstRunOf(MergedAnnotation::getAggregateIndex))
			.map(MergedAnnotation::synthesize)
			.toList();
		return annotations.isEmpty() ? null : annotations;
	}

}
