/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Type;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandlers;
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
 * A method annotated with {@link InformerHandler}, with a valid signature. A repeated
 * annotation gives several handler methods.
 */
final class HandlerMethod {

	private static final String ACCEPTED_FORMS = """
			Use one of these forms, with a model of the official client or a class annotated with \
			@CustomResource in place of V1Pod:
			    void handle(ResourceEvent<V1Pod> event)            all events
			    void handle(ResourceEvent.Added<V1Pod> event)      one type of events: Added, Updated or Deleted
			    void handle(V1Pod pod)                             added and updated objects
			    void handle(V1Pod previous, V1Pod current)         updated objects""";

	private static final String OFFICIAL_INFORMERS = "io.kubernetes.client.informer.";

	private static final Map<Class<?>, Type> EVENT_TYPES = Map.of(ResourceEvent.Added.class, Type.ADDED,
			ResourceEvent.Updated.class, Type.UPDATED, ResourceEvent.Deleted.class, Type.DELETED);

	private static final MetadataLookup<@Nullable List<InformerHandler>> ANNOTATED = HandlerMethod::findAnnotations;

	private final Method method;

	private final Class<?> beanClass;

	private final InformerHandler annotation;

	private final Class<? extends KubernetesObject> type;

	private final Set<Type> on;

	private final Function<ResourceEvent<?>, @Nullable Object[]> arguments;

	private HandlerMethod(Method method, Class<?> beanClass, InformerHandler annotation) {
		this.method = method;
		this.beanClass = beanClass;
		this.annotation = annotation;
		checkDeclaration();
		ResolvableType[] parameters = parameters();
		switch (parameters.length) {
			case 1 -> {
				boolean event = ResourceEvent.class.isAssignableFrom(parameters[0].toClass());
				Type only = EVENT_TYPES.get(parameters[0].toClass());
				this.type = objectType(event ? parameters[0].getGeneric(0) : parameters[0], parameters[0]);
				Set<Type> possible = (only != null) ? EnumSet.of(only) : EnumSet.allOf(Type.class);
				this.on = event ? on(possible, possible) : onOfObject(parameters[0]);
				this.arguments = (each) -> new Object[] { event ? each : each.object() };
			}
			case 2 -> {
				this.type = objectType(parameters[1], parameters[1]);
				if (parameters[0].toClass() != parameters[1].toClass()) {
					throw invalid("its parameters are of two types, " + parameters[0] + " and " + parameters[1]);
				}
				this.on = on(EnumSet.of(Type.UPDATED), EnumSet.of(Type.UPDATED));
				this.arguments = (each) -> new @Nullable Object[] { each.previous(), each.object() };
			}
			default -> throw invalid("it has " + parameters.length + " parameters");
		}
		if (annotation.queue().length > 1) {
			throw invalid("it names " + annotation.queue().length + " queue policies", "Name one.");
		}
	}

	/**
	 * Find the handler methods of the user class of a bean, including inherited ones, in
	 * a stable order.
	 * @throws InvalidHandlerMethodException if one of them is invalid
	 */
	static List<HandlerMethod> findAll(Class<?> beanClass) {
		if (BeanTypes.isLibrary(beanClass) || !AnnotationUtils.isCandidateClass(beanClass,
				List.of(InformerHandler.class, InformerHandlers.class))) {
			return List.of();
		}
		return MethodIntrospector.selectMethods(beanClass, ANNOTATED)
			.entrySet()
			.stream()
			.sorted(Comparator.comparing((entry) -> entry.getKey().toGenericString()))
			.flatMap((entry) -> entry.getValue()
				.stream()
				.map((annotation) -> new HandlerMethod(entry.getKey(), beanClass, annotation)))
			.toList();
	}

