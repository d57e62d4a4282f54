/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.EnumSet;
import java.util.Set;

import com.google.gson.JsonElement;
import dev.informer.client.type.JsonSampling.Place;
import org.jspecify.annotations.Nullable;

/**
 * Java type in generated source code, and the JSON of its values.
 */
abstract class TypeShape {

	private final String source;

	private final Set<Trait> traits;

	TypeShape(String source, Trait... traits) {
		this.source = source;
		this.traits = EnumSet.noneOf(Trait.class);
		this.traits.addAll(Set.of(traits));
	}

	/**
	 * Return the type as an argument of a generic type.
	 */
	String source() {
		return this.source;
	}

	/**
	 * Return the type of a field.
	 */
	String declared() {
		return source();
	}

	boolean is(Trait trait) {
		return this.traits.contains(trait);
	}

	/**
	 * Return the JSON of a value. It is not {@code null}, except that of an unknown
	 * constant of an enum where that is allowed.
	 */
	abstract JsonSample sample(JsonSampling sampling, Place place, boolean nullable);

	/**
	 * Return what is written for a field that was not set; {@code null} for nothing.
	 */
	@Nullable JsonElement unset() {
		return null;
	}

	boolean isPrimitive() {
		return unset() != null;
	}

	/**
	 * Return whether a value is replaced as a whole.
	 */
	boolean isLeaf() {
		return false;
	}

	/**
	 * What generic types can do with a type.
	 */
	enum Trait {

		/** Has methods {@code equals} and {@code hashCode} of the contents. */
		HASHED,

		COMPARABLE,

		/** Is written as a text or number, so that it can be the key of a map. */
		KEY,

		/** Extends {@code Number}. */
		NUMBER,

		/** Is an enum without conversion. */
		ENUM

	}

}
