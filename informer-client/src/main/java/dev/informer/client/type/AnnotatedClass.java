/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.google.gson.annotations.JsonAdapter;
import com.google.gson.annotations.SerializedName;
import org.jspecify.annotations.Nullable;

/**
 * Class of the user with the annotations of Gson and Jackson: its fields, their names,
 * and the methods that convert its objects.
 */
final class AnnotatedClass {

	private final Class<?> type;

	private final boolean official;

	private final List<Field> fields = new ArrayList<>();

	private final Set<String> ignored = new LinkedHashSet<>();

	/** Annotations of a field and of its accessors, by the name of the field. */
	private final Map<String, List<JacksonAnnotations>> annotations = new HashMap<>();

	private boolean omitsEmpty;

	private @Nullable AccessibleObject value;

	private final List<Executable> creators = new ArrayList<>();

	/**
	 * Read a class.
	 * @throws IllegalArgumentException if it has an annotation that is not supported
	 */
	AnnotatedClass(Class<?> type) {
		this.type = type;
		this.official = ObjectType.isOfficial(type);
		for (Class<?> current = type; current != null && !isOfJava(current); current = current.getSuperclass()) {
			Arrays.stream(current.getDeclaredFields()).filter(AnnotatedClass::isProperty).forEach(this.fields::add);
		}
		if (!this.official) {
			readJackson();
		}
	}

	private static boolean isOfJava(Class<?> type) {
		return type.getName().startsWith("java.");
	}

	private static boolean isProperty(Field field) {
		return !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
				&& !field.isSynthetic();
	}

	private void readJackson() {
		for (Field field : this.fields) {
			JacksonAnnotations annotations = JacksonAnnotations.of(field, nameOf(field));
			annotations.refuse(JacksonAnnotations.IGNORE_PROPERTIES);
			add(field.getName(), annotations);
			if (annotations.isEnabled(JacksonAnnotations.VALUE)) {
				this.value = field;
			}
		}
		Set<Class<?>> overridden = new HashSet<>();
		supertypes(this.type, new LinkedHashSet<>()).forEach((supertype) -> {
			JacksonAnnotations ofClass = JacksonAnnotations.of(supertype, this.type.getName(), overridden);
			this.ignored.addAll(ofClass.texts(JacksonAnnotations.IGNORE_PROPERTIES, "value"));
			this.omitsEmpty |= omitsEmpty(ofClass);
			Arrays.stream(supertype.getDeclaredMethods())
				.filter((method) -> !method.isSynthetic())
				.forEach(this::readMethod);
		});
		for (Constructor<?> constructor : this.type.getDeclaredConstructors()) {
			if (JacksonAnnotations.of(constructor, this.type.getName()).has(JacksonAnnotations.CREATOR)) {
				this.creators.add(constructor);
			}
		}
	}

	private static Set<Class<?>> supertypes(Class<?> type, Set<Class<?>> found) {
		if (!isOfJava(type) && found.add(type)) {
			Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
				.forEach((supertype) -> supertypes(supertype, found));
		}
		return found;
	}

	private void readMethod(Method method) {
		JacksonAnnotations annotations = JacksonAnnotations.of(method, this.type.getName());
		if (annotations.isEmpty()) {
			return;
		}
		if (annotations.has(JacksonAnnotations.CREATOR)) {
			if (method.getDeclaringClass() == this.type) {
				this.creators.add(method);
			}
			return;
		}
		if (annotations.has(JacksonAnnotations.VALUE)) {
			if (annotations.isEnabled(JacksonAnnotations.VALUE)) {
				this.value = (this.value != null) ? this.value : method;
			}
			return;
		}
		String property = propertyOf(method);
		if (hasField(property)) {
			add(property, annotations);
		}
		else if (!annotations.isEnabled(JacksonAnnotations.IGNORE)
				&& Stream.of(JacksonAnnotations.PROPERTY, JacksonAnnotations.GETTER, JacksonAnnotations.SETTER)
					.anyMatch(annotations::has)) {
			throw new IllegalArgumentException("Cannot decode " + this.type.getName() + ": the method "
					+ method.getName() + " has an annotation of Jackson, but there is no field \"" + property
					+ "\". Annotate the field, or remove the annotation.");
		}
	}

	/**
	 * Return the name of the property that a method reads or sets. That of a record has
	 * the name of its component.
	 */
	private String propertyOf(Method method) {
		String name = method.getName();
		for (String prefix : List.of("get", "set", "is", "with")) {
			int length = prefix.length();
			if (!hasField(name) && name.length() > length && name.startsWith(prefix)
					&& !Character.isLowerCase(name.charAt(length))) {
				return name.substring(length, length + 1).toLowerCase(Locale.ROOT) + name.substring(length + 1);
			}
		}
		return name;
	}

	private boolean hasField(String name) {
		return this.fields.stream().anyMatch((field) -> field.getName().equals(name));
	}

	private void add(String field, JacksonAnnotations annotations) {
		if (!annotations.isEmpty()) {
			this.annotations.computeIfAbsent(field, (any) -> new ArrayList<>()).add(annotations);
		}
	}