	/**
	 * Return the annotations of a method, or those of the method that it overrides if it
	 * has none.
	 */
	private static @Nullable List<InformerHandler> findAnnotations(Method method) {
		List<InformerHandler> annotations = MergedAnnotations
			.from(method, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
			.stream(InformerHandler.class)
			.filter(MergedAnnotationPredicates.firstRunOf(MergedAnnotation::getAggregateIndex))
			.map(MergedAnnotation::synthesize)
			.toList();
		return annotations.isEmpty() ? null : annotations;
	}

	private void checkDeclaration() {
		if (KotlinDetector.isSuspendingFunction(this.method)) {
			throw invalid("it is a suspend function, so that events would be considered handled when it suspends",
					"Remove 'suspend': every handler has its own queue and threads, and may block them.");
		}
		if (this.method.getReturnType() != void.class) {
			throw invalid("it returns " + this.method.getReturnType().getSimpleName()
					+ ", but the return value would be ignored");
		}
		if (Modifier.isStatic(this.method.getModifiers()) || Modifier.isPrivate(this.method.getModifiers())) {
			throw invalid(
					"it is " + (Modifier.isStatic(this.method.getModifiers()) ? "static" : "private")
							+ ", so that a proxy of its bean cannot intercept it",
					"Make it a method of the bean that is neither static nor private.");
		}
		if (AnnotatedElementUtils.hasAnnotation(this.method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(this.beanClass, Async.class)) {
			throw invalid("it is @Async, so that events would be handled out of order and considered handled too early",
					"Remove @Async: every handler has its own queue and does not block other handlers.");
		}
	}

	private ResolvableType[] parameters() {
		ResolvableType[] parameters = new ResolvableType[this.method.getParameterCount()];
		Arrays.setAll(parameters, (index) -> ResolvableType
			.forMethodParameter(new MethodParameter(this.method, index).withContainingClass(this.beanClass)));
		for (ResolvableType parameter : parameters) {
			if (parameter.toClass().getName().startsWith(OFFICIAL_INFORMERS)) {
				throw invalid(
						"its parameter " + parameter.toClass().getName()
								+ " is a type of the official client's informers",
						"Import the type from dev.informer instead.\n\n" + ACCEPTED_FORMS);
			}
		}
		return parameters;
	}

	private Class<? extends KubernetesObject> objectType(ResolvableType type, ResolvableType parameter) {
		Class<?> resolved = type.resolve();
		if (resolved == null || resolved == KubernetesObject.class) {
			throw invalid("its parameter " + parameter + " does not determine a resource");
		}
		if (!KubernetesObject.class.isAssignableFrom(resolved)) {
			throw invalid("its parameter " + parameter + " is neither an event nor an object of a Kubernetes resource");
		}
		return resolved.asSubclass(KubernetesObject.class);
	}

	private Set<Type> onOfObject(ResolvableType parameter) {
		Set<Type> on = on(EnumSet.allOf(Type.class), EnumSet.of(Type.ADDED, Type.UPDATED));
		if (on.size() > 1 && on.contains(Type.DELETED)) {
			throw invalid(
					"it takes only the object and is invoked for " + on
							+ ", so that it could not recognize a deleted object",
					"Take ResourceEvent<" + parameter.toClass().getSimpleName()
							+ ">, or use a separate method for DELETED.");
		}
		return on;
	}

	private Set<Type> on(Set<Type> possible, Set<Type> byDefault) {
		Set<Type> on = EnumSet.noneOf(Type.class);
		Collections.addAll(on, this.annotation.on());
		if (!possible.containsAll(on)) {
			throw invalid("its attribute 'on' is " + on + ", but its parameters accept only " + possible,
					"Change 'on', or use parameters that accept these events.\n\n" + ACCEPTED_FORMS);
		}
		return Collections.unmodifiableSet(on.isEmpty() ? byDefault : on);
	}

	Method method() {
		return this.method;
	}

	InformerHandler annotation() {
		return this.annotation;
	}

	/**
	 * Return the type of the objects.
	 */
	Class<? extends KubernetesObject> type() {
		return this.type;
	}

	/**
	 * Return the types of events that the method is invoked for.
	 */
	Set<Type> on() {
		return this.on;
	}

	@Nullable Object[] arguments(ResourceEvent<?> event) {
		return this.arguments.apply(event);
	}

	private InvalidHandlerMethodException invalid(String reason) {
		return invalid(reason, ACCEPTED_FORMS);
	}

	InvalidHandlerMethodException invalid(String reason, String action) {
		return invalid(reason, action, null);
	}

	InvalidHandlerMethodException invalid(String reason, String action, @Nullable Throwable cause) {
		return new InvalidHandlerMethodException(this.method, reason, action, cause);
	}

}
