/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.Gson;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.annotations.SerializedName;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Status;
import org.jspecify.annotations.Nullable;

/**
 * Builder of the tables of a class and of the classes of its fields. Uses the fields and
 * the names that Gson would use, and delegates types with special treatment to Gson.
 */
final class DecoderTables {

	private final Gson gson;

	private final boolean keepManagedFields;

	private final Map<Type, ObjectDecoder> decoders = new HashMap<>();

	private final Map<Type, ObjectTable> tables = new HashMap<>();

	DecoderTables(Gson gson, boolean keepManagedFields) {
		this.gson = gson;
		this.keepManagedFields = keepManagedFields;
	}

	/**
	 * Return the decoder of a class whose objects are listed.
	 * @throws IllegalArgumentException if its objects cannot be decoded
	 */
	synchronized ObjectDecoder decoderOf(Class<?> type) {
		Constructor<?> constructor = constructorOf(type);
		if (constructor == null) {
			throw new IllegalArgumentException("Cannot decode " + type.getName()
					+ ": it is abstract, an inner class or a record, or has a @JsonAdapter or no default constructor."
					+ " Use a static class with a constructor without arguments.");
		}
		return decoderOf(type, constructor);
	}

	private ObjectDecoder decoderOf(Type type, Constructor<?> constructor) {
		ObjectDecoder known = this.decoders.get(type);
		if (known != null) {
			return known;
		}
		ObjectDecoder decoder = new ObjectDecoder(constructor.getDeclaringClass(), () -> tableOf(type, constructor));
		this.decoders.put(type, decoder);
		if (!isOfficial(type)) {
			decoder.table();
		}
		return decoder;
	}

	/**
	 * Return whether a class is a model of the official client. Their tables are built
	 * lazily because they are known to be decodable; errors in users' classes must be
	 * reported immediately.
	 */
	private static boolean isOfficial(Type type) {
		return type instanceof Class<?> model && model.getPackage() == V1ObjectMeta.class.getPackage();
	}

	private synchronized ObjectTable tableOf(Type type, Constructor<?> constructor) {
		ObjectTable known = this.tables.get(type);
		if (known == null) {
			known = new ObjectTable(constructor, namesOf(type));
			this.tables.put(type, known);
		}
		return known;
	}

	private Collection<ExpectedName> namesOf(Type type) {
		Map<String, ExpectedName> names = new LinkedHashMap<>();
		TypeResolution types = new TypeResolution(type);
		for (Field field : fieldsOf(TypeToken.get(type).getRawType())) {
			String owner = field.getDeclaringClass().getName() + "." + field.getName();
			makeAccessible(field, owner);
			ObjectProperty property = (this.keepManagedFields || !isManagedFields(field))
					? new ObjectProperty(field, decoderOf(types.typeOf(field), field, owner)) : null;
			for (String name : namesOf(field)) {
				if (names.put(name, new ExpectedName(name, property)) != null) {
					throw new IllegalArgumentException("Cannot decode " + owner + ": another field of "
							+ type.getTypeName() + " has the JSON name \"" + name + "\" too. Rename one of them.");
				}
			}
		}
		return names.values();
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

	private static void makeAccessible(Field field, String owner) {
		try {
			field.setAccessible(true);
		}
		catch (InaccessibleObjectException ex) {
			throw new IllegalArgumentException("Cannot decode " + owner + ": it is inaccessible. Open the package "
					+ field.getDeclaringClass().getPackageName() + " in its module.", ex);
		}
	}

	private ValueDecoder decoderOf(Type type, Field field, String owner) {
		if (field.getDeclaringClass() == V1ManagedFieldsEntry.class && type == Object.class) {
			return new PackedDecoder();
		}
		JsonAdapter annotation = field.getAnnotation(JsonAdapter.class);
		return (annotation != null) ? GsonDecoder.of(this.gson, type, annotation, owner) : decoderOf(type, owner);
	}

	private ValueDecoder decoderOf(Type type, String owner) {
		Class<?> raw = TypeToken.get(type).getRawType();
		ValueDecoder scalar = ScalarDecoders.find(raw);
		if (scalar != null) {
			return scalar;
		}
		if (raw == Object.class) {
			return new TreeDecoder();
		}
		if (raw == List.class || raw == Collection.class) {
			return new ListDecoder(decoderOf(argument(type, 0), owner));
		}
		if (raw == Map.class && argument(type, 0) == String.class) {
			Type values = argument(type, 1);
			return new MapDecoder(
					(values == String.class) ? SharedDecoder.byName(ScalarDecoders::string) : decoderOf(values, owner));
		}
		if (raw.isEnum() && !hasAdapter(raw)) {
			return new EnumDecoder(raw);
		}
		Constructor<?> constructor = constructorOf(raw);
		return (constructor != null) ? decoderOf(type, constructor) : GsonDecoder.of(this.gson, type, owner);
	}

	private static Type argument(Type type, int index) {
		return (type instanceof ParameterizedType parameterized) ? parameterized.getActualTypeArguments()[index]
				: Object.class;
	}

	/**
	 * Return whether objects of a class are decoded field by field.
	 */
	static boolean isModel(Class<?> type) {
		return constructorOf(type) != null;
	}

	/**
	 * Return the constructor of a class that Gson would fill field by field.
	 * @return {@code null} for any other class
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

}
