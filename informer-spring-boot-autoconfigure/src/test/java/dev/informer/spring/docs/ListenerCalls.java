/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;

/**
 * Publishes every kind of {@link InformerEvent} with every kind of argument. They are
 * found by reflection, so that events added later are included.
 */
final class ListenerCalls {

	private static final Instant TIME = Instant.EPOCH;

	private final SharedIndexInformer<?> informer;

	private final String text;

	ListenerCalls(SharedIndexInformer<?> informer, String text) {
		this.informer = informer;
		this.text = text;
	}

	void make(InformerListener listener) {
		for (Class<?> type : InformerEvent.class.getPermittedSubclasses()) {
			List<Class<?>> components = Arrays.stream(type.getRecordComponents())
				.<Class<?>>map(RecordComponent::getType)
				.toList();
			Constructor<?> constructor = type.getDeclaredConstructors()[0];
			arguments(components).forEach((arguments) -> listener
				.onEvent((InformerEvent) BeanUtils.instantiateClass(constructor, arguments.toArray())));
		}
	}

	private List<List<@Nullable Object>> arguments(List<Class<?>> types) {
		if (types.isEmpty()) {
			return List.of(List.of());
		}
		List<List<@Nullable Object>> all = new ArrayList<>();
		for (List<@Nullable Object> rest : arguments(types.subList(1, types.size()))) {
			for (Object value : values(types.get(0))) {
				List<@Nullable Object> arguments = new ArrayList<>();
				arguments.add(value);
				arguments.addAll(rest);
				all.add(arguments);
			}
		}
		return all;
	}

	private List<@Nullable Object> values(Class<?> type) {
		if (type.isEnum()) {
			return List.of(type.getEnumConstants());
		}
		if (type == SharedIndexInformer.class) {
			return List.of(this.informer);
		}
		if (type == String.class) {
			return List.of(this.text);
		}
		if (type == Set.class) {
			return List.of(Set.of(this.text));
		}
		if (type == Duration.class) {
			return List.of(Duration.ofMillis(5));
		}
		if (type == Instant.class) {
			return List.of(TIME);
		}
		if (type == boolean.class) {
			return List.of(true, false);
		}
		if (type == int.class || type == long.class) {
			return List.of(1, 2);
		}
		if (type == Throwable.class) {
			return Arrays.asList(null, new IllegalStateException());
		}
		if (type == ResourceEvent.class) {
			V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().name("web"));
			V1Pod previous = new V1Pod().metadata(new V1ObjectMeta().name("web"));
			return List.of(new ResourceEvent.Added<>(pod, false), new ResourceEvent.Updated<>(previous, pod),
					new ResourceEvent.Deleted<>(pod, previous, false));
		}
		if (type == InformerState.class) {
			return List.copyOf(Arrays.stream(InformerState.Phase.values())
				.map((phase) -> new InformerState(phase, new Moment(TIME, 0), null, null, null))
				.toList());
		}
		if (type == InformerFailure.class) {
			return List.copyOf(Arrays.stream(InformerFailure.Kind.values())
				.map((kind) -> new InformerFailure(kind, "it went wrong", TIME, new IllegalStateException()))
				.toList());
		}
		throw new IllegalStateException("What to pass for a " + type + " has to be said here");
	}

}
