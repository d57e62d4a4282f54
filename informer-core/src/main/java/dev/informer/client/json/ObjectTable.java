/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Table of the properties of a class by name. Other names are skipped.
 */
final class ObjectTable {

	private static final Object[] NO_ARGUMENTS = {};

	private final ExpectedName start = new ExpectedName("", null);

	private final ExpectedName unknown = new ExpectedName("", null);

	private final Map<String, ExpectedName> names = new HashMap<>();

	private final Constructor<?> constructor;

	private final @Nullable Supplier<Object> generated;

	private final ObjectProperty[] emptyLists;

	private final ObjectProperty[] emptyMaps;

	/**
	 * Create a table.
	 * @param constructor the constructor of an empty object
	 * @param names the names in their most likely order
	 */
	ObjectTable(Constructor<?> constructor, Collection<ExpectedName> names) {
		this.constructor = constructor;
		this.generated = GeneratedAccess.suits(constructor.getDeclaringClass())
				? GeneratedAccess.constructor(constructor) : null;
		ExpectedName previous = this.start;
		for (ExpectedName name : names) {
			this.names.put(name.name().getValue(), name);
			previous.successor(name);
			previous = name;
		}
		Object sample = sample();
		this.emptyLists = empty(ArrayList.class, sample);
		this.emptyMaps = empty(HashMap.class, sample);
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
		return this.names.values()
			.stream()
			.flatMap((name) -> Stream.ofNullable(name.property()))
			.filter((property) -> property.isCollection() && isEmpty(type, property.get(sample)))
			.toArray(ObjectProperty[]::new);
	}

	private static boolean isEmpty(Class<?> type, @Nullable Object value) {
		return value != null && value.getClass() == type && (value.equals(List.of()) || value.equals(Map.of()));
	}

	@Nullable ObjectProperty property(String name) {
		ExpectedName known = this.names.get(name);
		return (known != null) ? known.property() : null;
	}

	/**
	 * Create an object, replacing its empty collections by compact ones.
	 */
	Object create() throws ReflectiveOperationException {
		Object created = (this.generated != null) ? this.generated.get() : this.constructor.newInstance(NO_ARGUMENTS);
		for (ObjectProperty property : this.emptyLists) {
			property.set(created, new CompactList<>());
		}
		for (ObjectProperty property : this.emptyMaps) {
			property.set(created, new CompactMap<>());
		}
		return created;
	}

	/**
	 * Return the predecessor of the first name of an object.
	 */
	ExpectedName start() {
		return this.start;
	}

	/**
	 * Advance to the value of the next property.
	 * @return its name, or {@code null} at the end of the object
	 */
	@Nullable ExpectedName next(JsonParser parser, ExpectedName previous) {
		ExpectedName next = previous.successor();
		if (!parser.nextName(next.name())) {
			if (parser.currentToken() == JsonToken.END_OBJECT) {
				return null;
			}
			next = Objects.requireNonNullElse(this.names.get(parser.currentName()), this.unknown);
			if (next != this.unknown) {
				previous.successor(next);
			}
		}
		parser.nextToken();
		return next;
	}

}
