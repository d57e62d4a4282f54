/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Jackson's annotations of an element, by their names, so that no version of Jackson is
 * required. Those that change the JSON in a way that is not supported are refused.
 */
final class JacksonAnnotations {

	/** Names of properties, and which of them are ignored. */
	static final String PROPERTY = "JsonProperty";

	static final String GETTER = "JsonGetter";

	static final String SETTER = "JsonSetter";

	static final String ALIAS = "JsonAlias";

	static final String IGNORE = "JsonIgnore";

	static final String IGNORE_PROPERTIES = "JsonIgnoreProperties";

	static final String INCLUDE = "JsonInclude";

	static final String VALUE = "JsonValue";

	static final String CREATOR = "JsonCreator";

	private static final List<String> PACKAGES = List.of("com.fasterxml.jackson.", "tools.jackson.");

	private static final Set<String> HONOURED = Set.of(PROPERTY, GETTER, SETTER, ALIAS, IGNORE, IGNORE_PROPERTIES,
			INCLUDE, VALUE, CREATOR);

	/** These do not change the JSON of what is decoded here. */
	private static final Set<String> WITHOUT_EFFECT = Set.of("JsonPropertyOrder", "JsonPropertyDescription",
			"JsonClassDescription", "JsonRootName", "JsonTypeName", "JsonEnumDefaultValue", "JsonAutoDetect",
			"JacksonXmlRootElement", "JsonPOJOBuilder");

	/** Generators write {@code using = None.class}, which is the default. */
	private static final Set<String> WITHOUT_EFFECT_BY_DEFAULT = Set.of("JsonDeserialize", "JsonSerialize");

	private final AnnotatedElement element;

	private final Object owner;

	private final List<Annotation> annotations;

	private JacksonAnnotations(AnnotatedElement element, Object owner, Set<Class<?>> overridden) {
		this.element = element;
		this.owner = owner;
		this.annotations = Arrays.stream(element.getAnnotations())
			.filter((annotation) -> PACKAGES.stream().anyMatch(annotation.annotationType().getName()::startsWith))
			.filter((annotation) -> !overridden.contains(annotation.annotationType()))
			.toList();
	}

	/**
	 * Return the annotations of an element.
	 * @param owner what the element belongs to, for messages
	 * @throws IllegalArgumentException if one of them is not supported
	 */
	static JacksonAnnotations of(AnnotatedElement element, Object owner) {
		return of(element, owner, new HashSet<>());
	}

	/**
	 * Return the annotations of an element without those that are overridden, which are
	 * then also these.
	 */
	static JacksonAnnotations of(AnnotatedElement element, Object owner, Set<Class<?>> overridden) {
		JacksonAnnotations annotations = new JacksonAnnotations(element, owner, overridden);
		annotations.all().map(Annotation::annotationType).forEach(overridden::add);
		annotations.all().forEach((annotation) -> {
			String name = annotation.annotationType().getSimpleName();
			boolean supported = HONOURED.contains(name) || WITHOUT_EFFECT.contains(name)
					|| (WITHOUT_EFFECT_BY_DEFAULT.contains(name) && hasOnlyDefaults(annotation));
			if (!supported) {
				throw annotations.unsupported(annotation, "");
			}
		});
		annotations.requireSupported(PROPERTY, "access", "AUTO", "READ_WRITE");
		annotations.requireSupported(SETTER, "nulls", "DEFAULT", "SET", "SKIP");
		annotations.requireSupported(SETTER, "contentNulls", "DEFAULT", "SET");
		annotations.requireSupported(INCLUDE, "value", "ALWAYS", "NON_NULL", "NON_ABSENT", "NON_EMPTY", "USE_DEFAULTS");
		annotations.requireSupported(INCLUDE, "content", "ALWAYS", "NON_NULL", "NON_ABSENT", "USE_DEFAULTS");
		annotations.requireSupported(IGNORE_PROPERTIES, "allowGetters", "false");
		annotations.requireSupported(IGNORE_PROPERTIES, "allowSetters", "false");
		annotations.requireSupported("JsonAutoDetect", "fieldVisibility", "ANY", "DEFAULT", "NON_PRIVATE",
				"PROTECTED_AND_PUBLIC", "PUBLIC_ONLY");
		return annotations;
	}

	private Stream<Annotation> all() {
		return this.annotations.stream();
	}

	private static boolean hasOnlyDefaults(Annotation annotation) {
		return Arrays.stream(annotation.annotationType().getDeclaredMethods())
			.allMatch((attribute) -> attribute.getDefaultValue() != null
					&& text(attribute.getDefaultValue()).equals(text(valueOf(annotation, attribute))));
	}

	private void requireSupported(String name, String attribute, String... supported) {
		Object value = attribute(name, attribute);
		if (value != null && !List.of(supported).contains(value.toString())) {
			all().filter((annotation) -> annotation.annotationType().getSimpleName().equals(name))
				.forEach((annotation) -> {
					throw unsupported(annotation, " with " + attribute + " = " + value);
				});
		}
	}

	/**
	 * Require that an annotation is not present, which is supported elsewhere.
	 * @throws IllegalArgumentException if it is
	 */
	void refuse(String name) {
		all().filter((annotation) -> annotation.annotationType().getSimpleName().equals(name)).forEach((annotation) -> {
			throw unsupported(annotation, "");
		});
	}

	private IllegalArgumentException unsupported(Annotation annotation, String attribute) {
		return new IllegalArgumentException("Cannot decode " + this.owner + ": " + this.element + " has @"
				+ annotation.annotationType().getSimpleName() + attribute
				+ ", which is not supported. Remove it, or write a Gson adapter (@JsonAdapter).");
	}

	private static Object valueOf(Annotation annotation, Method attribute) {
		try {
			attribute.setAccessible(true);
			return attribute.invoke(annotation);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Cannot read " + annotation, ex);
		}
	}

	private static String text(Object value) {
		return (value instanceof Object[] array) ? Arrays.toString(array) : value.toString();
	}

	boolean isEmpty() {
		return this.annotations.isEmpty();
	}

	boolean has(String name) {
		return all().anyMatch((annotation) -> annotation.annotationType().getSimpleName().equals(name));
	}

	/**
	 * Return whether an annotation is present that has not been switched off, as
	 * {@code @JsonIgnore(false)} is.
	 */
	boolean isEnabled(String name) {
		return Boolean.TRUE.equals(attribute(name, "value"));
	}

	/**
	 * Return an attribute of an annotation; {@code null} without the annotation, or if
	 * its version has no such attribute.
	 */
	@Nullable Object attribute(String name, String attribute) {
		return all().filter((annotation) -> annotation.annotationType().getSimpleName().equals(name))
			.flatMap((annotation) -> Arrays.stream(annotation.annotationType().getDeclaredMethods())
				.filter((method) -> method.getName().equals(attribute))
				.map((method) -> valueOf(annotation, method)))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the texts of an attribute; empty without the annotation.
	 */
	List<String> texts(String name, String attribute) {
		Object value = attribute(name, attribute);
		if (value instanceof String[] texts) {
			return List.of(texts);
		}
		return (value instanceof String text && !text.isEmpty()) ? List.of(text) : List.of();
	}

}
