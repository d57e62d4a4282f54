/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.google.gson.annotations.JsonAdapter;
import com.google.gson.annotations.SerializedName;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Status;
import org.jspecify.annotations.Nullable;

/**
 * Table of the properties of a class by name, with the fields and the names that Gson
 * would use. Creates the objects.
 */
public final class ObjectTable {

	private static final Object[] NO_ARGUMENTS = {};

	private final Map<String, @Nullable ObjectProperty> properties;

	private final Constructor<?> constructor;

	private final @Nullable Supplier<Object> generated;

	private final ObjectProperty[] emptyLists;

	private final ObjectProperty[] emptyMaps;

	private ObjectTable(Constructor<?> constructor, Map<String, @Nullable ObjectProperty> properties) {
		this.constructor = constructor;
		this.generated = GeneratedAccess.suits(constructor.getDeclaringClass())
				? GeneratedAccess.constructor(constructor) : null;
		this.properties = properties;
		Object sample = sample();
		this.emptyLists = empty(ArrayList.class, sample);
		this.emptyMaps = empty(HashMap.class, sample);
	}

	/**
	 * Create the table of a class. If {@code managedFields} are not kept, their name has
	 * no property.
	 * @throws IllegalArgumentException if its objects cannot be decoded
	 */
	public static ObjectTable of(Type type, boolean keepManagedFields) {
		Class<?> raw = TypeToken.get(type).getRawType();
		Constructor<?> constructor = requireConstructor(raw);
		Map<String, @Nullable ObjectProperty> properties = new LinkedHashMap<>();
		TypeResolution types = new TypeResolution(type);
		for (Field field : fieldsOf(raw)) {
			ObjectProperty property = new ObjectProperty(field, types.typeOf(field));
			makeAccessible(field, property);
			for (String name : namesOf(field)) {
				if (properties.containsKey(name)) {
					throw new IllegalArgumentException("Cannot decode " + property + ": another field of "
							+ type.getTypeName() + " has the JSON name \"" + name + "\" too. Rename one of them.");
				}
				properties.put(name, (keepManagedFields || !isManagedFields(field)) ? property : null);
			}
		}
		return new ObjectTable(constructor, properties);
	}

	private static List<Field> fieldsOf(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> current = type; current != null && current != Object.class; current = current.getSuperclass()) {
			for (Field field : current.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
						&& !field.isSynthetic()) {
					fields.add(field);
				}
			}
		}
		return fields;
	}

	private static boolean isManagedFields(Field field) {
		return field.getDeclaringClass() == V1ObjectMeta.class && "managedFields".equals(field.getName());
	}

	private static List<String> namesOf(Field field) {
		SerializedName annotation = field.getAnnotation(SerializedName.class);
		if (annotation == null) {
			return List.of(field.getName());
		}
		List<String> names = new ArrayList<>();
		names.add(annotation.value());
		names.addAll(List.of(annotation.alternate()));
		return names;
	}

	private static void makeAccessible(Field field, ObjectProperty property) {
		try {
			field.setAccessible(true);
		}
		catch (InaccessibleObjectException ex) {
			throw new IllegalArgumentException("Cannot decode " + property + ": it is inaccessible. Open the package "
					+ field.getDeclaringClass().getPackageName() + " in its module.", ex);
		}
	}

	/**
	 * Require that objects of a class can be created and filled field by field, and
	 * return its constructor.
	 */
	private static Constructor<?> requireConstructor(Class<?> type) {
		Constructor<?> constructor = constructorOf(type);
		if (constructor == null) {
			throw new IllegalArgumentException("Cannot decode " + type.getName()
					+ ": it is abstract, an inner class or a record, or has a @JsonAdapter or no default constructor."
					+ " Use a static class with a constructor without arguments.");
		}
		return constructor;
	}

	/**
	 * Return whether objects of a class are decoded field by field, as Gson would do.
	 */
	public static boolean isModel(Class<?> type) {
		return constructorOf(type) != null;
	}

	/**
	 * Return whether a class is a model of the official client. They are known to be
	 * decodable, and have one kind each.
	 */
	public static boolean isOfficial(Class<?> type) {
		return type.getPackage() == V1ObjectMeta.class.getPackage();
	}

	/**
	 * Return the constructor of a class that Gson would fill field by field; {@code null}
	 * for any other class.
	 */
	private static @Nullable Constructor<?> constructorOf(Class<?> type) {
		boolean plain = !type.isInterface() && !type.isArray() && !type.isPrimitive() && !type.isRecord()
				&& !Modifier.isAbstract(type.getModifiers()) && !hasAdapter(type) && type != V1Status.class
				&& !type.getName().startsWith("java.") && !type.getName().startsWith("com.google.gson.");
		if (!plain) {
			return null;
		}
		try {
			Constructor<?> constructor = type.getDeclaredConstructor();
			constructor.setAccessible(true);
			return constructor;
		}
		catch (NoSuchMethodException | InaccessibleObjectException ex) {
			return null;
		}
	}

	private static boolean hasAdapter(AnnotatedElement element) {
		return element.isAnnotationPresent(JsonAdapter.class);
	}

	private @Nullable Object sample() {
		try {
			return this.constructor.newInstance(NO_ARGUMENTS);
		}
		catch (Throwable ex) {
			// reported for each object that cannot be created
			return null;
		}
	}

	/**
	 * Return the properties that a constructor sets to an empty collection of this class.
	 */
	private ObjectProperty[] empty(Class<?> type, @Nullable Object sample) {
		if (sample == null) {
			return new ObjectProperty[0];
		}
		return this.properties.values()
			.stream()
			.flatMap(Stream::ofNullable)
			.filter((property) -> property.isCollection() && isEmpty(type, property.get(sample)))
			.toArray(ObjectProperty[]::new);
	}

	private static boolean isEmpty(Class<?> type, @Nullable Object value) {
		return value != null && value.getClass() == type && (value.equals(List.of()) || value.equals(Map.of()));
	}

	/**
	 * Return the properties by name, in their most likely order; {@code null} for a name
	 * whose values are skipped.
	 */
	public Map<String, @Nullable ObjectProperty> properties() {
		return Collections.unmodifiableMap(this.properties);
	}

	/**
	 * Return the property of a name in JSON; {@code null} if values of this name are
	 * skipped.
	 */
	public @Nullable ObjectProperty property(String name) {
		return this.properties.get(name);
	}

	/**
	 * Create an object, replacing its empty collections by compact ones.
	 * @throws ReflectiveOperationException if the constructor throws
	 */
	public Object create() throws ReflectiveOperationException {
		Object created = (this.generated != null) ? this.generated.get() : this.constructor.newInstance(NO_ARGUMENTS);
		for (ObjectProperty property : this.emptyLists) {
			property.set(created, new CompactList<>());
		}
		for (ObjectProperty property : this.emptyMaps) {
			property.set(created, new CompactMap<>());
		}
		return created;
	}

}
