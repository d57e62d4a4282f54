/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import dev.informer.client.model.ObjectTable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Names of the properties of a class in JSON. Other names are skipped.
 */
final class ObjectNames {

	private final ExpectedName start = new ExpectedName("", null, null);

	private final ExpectedName unknown = new ExpectedName("", null, null);

	private final Map<String, ExpectedName> names = new HashMap<>();

	private final ObjectTable table;

	/**
	 * Create the names of a class from those in their most likely order.
	 */
	ObjectNames(ObjectTable table, Collection<ExpectedName> names) {
		this.table = table;
		ExpectedName previous = this.start;
		for (ExpectedName name : names) {
			this.names.put(name.name().getValue(), name);
			previous.successor(name);
			previous = name;
		}
	}

	ObjectTable table() {
		return this.table;
	}

	/**
	 * Return a name; {@code null} if there is no property of this name.
	 */
	@Nullable ExpectedName find(String name) {
		return this.names.get(name);
	}

	/**
	 * Return the predecessor of the first name of an object.
	 */
	ExpectedName start() {
		return this.start;
	}

	/**
	 * Advance to the value of the next property, and return its name; {@code null} at the
	 * end of the object.
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
