/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import dev.informer.test.ResourceDefinition;

/**
 * Parser for field selectors: terms of the form {@code field=value}, {@code field==value}
 * or {@code field!=value}, joined by commas.
 */
final class FieldSelector {

	private FieldSelector() {
	}

	static Selector parse(String text, ResourceDefinition definition) {
		Selector selector = Selector.EVERYTHING;
		for (String term : text.split(",")) {
			if (!term.isEmpty()) {
				selector = selector.and(parseTerm(term, text, definition));
			}
		}
		return selector;
	}

	private static Selector parseTerm(String term, String text, ResourceDefinition definition) {
		int equals = term.indexOf('=');
		if (equals < 1) {
			throw StatusErrors.badRequest("invalid selector: '" + text + "'; can't understand '" + term + "'");
		}
		boolean negated = term.charAt(equals - 1) == '!';
		String field = term.substring(0, negated ? equals - 1 : equals);
		int start = (!negated && term.startsWith("==", equals)) ? equals + 2 : equals + 1;
		String value = term.substring(start);
		check(field, definition);
		return (object) -> value(object, field).equals(value) != negated;
	}

	private static void check(String field, ResourceDefinition definition) {
		FieldLabels labels = FieldLabels.of(definition);
		if (!labels.names().contains(field)) {
			throw StatusErrors
				.badRequest(labels.declared() ? "field label not supported: " + field : StatusErrors.quoted(field)
						+ " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
		}
	}

	private static String value(StoredObject object, String field) {
		return switch (field) {
			case "metadata.name" -> object.key().name();
			case "metadata.namespace" -> object.key().namespace();
			default -> object.fields().getOrDefault(field, "");
		};
	}

}
