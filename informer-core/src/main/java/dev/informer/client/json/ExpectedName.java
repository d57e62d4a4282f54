/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/**
 * Name of a property and the name that followed it the last time. The successor is
 * compared first because the API server writes properties in a fixed order. Racy: the
 * successor is a prediction, and a lost update costs a lookup.
 */
final class ExpectedName {

	private final SerializableString name;

	private final @Nullable ObjectProperty property;

	private ExpectedName successor = this;

	/**
	 * Create a name.
	 * @param name the name in JSON
	 * @param property the property; {@code null} to skip its values
	 */
	ExpectedName(String name, @Nullable ObjectProperty property) {
		this.name = new SerializedString(name);
		this.property = property;
	}

	SerializableString name() {
		return this.name;
	}

	@Nullable ObjectProperty property() {
		return this.property;
	}

	ExpectedName successor() {
		return this.successor;
	}

	void successor(ExpectedName successor) {
		this.successor = successor;
	}

}
