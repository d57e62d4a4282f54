/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.aot;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import com.google.gson.annotations.JsonAdapter;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.core.ResolvableType;

/**
 * Reflection hints for the decoder: constructors and fields of a model and of all types
 * it contains, including those without getters and setters.
 */
final class ModelHints {

	private static final List<String> NO_MODELS = List.of("java.", "javax.", "jakarta.", "com.google.gson.");

	private final ReflectionHints hints;

	private final Set<Type> seen = new HashSet<>();

	ModelHints(ReflectionHints hints) {
		this.hints = hints;
	}

	/**
	 * Register the type of the objects, or of one of their fields, and all types it
	 * contains.
	 */
	void register(ResolvableType type) {
		if (!this.seen.add(type.getType())) {
			return;
		}
		for (ResolvableType generic : type.getGenerics()) {
			register(generic);
		}
		if (type.isArray()) {
			register(type.getComponentType());
		}
		Class<?> model = type.toClass();
		if (isModel(model)) {
			// methods for the annotations of Jackson
			this.hints.registerType(model, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
					MemberCategory.INVOKE_DECLARED_METHODS, MemberCategory.ACCESS_DECLARED_FIELDS);
			registerAdapter(model);
			registerFields(model, type);
			register(type.getSuperType());
		}
	}

	private void registerFields(Class<?> model, ResolvableType type) {
		for (Field field : model.getDeclaredFields()) {
			if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
				registerAdapter(field);
				register(ResolvableType.forField(field, type));
			}
		}
	}

	/**
	 * Register the Gson adapter of a class or field.
	 */
	private void registerAdapter(AnnotatedElement element) {
		JsonAdapter adapter = element.getAnnotation(JsonAdapter.class);
		if (adapter != null) {
			this.hints.registerType(adapter.value(), MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		}
	}

	private static boolean isModel(Class<?> type) {
		return !type.isPrimitive() && !type.isArray() && NO_MODELS.stream().noneMatch(type.getName()::startsWith);
	}

}
