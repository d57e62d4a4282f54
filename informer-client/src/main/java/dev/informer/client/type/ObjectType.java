/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.informer.client.model.CompactList;
import dev.informer.client.model.CompactMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Type of objects with properties, whose fields are set after they were created.
 */
public sealed class ObjectType extends ValueType permits RecordType {

	private final Creator creator;

	private final Supplier<List<ObjectProperty>> source;

	/** Racy single-check: threads may build the table twice; the results are equal. */
	private @Nullable Table table;

	/**
	 * Create a type.
	 * @param source builds the properties at the first use: a cluster uses only a part of
	 * the official models
	 */
	ObjectType(Class<?> raw, Creator creator, Supplier<List<ObjectProperty>> source) {
		super(raw);
		this.creator = creator;
		this.source = source;
	}

	/**
	 * Return whether a class is a model of the official client. They are known to be
	 * decodable, and have one kind each.
	 */
	public static boolean isOfficial(Class<?> type) {
		return type.getPackage() == V1ObjectMeta.class.getPackage();
	}

	/**
	 * Return whether a constructor without arguments creates the objects.
	 */
	public final boolean hasConstructor() {
		return !(this.creator instanceof Unconstructed);
	}

	final Table table() {
		Table known = this.table;
		if (known == null) {
			known = new Table(this.source.get(), sample());
			this.table = known;
		}
		return known;
	}

	/**
	 * Return an object that nobody has changed; {@code null} if the constructor throws,
	 * which is reported elsewhere.
	 */
	@Nullable Object sample() {
		try {
			return this.creator.create();
		}
		catch (Throwable ex) {
			return null;
		}
	}

	/**
	 * Return the properties by name, in their most likely order. A property has several
	 * names if alternatives are read.
	 */
	public final Map<String, ObjectProperty> properties() {
		return Collections.unmodifiableMap(table().byName);
	}

	/**
	 * Return the property of a name in JSON; {@code null} if there is none.
	 */
	public final @Nullable ObjectProperty property(String name) {
		return table().byName.get(name);
	}

	/**
	 * Create an object, replacing its empty collections by compact ones.
	 * @throws ReflectiveOperationException if the constructor throws
	 */
	public final Object create() throws ReflectiveOperationException {
		Object created = this.creator.create();
		Table known = table();
		for (ObjectProperty property : known.emptyLists) {
			property.set(created, new CompactList<>());
		}
		for (ObjectProperty property : known.emptyMaps) {
			property.set(created, new CompactMap<>());
		}
		return created;
	}

	@Override
	final ValueType describing(Object value) {
		Class<?> type = TreeType.classOf(value);
		return (type == raw()) ? this : of(type);
	}

	@Override
	Object copy(Object value, int depth) {
		Object copy;
		try {
			copy = create();
		}
		catch (ReflectiveOperationException ex) {
			throw InvalidValueException.thrown("the constructor of " + raw().getName(), ex);
		}
		for (ObjectProperty property : table().all) {
			property.set(copy, property.copy(value, depth));
		}
		return copy;
	}

	@Override
	final JsonElement write(Object value, int depth) {
		JsonObject json = new JsonObject();
		for (ObjectProperty property : table().all) {
			property.write(value, json, depth);
		}
		return json;
	}

	@Override
	final @Nullable String difference(Object one, Object other, int depth) {
		for (ObjectProperty property : table().all) {
			String path = property.difference(one, other, depth);
			if (path != null) {
				return path;
			}
		}
		return null;
	}

	/**
	 * Properties of a class.
	 */
	static final class Table {

		private final Map<String, ObjectProperty> byName = new LinkedHashMap<>();

		private final ObjectProperty[] all;

		private final ObjectProperty[] emptyLists;

		private final ObjectProperty[] emptyMaps;

		Table(List<ObjectProperty> properties, @Nullable Object sample) {
			this.all = properties.toArray(ObjectProperty[]::new);
			properties.forEach((property) -> property.names().forEach((name) -> this.byName.put(name, property)));
			this.emptyLists = (sample != null) ? empty(ArrayList.class, sample) : new ObjectProperty[0];
			this.emptyMaps = (sample != null) ? empty(HashMap.class, sample) : new ObjectProperty[0];
			if (sample != null) {
				properties.stream()
					.filter((property) -> ObjectProperty.isEmpty(property.get(sample)))
					.forEach(ObjectProperty::emptyByDefault);
			}
		}

		/**
		 * Return the properties that a constructor sets to an empty collection of this
		 * class.
		 */
		private ObjectProperty[] empty(Class<?> type, Object sample) {
			return Stream.of(this.all).filter((property) -> {
				Object value = property.isCollection() ? property.get(sample) : null;
				return value != null && value.getClass() == type && ObjectProperty.isEmpty(value);
			}).toArray(ObjectProperty[]::new);
		}

		ObjectProperty[] all() {
			return this.all;
		}

	}

	/**
	 * Creation of an object whose fields are set afterwards.
	 */
	@FunctionalInterface
	interface Creator {

		Object create() throws ReflectiveOperationException;

	}

	/**
	 * Creation of an object without any constructor.
	 */
	@FunctionalInterface
	interface Unconstructed extends Creator {

	}

}
