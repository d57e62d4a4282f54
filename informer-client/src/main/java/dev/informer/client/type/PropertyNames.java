/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.List;

/**
 * Names of a property in JSON, and what its annotations say about absent values.
 *
 * @param all the name that is written, and those that are read as well
 * @param skipsNull whether JSON's {@code null} leaves the value that the constructor has
 * set
 * @param omitsEmpty whether an empty collection is not written
 */
record PropertyNames(List<String> all, boolean skipsNull, boolean omitsEmpty) {

	String written() {
		return this.all.get(0);
	}

}
