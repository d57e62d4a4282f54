/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Strict decoding of UTF-8.
 */
final class Utf8 {

	private Utf8() {
	}

	/**
	 * Decode bytes.
	 * @throws MalformedMessageException if they are not UTF-8
	 */
	static String decode(byte[] buffer, int offset, int length) {
		String text = new String(buffer, offset, length, StandardCharsets.UTF_8);
		// the replacement character is rare, so that its presence is worth a second look
		if (text.indexOf('\ufffd') >= 0) {
			try {
				StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(buffer, offset, length));
			}
			catch (CharacterCodingException ex) {
				throw new MalformedMessageException("a string is not UTF-8");
			}
		}
		return text;
	}

}
