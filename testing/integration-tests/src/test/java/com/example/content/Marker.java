/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.content;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Text that must not appear anywhere, neither as it is nor encoded.
 */
final class Marker {

	/** Content of objects: valid as the value of a label. */
	static final String CONTENT = "m4rk3r-c0nt3nt";

	/** Bearer token of the application. */
	static final String TOKEN = "m4rk3r-t0k3n";

	private static final Set<String> FORMS = new LinkedHashSet<>();

	static {
		for (String text : List.of(CONTENT, TOKEN)) {
			FORMS.add(text);
			byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
			String list = Arrays.toString(bytes);
			FORMS.add(list.substring(1, list.length() - 1));
			FORMS.add(HexFormat.of().formatHex(bytes));
			for (int shift = 0; shift < 3; shift++) {
				FORMS.add(base64(text, shift));
			}
		}
	}

	private Marker() {
	}

	/**
	 * Return the characters that each Base64 text has that contains a text after some
	 * other bytes.
	 */
	private static String base64(String text, int shift) {
		byte[] bytes = ("x".repeat(shift) + text).getBytes(StandardCharsets.UTF_8);
		String encoded = Base64.getEncoder().withoutPadding().encodeToString(bytes);
		return encoded.substring((shift == 0) ? 0 : shift + 1, bytes.length / 3 * 4);
	}

	/**
	 * Return the part of a text around a marker; empty if there is none.
	 */
	static String find(String text) {
		for (String form : FORMS) {
			int index = text.indexOf(form);
			if (index >= 0) {
				return text.substring(Math.max(0, index - 300), Math.min(text.length(), index + 100));
			}
		}
		return "";
	}

}
