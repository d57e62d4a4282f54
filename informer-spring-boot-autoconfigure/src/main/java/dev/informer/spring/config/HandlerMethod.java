/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Type;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * A method annotated with {@link InformerHandler}, with a valid signature.
 */
final class HandlerMethod extends AnnotatedMethod<InformerHandler> {

	private static final String ACCEPTED_FORMS = """
			Use one of these forms, with a model of the official client or a class annotated with \
			@CustomResource in place of V1Pod:
			    void handle(ResourceEvent<V1Pod> event)            all events
			    void handle(ResourceEvent.Added<V1Pod> event)      one type of events: Added, Updated or Deleted
			    void handle(V1Pod pod)                             added and updated objects
			    void handle(V1Pod previous, V1Pod current)         updated objects""";

	private static final String NO_OBJECT = "is neither an event nor an object of a Kubernetes resource";

	private static final Map<Class<?>, Type> EVENT_TYPES = Map.of(ResourceEvent.Added.class, Type.ADDED,
			ResourceEvent.Updated.class, Type.UPDATED, ResourceEvent.Deleted.class, Type.DELETED);

	private final Class<? extends KubernetesObject> type;

	private final Set<Type> on;

	private final Function<ResourceEvent<?>, @Nullable Object[]> arguments;

	HandlerMethod(Method method, Class<?> beanClass, InformerHandler annotation) {
		super(method, beanClass, annotation, ACCEPTED_FORMS);
		if (method.getReturnType() != void.class) {
			throw invalid(
					"it returns " + method.getReturnType().getSimpleName() + ", but the return value would be ignored");
		}
		ResolvableType[] parameters = parameters();
		switch (parameters.length) {
			case 1 -> {
				boolean event = ResourceEvent.class.isAssignableFrom(parameters[0].toClass());
				Type only = EVENT_TYPES.get(parameters[0].toClass());
				this.type = objectType(event ? parameters[0].getGeneric(0) : parameters[0], parameters[0], NO_OBJECT);
				Set<Type> possible = (only != null) ? EnumSet.of(only) : EnumSet.allOf(Type.class);
				this.on = event ? on(possible, possible) : onOfObject(parameters[0]);
				this.arguments = (each) -> new Object[] { event ? each : each.object() };
			}
			case 2 -> {
				this.type = objectType(parameters[1], parameters[1], NO_OBJECT);
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
		Collections.addAll(on, annotation().on());
		if (!possible.containsAll(on)) {
			throw invalid("its attribute 'on' is " + on + ", but its parameters accept only " + possible,
					"Change 'on', or use parameters that accept these events.\n\n" + ACCEPTED_FORMS);
		}
		return Collections.unmodifiableSet(on.isEmpty() ? byDefault : on);
	}

	@Override
	Class<? extends KubernetesObject> type() {
		return this.type;
	}

	@Override
	List<NeededInformer> informers() {
		return List.of(new NeededInformer(this.type, annotation().informer()));
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

}
