/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

/**
 * Conversion of text from a response for messages.
 */
final class BodyText {

	private static final int MAX_LENGTH = 100;

	private BodyText() {
	}

	/**
	 * Return the beginning of a text, in one line and without control characters.
	 */
	static String printable(String text) {
		StringBuilder printable = new StringBuilder();
		boolean gap = false;
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (Character.isISOControl(c) || Character.isWhitespace(c) || c == '\uFFFD') {
				gap = !printable.isEmpty();
				continue;
			}
			if (printable.length() >= MAX_LENGTH - 1) {
				return printable.append('\u2026').toString();
			}
			if (gap) {
				printable.append(' ');
				gap = false;
			}
			printable.append(c);
		}
		return printable.toString();
	}

}
