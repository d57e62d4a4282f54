/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashMap;
import java.util.Map;

import com.google.gson.reflect.TypeToken;

/**
 * Bindings of the type variables of a class and of its supertypes.
 */
final class TypeResolution {

	private final Map<TypeVariable<?>, Type> bindings = new HashMap<>();

	TypeResolution(Type type) {
		bind(type);
	}

	private void bind(Type type) {
		Class<?> raw = TypeToken.get(type).getRawType();
		if (type instanceof ParameterizedType parameterized) {
			TypeVariable<?>[] variables = raw.getTypeParameters();
			for (int i = 0; i < variables.length; i++) {
				this.bindings.put(variables[i], resolve(parameterized.getActualTypeArguments()[i]));
			}
		}
		if (raw.getGenericSuperclass() != null) {
			bind(raw.getGenericSuperclass());
		}
		for (Type supertype : raw.getGenericInterfaces()) {
			bind(supertype);
		}
	}

	/**
	 * Return the type with the bindings of its variables. A variable without a binding
	 * remains.
	 */
	Type resolve(Type type) {
		if (type instanceof TypeVariable<?> variable) {
			return this.bindings.getOrDefault(variable, variable);
		}
		if (type instanceof WildcardType wildcard) {
			return resolve(wildcard.getUpperBounds()[0]);
		}
		if (type instanceof GenericArrayType array) {
			return TypeToken.getArray(resolve(array.getGenericComponentType())).getType();
		}
		if (type instanceof ParameterizedType parameterized) {
			Type[] arguments = parameterized.getActualTypeArguments();
			TypeVariable<?>[] variables = ((Class<?>) parameterized.getRawType()).getTypeParameters();
			for (int i = 0; i < arguments.length; i++) {
				Type resolved = resolve(arguments[i]);
				boolean unbounded = arguments[i] instanceof WildcardType && resolved == Object.class;
				arguments[i] = unbounded ? TypeToken.get(variables[i].getBounds()[0]).getRawType() : resolved;
			}
			return TypeToken.getParameterized(parameterized.getRawType(), arguments).getType();
		}
		return type;
	}

	/**
	 * Return an argument of a supertype, such as the elements of a collection;
	 * {@code Object} if the type is raw.
	 */
	Type argument(Class<?> supertype, int index) {
		Type argument = resolve(supertype.getTypeParameters()[index]);
		return (argument instanceof TypeVariable<?>) ? Object.class : argument;
	}

}
