/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.annotations.SerializedName;
import dev.informer.client.model.CompactList;
import dev.informer.client.model.CompactMap;
import dev.informer.client.type.JsonSampling.Place;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be reached from an object by reflection, without any description of
 * its class: its mutable parts, and the changes that are possible.
 */
final class ObjectGraph {

	private static final Set<Class<?>> IMMUTABLE = Set.of(String.class, Boolean.class, Character.class,
			JsonPrimitive.class, JsonNull.class, Quantity.class, IntOrString.class, java.util.UUID.class,
			java.util.Locale.class, java.util.Currency.class);

	private static final List<String> IMMUTABLE_PACKAGES = List.of("java.time.", "java.net.", "java.math.");

	private final Map<Object, String> mutable = new IdentityHashMap<>();

	private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());

	private final List<String> classes = new ArrayList<>();

	/** Changes of single values. */
	private final List<Change> changes = new ArrayList<>();

	/** Changes that remove parts. */
	private final List<Change> removals = new ArrayList<>();

	ObjectGraph(Object root) {
		walk(root, new Place("", true), null);
	}

	/**
	 * Return the path of a mutable object that is in both graphs; {@code null} if there
	 * is none.
	 */
	@Nullable String shared(ObjectGraph other) {
		return this.mutable.entrySet()
			.stream()
			.filter((entry) -> other.mutable.containsKey(entry.getKey()))
			.map((entry) -> entry.getValue() + " of " + entry.getKey().getClass().getName())
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the sorted classes of the parts. A list, or a map in the order of its
	 * entries, may have any such class where the field has none.
	 */
	List<String> classes() {
		return this.classes.stream().sorted().toList();
	}

	/**
	 * Return all changes; those that remove parts are last.
	 */
	List<Change> changes() {
		List<Change> all = new ArrayList<>(this.changes);
		all.addAll(this.removals);
		return all;
	}

	private static boolean isImmutable(Object value) {
		Class<?> type = value.getClass();
		return value instanceof Enum<?> || (value instanceof Number && !type.getName().contains(".atomic."))
				|| IMMUTABLE.contains(type) || IMMUTABLE_PACKAGES.stream().anyMatch(type.getName()::startsWith);
	}

	private void walk(@Nullable Object value, Place place, @Nullable Consumer<@Nullable Object> setter) {
		if (value == null) {
			return;
		}
		if (setter != null) {
			Object other = other(value);
			(isImmutable(value) ? this.changes : this.removals).add(new Change(place, () -> setter.accept(other)));
		}
		if (isImmutable(value)) {
			return;
		}
		this.classes.add(className(value));
		if (!this.visited.add(value)) {
			return;
		}
		if (!isUnmodifiable(value)) {
			this.mutable.put(value, place.path());
		}
		if (value.getClass().isArray()) {
			walkArray(value, place);
		}
		else if (value instanceof Map<?, ?> map) {
			walkMap(map, place);
		}
		else if (value instanceof Collection<?> collection) {
			walkCollection(collection, place);
		}
		else if (value instanceof JsonElement) {
			walkTree(value, place);
		}
		else if (value.getClass().getName().startsWith("java.")) {
			this.changes.add(new Change(place, () -> change(value)));
		}
		else {
			walkFields(value, place);
		}
		if (value.getClass().getName().startsWith("dev.informer.")) {
			walkStorage(value, place);
		}
	}

	private static String className(Object value) {
		String name = value.getClass().getName();
		boolean any = value instanceof CompactList<?> || value instanceof CompactMap<?, ?>
				|| value instanceof PackedJson
				|| List.of(ArrayList.class, LinkedHashMap.class, HashMap.class).contains(value.getClass())
				|| name.startsWith("java.util.ImmutableCollections$")
				|| name.startsWith("java.util.Collections$Unmodifiable");
		return !any ? name : (value instanceof Map<?, ?>) ? "map" : (value instanceof List<?>) ? "list" : "set";
	}

	/**
	 * Return whether an object cannot be changed, although its parts may be.
	 */
	private static boolean isUnmodifiable(Object value) {
		String name = value.getClass().getName();
		return name.startsWith("java.util.ImmutableCollections$") || name.startsWith("java.util.Collections$Empty")
				|| (value.getClass().isArray() && Array.getLength(value) == 0);
	}

	private void walkArray(Object array, Place place) {
		for (int i = 0; i < Array.getLength(array); i++) {
			int index = i;
			// the text of bytes is changed as a whole
			Place element = (array instanceof byte[]) ? place : place.element(i);
			walk(Array.get(array, i), element, (other) -> {
				if (other != null || !array.getClass().getComponentType().isPrimitive()) {
					Array.set(array, index, other);
				}
			});
		}
	}

	@SuppressWarnings("unchecked")
	private void walkMap(Map<?, ?> map, Place place) {
		Map<Object, @Nullable Object> entries = (Map<Object, @Nullable Object>) map;
		for (Map.Entry<?, ?> entry : List.copyOf(map.entrySet())) {
			Object key = entry.getKey();
			Place below = (key instanceof String name) ? place.member(name) : place.inexact();
			walk(key, place.inexact(), null);
			walk(entry.getValue(), below, (other) -> entries.put(key, other));
		}
		if (!map.isEmpty()) {
			this.removals.add(new Change(place.inexact(), () -> entries.remove(entries.keySet().iterator().next())));
			this.removals.add(new Change(place.inexact(), entries::clear));
		}
	}

	@SuppressWarnings("unchecked")
	private void walkCollection(Collection<?> collection, Place place) {
		boolean indexed = collection instanceof List<?>;
		int index = 0;
		for (Object element : List.copyOf(new ArrayList<>(withoutNulls(collection)))) {
			int at = indexed ? indexOf((List<?>) collection, element) : index;
			Consumer<@Nullable Object> setter = indexed ? (other) -> ((List<Object>) collection).set(at, other) : null;
			walk(element, indexed ? place.element(at) : place.inexact(), setter);
			index++;
		}
		if (!collection.isEmpty()) {
			this.removals.add(new Change(place.inexact(), () -> collection.remove(collection.iterator().next())));
			this.removals.add(new Change(place.inexact(), collection::clear));
		}
		if (indexed && !collection.isEmpty()) {
			List<Object> list = (List<Object>) collection;
			this.changes.add(new Change(place.inexact(), () -> list.add(list.get(0))));
		}
	}

	private static List<Object> withoutNulls(Collection<?> collection) {
		List<Object> elements = new ArrayList<>();
		collection.forEach((element) -> {
			if (element != null) {
				elements.add(element);
			}
		});
		return elements;
	}

	private static int indexOf(List<?> list, Object element) {
		for (int i = 0; i < list.size(); i++) {
			if (list.get(i) == element) {
				return i;
			}
		}
		throw new IllegalStateException("The list is being modified");
	}

	private void walkTree(Object tree, Place place) {
		if (tree instanceof JsonObject object) {
			for (String name : List.copyOf(object.keySet())) {
				walk(object.get(name), place.member(name), (other) -> object.add(name, (JsonElement) other));
			}
			this.changes.add(new Change(place.inexact(), () -> object.addProperty("added", true)));
		}
		else if (tree instanceof JsonArray array) {
			for (int i = 0; i < array.size(); i++) {
				int index = i;
				walk(array.get(i), place.element(i), (other) -> array.set(index, (JsonElement) other));
			}
			this.changes.add(new Change(place.inexact(), () -> array.add(true)));
		}
	}

	private void walkFields(Object object, Place place) {
		boolean converted = isConverted(object.getClass());
		for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				if (isProperty(field)) {
					field.setAccessible(true);
					Place below = converted ? place.inexact() : place.member(nameOf(field));
					walk(get(field, object), field.isAnnotationPresent(JsonAdapter.class) ? below.inexact() : below,
							object.getClass().isRecord() ? null : (other) -> set(field, object, other));
				}
			}
		}
	}

	private static boolean isConverted(Class<?> type) {
		return type.isAnnotationPresent(JsonAdapter.class)
				|| List.of(type.getDeclaredFields())
					.stream()
					.anyMatch((field) -> field.isAnnotationPresent(JsonValue.class))
				|| List.of(type.getDeclaredMethods())
					.stream()
					.anyMatch((method) -> method.isAnnotationPresent(JsonValue.class));
	}

	private static boolean isProperty(Field field) {
		return !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
				&& !field.isSynthetic() && !field.isAnnotationPresent(JsonIgnore.class);
	}

	private static String nameOf(Field field) {
		SerializedName gson = field.getAnnotation(SerializedName.class);
		JsonProperty jackson = field.getAnnotation(JsonProperty.class);
		try {
			String getter = "get" + field.getName().substring(0, 1).toUpperCase() + field.getName().substring(1);
			JsonProperty ofGetter = field.getDeclaringClass()
				.getDeclaredMethod(getter)
				.getAnnotation(JsonProperty.class);
			jackson = (ofGetter != null) ? ofGetter : jackson;
		}
		catch (NoSuchMethodException ex) {
			// the field has no getter
		}
		return (gson != null) ? gson.value() : (jackson != null) ? jackson.value() : field.getName();
	}

	/**
	 * Walk over what a collection of the library uses to keep its elements.
	 */
	private void walkStorage(Object value, Place place) {
		for (Field field : value.getClass().getDeclaredFields()) {
			if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
				field.setAccessible(true);
				Object storage = get(field, value);
				if (storage != null && !isImmutable(storage) && !isUnmodifiable(storage)) {
					this.mutable.put(storage, place.path());
				}
			}
		}
	}

	private static @Nullable Object get(Field field, Object object) {
		try {
			return field.get(object);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void set(Field field, Object object, @Nullable Object value) {
		if (value == null && field.getType().isPrimitive()) {
			return;
		}
		try {
			field.set(object, value);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Change a mutable object of the JDK.
	 */
	private static void change(Object value) {
		if (value instanceof Date date) {
			date.setTime(date.getTime() + 86_400_000);
		}
		else if (value instanceof Calendar calendar) {
			calendar.add(Calendar.MINUTE, 1);
		}
		else if (value instanceof BitSet bits) {
			bits.flip(1);
		}
		else if (value instanceof AtomicInteger number) {
			number.incrementAndGet();
		}
		else if (value instanceof AtomicLong number) {
			number.incrementAndGet();
		}
		else if (value instanceof AtomicBoolean flag) {
			flag.set(!flag.get());
		}
		else if (value instanceof AtomicIntegerArray numbers) {
			if (numbers.length() > 0) {
				numbers.incrementAndGet(0);
			}
			else {
				throw new UnsupportedOperationException();
			}
		}
		else if (value instanceof AtomicLongArray numbers) {
			if (numbers.length() > 0) {
				numbers.incrementAndGet(0);
			}
			else {
				throw new UnsupportedOperationException();
			}
		}
		else if (value instanceof StringBuilder text) {
			text.append('x');
		}
		else if (value instanceof StringBuffer text) {
			text.append('x');
		}
		else {
			throw new IllegalStateException("Cannot change " + value.getClass().getName());
		}
	}

	/**
	 * Return another value of the same class; {@code null} for one that is not simple.
	 */
	private static @Nullable Object other(Object value) {
		if (value instanceof String text) {
			return text + "x";
		}
		if (value instanceof Boolean flag) {
			return !flag;
		}
		if (value instanceof Character character) {
			return (char) (character + 1);
		}
		if (value instanceof JsonPrimitive || value instanceof JsonNull) {
			return new JsonPrimitive("another text");
		}
		if (value instanceof Integer number) {
			return number + 1;
		}
		if (value instanceof Long number) {
			return number + 1;
		}
		if (value instanceof Short number) {
			return (short) (number + 1);
		}
		if (value instanceof Byte number) {
			return (byte) (number + 1);
		}
		if (value instanceof Double number) {
			return (number == 0.25) ? 0.5 : 0.25;
		}
		if (value instanceof Float number) {
			return (number == 0.25f) ? 0.5f : 0.25f;
		}
		return null;
	}

	/**
	 * Change of one part.
	 *
	 * @param place where it is
	 * @param action the change, which throws an exception if it is impossible
	 */
	record Change(Place place, Runnable action) {

		/**
		 * Return whether the change was possible.
		 */
		boolean apply() {
			try {
				this.action.run();
				return true;
			}
			catch (UnsupportedOperationException | NullPointerException | ClassCastException
					| IllegalArgumentException ex) {
				// an immutable collection, or one without null
				return false;
			}
		}

	}

}