	private static boolean omitsEmpty(JacksonAnnotations annotations) {
		return "NON_EMPTY".equals(String.valueOf(annotations.attribute(JacksonAnnotations.INCLUDE, "value")));
	}

	/**
	 * Return the fields that JSON contains, those of the class first.
	 */
	List<Field> fields() {
		return this.fields;
	}

	/**
	 * Return the names of a field; {@code null} if it is ignored.
	 * @throws IllegalArgumentException if annotations contradict each other
	 */
	@Nullable PropertyNames names(Field field) {
		List<JacksonAnnotations> found = this.annotations.getOrDefault(field.getName(), List.of());
		if (found.stream().anyMatch((annotations) -> annotations.isEnabled(JacksonAnnotations.IGNORE))
				|| field.getType() == Void.class) {
			return null;
		}
		SerializedName gson = field.getAnnotation(SerializedName.class);
		Set<String> written = new LinkedHashSet<>();
		Set<String> all = new LinkedHashSet<>();
		if (gson != null) {
			written.add(gson.value());
		}
		for (JacksonAnnotations annotations : found) {
			for (String name : List.of(JacksonAnnotations.PROPERTY, JacksonAnnotations.GETTER,
					JacksonAnnotations.SETTER)) {
				written.addAll(annotations.texts(name, "value"));
			}
		}
		if (written.size() > 1) {
			throw new IllegalArgumentException(
					"Cannot decode " + nameOf(field) + ": its annotations name it " + written + ". Keep one name.");
		}
		all.add(written.isEmpty() ? field.getName() : written.iterator().next());
		if (gson != null) {
			all.addAll(List.of(gson.alternate()));
		}
		found.forEach((annotations) -> all.addAll(annotations.texts(JacksonAnnotations.ALIAS, "value")));
		if (all.removeAll(this.ignored) && all.isEmpty()) {
			return null;
		}
		boolean skipsNull = found.stream()
			.anyMatch((annotations) -> "SKIP"
				.equals(String.valueOf(annotations.attribute(JacksonAnnotations.SETTER, "nulls"))));
		return new PropertyNames(List.copyOf(all), skipsNull,
				this.omitsEmpty || found.stream().anyMatch(AnnotatedClass::omitsEmpty));
	}

	/**
	 * Return the names of a constant of an enum. The first one is written.
	 */
	static Set<String> namesOf(Enum<?> constant) {
		Set<String> names = new LinkedHashSet<>();
		try {
			Field field = constant.getDeclaringClass().getField(constant.name());
			SerializedName gson = field.getAnnotation(SerializedName.class);
			JacksonAnnotations jackson = JacksonAnnotations.of(field, nameOf(field));
			Stream.ofNullable(gson).map(SerializedName::value).forEach(names::add);
			names.addAll(jackson.texts(JacksonAnnotations.PROPERTY, "value"));
			if (names.size() > 1) {
				throw new IllegalArgumentException(
						"Cannot decode " + nameOf(field) + ": its annotations name it " + names + ". Keep one name.");
			}
			if (names.isEmpty()) {
				names.add(constant.name());
			}
			Stream.ofNullable(gson).flatMap((annotation) -> Stream.of(annotation.alternate())).forEach(names::add);
			names.addAll(jackson.texts(JacksonAnnotations.ALIAS, "value"));
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException("Each constant of an enum is a field", ex);
		}
		return names;
	}

	/**
	 * Return the method or field whose value is written in place of an object;
	 * {@code null} if there is none.
	 */
	@Nullable AccessibleObject value() {
		return this.value;
	}

	/**
	 * Return the constructor or static method that creates an object from one value;
	 * {@code null} if there is none.
	 */
	@Nullable Executable creator() {
		return this.creators.stream().filter((creator) -> !hasNamedParameters(creator)).findFirst().orElse(null);
	}

	private static boolean hasNamedParameters(Executable creator) {
		return creator.getParameterCount() != 1
				|| JacksonAnnotations.of(creator.getParameters()[0], creator).has(JacksonAnnotations.PROPERTY);
	}

	/**
	 * Require that the parameters of creators have names of properties. The fields are
	 * set in place of a call.
	 */
	void requireParametersOf(Set<String> properties) {
		for (Executable creator : this.creators) {
			for (Parameter parameter : creator.getParameters()) {
				JacksonAnnotations annotations = JacksonAnnotations.of(parameter, creator);
				List<String> names = annotations.texts(JacksonAnnotations.PROPERTY, "value");
				if (names.isEmpty() && parameter.isNamePresent()) {
					names = List.of(parameter.getName());
				}
				if (names.isEmpty() || !properties.containsAll(names)) {
					throw new IllegalArgumentException("Cannot decode " + this.type.getName() + ": @JsonCreator of "
							+ creator.getName() + " has a parameter that is no property of the class. "
							+ "Name the field like the parameter, or write a Gson adapter (@JsonAdapter).");
				}
			}
		}
	}

	/**
	 * Return the name of a field, for messages.
	 */
	static String nameOf(Field field) {
		return field.getDeclaringClass().getName() + "." + field.getName();
	}

	static boolean hasAdapter(Class<?> type) {
		return type.isAnnotationPresent(JsonAdapter.class);
	}

}
