/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.informer.client.model.BodyText;
import tools.jackson.core.TokenStreamContext;

/**
 * Path from an object to the current token of a parser.
 */
final class TokenPath {

	private static final int MAX_LENGTH = 20;

	private TokenPath() {
	}

	/**
	 * Return the names and indices on the path, for messages. One that is very long is
	 * cut at its end.
	 * @param outer the depth at which the path begins
	 */
	static String of(TokenStreamContext context, int outer) {
		List<String> path = new ArrayList<>();
		TokenStreamContext current = context;
		if (current.getNestingDepth() > outer + MAX_LENGTH) {
			path.add("\u2026");
		}
		while (current.getNestingDepth() > outer + MAX_LENGTH) {
			current = current.getParent();
		}
		while (current != null && current.getNestingDepth() > outer) {
			if (current.inArray() && current.hasCurrentIndex()) {
				path.add("[" + current.getCurrentIndex() + "]");
			}
			else if (current.inObject() && current.currentName() != null) {
				boolean first = current.getNestingDepth() == outer + 1;
				path.add((first ? "" : ".") + BodyText.printable(current.currentName()));
			}
			current = current.getParent();
		}
		Collections.reverse(path);
		return String.join("", path);
	}

	/**
	 * Return JSON that opens the objects and arrays on the path. The names around an
	 * object are those of a list or an event, without special characters.
	 */
	static String opening(TokenStreamContext context) {
		if (context.inRoot()) {
			return "";
		}
		return opening(context.getParent()) + (context.inArray() ? "[" : "{\"" + context.currentName() + "\":");
	}

}
