/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Type;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InvalidHandlerMethodException;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

/**
 * Reads a handler method: which resource it is about, which events it takes and how. A
 * method that cannot work is refused.
 */
final class HandlerSignature {

	static final String ACCEPTED_FORMS = """
			Give the method one of these forms, with a model of the official client or a class annotated with \
			@CustomResource in place of V1Pod:

			    void handle(ResourceEvent<V1Pod> event)            every event
			    void handle(ResourceEvent.Added<V1Pod> event)      one kind of events: Added, Updated or Deleted
			    void handle(V1Pod pod)                             what is added or updated
			    void handle(V1Pod previous, V1Pod current)         what is updated""";

	private static final String OFFICIAL_INFORMERS = "io.kubernetes.client.informer.";

	private static final Map<Class<?>, Type> RECORDS = Map.of(ResourceEvent.Added.class, Type.ADDED,
			ResourceEvent.Updated.class, Type.UPDATED, ResourceEvent.Deleted.class, Type.DELETED);

	private final Method method;

	private final Class<?> beanClass;

	private final InformerHandler annotation;

	HandlerSignature(Method method, Class<?> beanClass, InformerHandler annotation) {
		this.method = method;
		this.beanClass = beanClass;
		this.annotation = annotation;
	}

	HandlerMethod read() {
		checkDeclaration();
		ResolvableType[] parameters = parameters();
		return switch (parameters.length) {
			case 1 -> ResourceEvent.class.isAssignableFrom(parameters[0].toClass()) ? ofEvent(parameters[0])
					: ofObject(parameters[0]);
			case 2 -> ofPreviousAndObject(parameters[0], parameters[1]);
			default -> throw refuse("it has " + parameters.length + " parameters");
		};
	}

	private void checkDeclaration() {
		if (this.method.getReturnType() != void.class) {
			throw refuse("it returns " + this.method.getReturnType().getSimpleName()
					+ ", and nobody would take what it returns");
		}
		if (Modifier.isStatic(this.method.getModifiers()) || Modifier.isPrivate(this.method.getModifiers())) {
			throw refuse(
					"it is " + (Modifier.isStatic(this.method.getModifiers()) ? "static" : "private")
							+ ", so that no proxy of its bean could be called in its place",
					"Make it a method of the bean that is neither static nor private.");
		}
		if (AnnotatedElementUtils.hasAnnotation(this.method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(this.beanClass, Async.class)) {
			throw refuse("it is @Async, so that events would be handled out of order and count as handled too early",
					"Remove @Async: every handler has a queue of its own already, and others do not wait for it.");
		}
	}

	private ResolvableType[] parameters() {
		ResolvableType[] parameters = new ResolvableType[this.method.getParameterCount()];
		Arrays.setAll(parameters, (index) -> ResolvableType
			.forMethodParameter(new MethodParameter(this.method, index).withContainingClass(this.beanClass)));
		for (ResolvableType parameter : parameters) {
			if (parameter.toClass().getName().startsWith(OFFICIAL_INFORMERS)) {
				throw refuse(
						"its parameter " + parameter.toClass().getName()
								+ " is a type of the official client's informers",
						"Import the type from dev.informer instead.\n\n" + ACCEPTED_FORMS);
			}
		}
		return parameters;
	}

	private HandlerMethod ofEvent(ResolvableType parameter) {
		Class<? extends KubernetesObject> type = objectType(parameter.getGeneric(0), parameter);
		Type only = RECORDS.get(parameter.toClass());
		Set<Type> possible = (only != null) ? EnumSet.of(only) : EnumSet.allOf(Type.class);
		return plan(type, possible, possible, HandlerArguments.EVENT);
	}

	private HandlerMethod ofObject(ResolvableType parameter) {
		HandlerMethod plan = plan(objectType(parameter, parameter), EnumSet.allOf(Type.class),
				EnumSet.of(Type.ADDED, Type.UPDATED), HandlerArguments.OBJECT);
		if (plan.on().size() > 1 && plan.on().contains(Type.DELETED)) {
			throw refuse(
					"it takes the object alone and is to be called for " + plan.on()
							+ ", and could not tell whether the object is still there",
					"Let it take ResourceEvent<" + parameter.toClass().getSimpleName()
							+ ">, or use a method of its own for DELETED.");
		}
		return plan;
	}

	private HandlerMethod ofPreviousAndObject(ResolvableType previous, ResolvableType current) {
		Class<? extends KubernetesObject> type = objectType(current, current);
		if (previous.toClass() != current.toClass()) {
			throw refuse("its parameters are of two types, " + previous + " and " + current);
		}
		Set<Type> updates = EnumSet.of(Type.UPDATED);
		return plan(type, updates, updates, HandlerArguments.PREVIOUS_AND_OBJECT);
	}

	private HandlerMethod plan(Class<? extends KubernetesObject> type, Set<Type> possible, Set<Type> byDefault,
			HandlerArguments arguments) {
		Set<Type> on = EnumSet.noneOf(Type.class);
		Collections.addAll(on, this.annotation.on());
		if (!possible.containsAll(on)) {
			throw refuse("it is to be called on " + on + ", but its parameters take only " + possible,
					"Change 'on', or give the method parameters that take these events.\n\n" + ACCEPTED_FORMS);
		}
		if (this.annotation.queue().length > 1) {
			throw refuse("it names " + this.annotation.queue().length + " queue policies", "Name one.");
		}
		return new HandlerMethod(this.method, this.annotation, type,
				Collections.unmodifiableSet(on.isEmpty() ? byDefault : on), arguments);
	}

	private Class<? extends KubernetesObject> objectType(ResolvableType type, ResolvableType parameter) {
		Class<?> resolved = type.resolve();
		if (resolved == null || resolved == KubernetesObject.class) {
			throw refuse("its parameter " + parameter + " does not say of which resource");
		}
		if (!KubernetesObject.class.isAssignableFrom(resolved)) {
			throw refuse("its parameter " + parameter + " is no event or object of a Kubernetes resource");
		}
		return resolved.asSubclass(KubernetesObject.class);
	}

	private InvalidHandlerMethodException refuse(String found) {
		return refuse(found, ACCEPTED_FORMS);
	}

	private InvalidHandlerMethodException refuse(String found, String action) {
		return new InvalidHandlerMethodException(this.method, found, action);
	}

}
