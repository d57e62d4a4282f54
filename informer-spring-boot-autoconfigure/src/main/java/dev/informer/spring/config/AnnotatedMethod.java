/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandlers;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InvalidHandlerMethodException;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotationPredicates;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.scheduling.annotation.Async;

/**
 * A method of a bean that is called because of objects: a handler, a reconciler or its
 * cleanup. A repeated annotation gives several methods.
 *
 * @param <A> the type of the annotation
 */
abstract class AnnotatedMethod<A extends Annotation> {

	private static final String OFFICIAL_INFORMERS = "io.kubernetes.client.informer.";

	private static final Set<Class<? extends Annotation>> ANNOTATIONS = Set.of(InformerHandler.class,
			InformerReconciler.class, InformerCleanup.class);

	private static final List<Class<? extends Annotation>> CANDIDATES = List.of(InformerHandler.class,
			InformerHandlers.class, InformerReconciler.class, InformerCleanup.class);

	private static final MetadataLookup<@Nullable List<Annotation>> ANNOTATED = AnnotatedMethod::findAnnotations;

	private final Method method;

	private final Class<?> beanClass;

	private final A annotation;

	private final String acceptedForms;

	AnnotatedMethod(Method method, Class<?> beanClass, A annotation, String acceptedForms) {
		this.method = method;
		this.beanClass = beanClass;
		this.annotation = annotation;
		this.acceptedForms = acceptedForms;
		checkDeclaration();
	}

	/**
	 * Find the annotated methods of the user class of a bean, including inherited ones,
	 * in a stable order.
	 * @throws InvalidHandlerMethodException if one of them is invalid
	 */
	static List<AnnotatedMethod<?>> findAll(Class<?> beanClass) {
		if (!AnnotationUtils.isCandidateClass(beanClass, CANDIDATES)) {
			return List.of();
		}
		return BeanTypes.introspect(() -> MethodIntrospector.selectMethods(beanClass, ANNOTATED)
			.entrySet()
			.stream()
			.sorted(Comparator.comparing((entry) -> entry.getKey().toGenericString()))
			.flatMap((entry) -> {
				checkOneType(entry.getKey(), entry.getValue());
				return entry.getValue()
					.stream()
					.<AnnotatedMethod<?>>map((annotation) -> of(entry.getKey(), beanClass, annotation));
			})
			.toList());
	}

	private static void checkOneType(Method method, List<Annotation> annotations) {
		List<String> names = annotations.stream().map(AnnotatedMethod::nameOf).distinct().toList();
		if (names.size() > 1) {
			throw new InvalidHandlerMethodException(method, names.get(0),
					"it is an " + names.get(1) + " as well, which is called for other reasons and in another thread",
					"Use one annotation for each method: let two methods call a third one.", null);
		}
	}

	private static AnnotatedMethod<?> of(Method method, Class<?> beanClass, Annotation annotation) {
		return (annotation instanceof InformerHandler handler) ? new HandlerMethod(method, beanClass, handler)
				: new ReconcilerMethod<>(method, beanClass, annotation);
	}

	/**
	 * Return the annotations of a method, or those of the method that it overrides if it
	 * has none.
	 */
	private static @Nullable List<Annotation> findAnnotations(Method method) {
		// one pass: all methods of all beans are searched
		List<Annotation> annotations = MergedAnnotations
			.from(method, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
			.stream()
			.filter((each) -> ANNOTATIONS.contains(each.getType()))
			.filter(MergedAnnotationPredicates.firstRunOf(MergedAnnotation::getAggregateIndex))
			.map(MergedAnnotation::synthesize)
			.toList();
		return annotations.isEmpty() ? null : annotations;
	}

	private void checkDeclaration() {
		if (KotlinDetector.isSuspendingFunction(this.method)) {
			throw invalid("it is a suspend function, so that it would be considered done when it suspends",
					"Remove 'suspend': it has its own queue and threads, and may block them.");
		}
		if (Modifier.isStatic(this.method.getModifiers()) || Modifier.isPrivate(this.method.getModifiers())) {
			throw invalid(
					"it is " + (Modifier.isStatic(this.method.getModifiers()) ? "static" : "private")
							+ ", so that a proxy of its bean cannot intercept it",
					"Make it a method of the bean that is neither static nor private.");
		}
		if (AnnotatedElementUtils.hasAnnotation(this.method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(this.beanClass, Async.class)) {
			throw invalid("it is @Async, so that its calls would overlap and be considered done too early",
					"Remove @Async: it has its own queue and threads, and does not block other methods.");
		}
	}

	final ResolvableType[] parameters() {
		ResolvableType[] parameters = new ResolvableType[this.method.getParameterCount()];
		Arrays.setAll(parameters, (index) -> ResolvableType
			.forMethodParameter(new MethodParameter(this.method, index).withContainingClass(this.beanClass)));
		for (ResolvableType parameter : parameters) {
			if (parameter.toClass().getName().startsWith(OFFICIAL_INFORMERS)) {
				throw invalid(
						"its parameter " + parameter.toClass().getName()
								+ " is a type of the official client's informers",
						"Import the type from dev.informer instead.\n\n" + this.acceptedForms);
			}
		}
		return parameters;
	}

	/**
	 * Return the class of the objects of a parameter.
	 */
	final Class<? extends KubernetesObject> objectType(ResolvableType type, ResolvableType parameter, String problem) {
		Class<?> resolved = type.resolve();
		if (resolved == null || resolved == KubernetesObject.class) {
			throw invalid("its parameter " + parameter + " does not determine a resource");
		}
		if (!KubernetesObject.class.isAssignableFrom(resolved)) {
			throw invalid("its parameter " + parameter + " " + problem);
		}
		return resolved.asSubclass(KubernetesObject.class);
	}

	final Method method() {
		return this.method;
	}

	final A annotation() {
		return this.annotation;
	}

	/**
	 * Return the annotation as in the source, without attributes.
	 */
	final String annotationName() {
		return nameOf(this.annotation);
	}

	private static String nameOf(Annotation annotation) {
		return "@" + annotation.annotationType().getSimpleName();
	}

	/**
	 * Return the type of the objects.
	 */
	abstract Class<? extends KubernetesObject> type();

	/**
	 * Return the informers that the method needs.
	 */
	abstract List<NeededInformer> informers();

	final InvalidHandlerMethodException invalid(String reason) {
		return invalid(reason, this.acceptedForms);
	}

	final InvalidHandlerMethodException invalid(String reason, String action) {
		return invalid(reason, action, null);
	}

	final InvalidHandlerMethodException invalid(String reason, String action, @Nullable Throwable cause) {
		return new InvalidHandlerMethodException(this.method, annotationName(), reason, action, cause);
	}

	/**
	 * Informer that a method needs.
	 *
	 * @param type the type of its objects
	 * @param name its name as in the source; empty for the default one of the type
	 */
	record NeededInformer(Class<? extends KubernetesObject> type, String name) {
	}

}
