/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import com.google.gson.reflect.TypeToken;

/**
 * Bindings of the type variables of a class and of its superclasses.
 */
final class TypeResolution {

	private final Map<TypeVariable<?>, Type> bindings = new HashMap<>();

	TypeResolution(Type type) {
		for (Type current = type; current != null; current = TypeToken.get(current)
			.getRawType()
			.getGenericSuperclass()) {
			if (current instanceof ParameterizedType parameterized) {
				bind(parameterized);
			}
		}
	}

	private void bind(ParameterizedType type) {
		TypeVariable<?>[] variables = ((Class<?>) type.getRawType()).getTypeParameters();
		for (int i = 0; i < variables.length; i++) {
			this.bindings.put(variables[i], resolve(type.getActualTypeArguments()[i]));
		}
	}

	Type typeOf(Field field) {
		return resolve(field.getGenericType());
	}

	private Type resolve(Type type) {
		if (type instanceof TypeVariable<?> variable) {
			Type bound = this.bindings.get(variable);
			return (bound != null) ? bound : TypeToken.get(variable.getBounds()[0]).getRawType();
		}
		if (type instanceof WildcardType wildcard) {
			return resolve(wildcard.getUpperBounds()[0]);
		}
		if (type instanceof ParameterizedType parameterized) {
			Type[] arguments = Arrays.stream(parameterized.getActualTypeArguments())
				.map(this::resolve)
				.toArray(Type[]::new);
			return TypeToken.getParameterized(parameterized.getRawType(), arguments).getType();
		}
		return type;
	}

}
