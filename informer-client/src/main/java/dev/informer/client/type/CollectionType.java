/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import org.jspecify.annotations.Nullable;

/**
 * Type of lists, sets, queues and other collections.
 */
public final class CollectionType extends ValueType {

	private final ValueType elements;

	private final @Nullable Supplier<Collection<@Nullable Object>> factory;

	/**
	 * Create a type.
	 * @param factory creates a collection of the class that a field requires;
	 * {@code null} if any list fits
	 */
	CollectionType(Class<?> raw, ValueType elements, @Nullable Supplier<Collection<@Nullable Object>> factory) {
		super(raw);
		this.elements = elements;
		this.factory = factory;
	}

	/**
	 * Return the type of the elements.
	 */
	public ValueType elements() {
		return this.elements;
	}

	/**
	 * Return whether any list fits, such as a compact one.
	 */
	public boolean isList() {
		return this.factory == null;
	}

	/**
	 * Create a collection of elements. Calls user code.
	 * @throws RuntimeException if an element does not fit
	 */
	public Collection<?> create(List<?> elements) {
		Collection<@Nullable Object> collection = create();
		// an unknown constant of an enum, which a set may not accept
		boolean enums = collection instanceof Set<?> && this.elements.raw().isEnum();
		for (Object element : elements) {
			if (element != null || !enums) {
				collection.add(element);
			}
		}
		return collection;
	}

	private Collection<@Nullable Object> create() {
		return (this.factory != null) ? this.factory.get() : new ArrayList<>();
	}

	@Override
	boolean isSameKind(ValueType other) {
		return other instanceof CollectionType collection
				&& Set.class.isAssignableFrom(collection.raw()) == Set.class.isAssignableFrom(raw());
	}

	@Override
	Object copy(Object value, int depth) {
		try {
			Collection<@Nullable Object> copy = emptyLike((Collection<?>) value);
			for (Object element : (Collection<?>) value) {
				copy.add(this.elements.copyNullable(element, depth));
			}
			return copy;
		}
		catch (NullPointerException | ClassCastException | IllegalStateException | UnsupportedOperationException ex) {
			throw InvalidValueException.thrown("a " + this, ex);
		}
	}

	/**
	 * Create an empty collection with the order of another.
	 */
	@SuppressWarnings("unchecked")
	private Collection<@Nullable Object> emptyLike(Collection<?> other) {
		Collection<@Nullable Object> created = create();
		Comparator<Object> order = (other instanceof SortedSet<?> set) ? (Comparator<Object>) set.comparator()
				: (other instanceof PriorityQueue<?> queue) ? (Comparator<Object>) queue.comparator() : null;
		if (order == null) {
			return created;
		}
		if (created.getClass() == TreeSet.class) {
			return new TreeSet<>(order);
		}
		if (created.getClass() == ConcurrentSkipListSet.class) {
			return new ConcurrentSkipListSet<>(order);
		}
		return (created.getClass() == PriorityQueue.class) ? new PriorityQueue<>(order) : created;
	}

	@Override
	JsonElement write(Object value, int depth) {
		Collection<?> collection = (Collection<?>) value;
		JsonArray array = new JsonArray(collection.size());
		for (Object element : collection) {
			array.add(this.elements.writeNullable(element, depth));
		}
		return array;
	}

	@Override
	@Nullable String difference(Object one, Object other, int depth) {
		String path = differenceOfElements((Collection<?>) one, (Collection<?>) other, this.elements, depth);
		return (path != null && one instanceof Set<?> set && hasSameElements(set, (Set<?>) other, depth)) ? null : path;
	}

	/**
	 * Return whether two sets are equal in any order, by the contents of their elements,
	 * whose own {@code equals} may compare only a part.
	 */
	private boolean hasSameElements(Set<?> one, Set<?> other, int depth) {
		List<Object> others = new ArrayList<>(other);
		return one.size() == other.size() && one.stream()
			.allMatch((element) -> others
				.removeIf((candidate) -> this.elements.differenceOfNullable(element, candidate, depth) == null));
	}

	/**
	 * Return the path to the first difference of two sequences.
	 */
	static @Nullable String differenceOfElements(Collection<?> one, Collection<?> other, ValueType elements,
			int depth) {
		if (one.size() != other.size()) {
			return "";
		}
		Iterator<?> others = other.iterator();
		int index = 0;
		for (Object element : one) {
			String path = elements.differenceOfNullable(element, others.next(), depth);
			if (path != null) {
				return "[" + index + "]" + path;
			}
			index++;
		}
		return null;
	}

}
