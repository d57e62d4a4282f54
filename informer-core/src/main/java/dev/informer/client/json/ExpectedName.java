/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/**
 * A name that the objects of a class may have, and which name came after it the last
 * time: that is looked for first, since the API server writes properties in one order.
 */
final class ExpectedName {

	private final SerializableString name;

	private final @Nullable ObjectProperty property;

	private ExpectedName successor = this;

	/**
	 * Creates a name.
	 * @param name the name in JSON
	 * @param property the property; {@code null} when it is to be skipped
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
