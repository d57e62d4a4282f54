/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.ArrayList;
import java.util.List;

/**
 * Thrown when well-formed JSON does not fit the model. Collects the unfinished objects,
 * from which the identity of the outermost one is read.
 */
class UndecodableValueException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient List<Unfinished> unfinished = new ArrayList<>();

	private final transient List<String> path;

	UndecodableValueException(List<String> path, String expected) {
		super((path.isEmpty() ? "" : String.join("", path) + ": ") + "expected " + expected, null, false, false);
		this.path = path;
	}

	/**
	 * Add an unfinished object, inner ones first.
	 */
	void addUnfinished(ObjectDecoder decoder, Object object) {
		this.unfinished.add(new Unfinished(decoder, object));
	}

	List<Unfinished> unfinished() {
		return this.unfinished;
	}

	/**
	 * Return whether the value is in this property of the outermost object.
	 */
	boolean isIn(String property) {
		return !this.path.isEmpty() && this.path.get(0).equals(property);
	}

	record Unfinished(ObjectDecoder decoder, Object object) {
	}

}
