/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

/**
 * Envelope around an object: a prefix and {@code runtime.Unknown}, which names the kind.
 *
 * @param offset the offset of the object
 * @param length the length of the object
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding">Protobuf
 * encoding</a>
 */
record Envelope(String apiVersion, String kind, int offset, int length) {

	static final byte[] PREFIX = { 'k', '8', 's', 0 };

	static boolean isAt(byte[] buffer, int offset, int length) {
		if (length < PREFIX.length) {
			return false;
		}
		for (int i = 0; i < PREFIX.length; i++) {
			if (buffer[offset + i] != PREFIX[i]) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Read an envelope.
	 * @throws MalformedMessageException if there is none
	 */
	static Envelope read(MessageReader reader, byte[] buffer, int offset, int length) {
		if (!isAt(buffer, offset, length)) {
			throw new MalformedMessageException("the prefix k8s is missing");
		}
		reader.reset(buffer, offset + PREFIX.length, length - PREFIX.length);
		String apiVersion = "";
		String kind = "";
		int start = offset + length;
		int size = 0;
		while (reader.hasNext()) {
			int tag = reader.tag();
			switch (MessageReader.number(tag)) {
				case 1 -> {
					int outer = reader.enter();
					while (reader.hasNext()) {
						int inner = reader.tag();
						switch (MessageReader.number(inner)) {
							case 1 -> apiVersion = reader.string();
							case 2 -> kind = reader.string();
							default -> reader.skip(inner);
						}
					}
					reader.leave(outer);
				}
				case 2 -> {
					size = reader.length();
					start = reader.position();
					reader.advance(size);
				}
				default -> reader.skip(tag);
			}
		}
		return new Envelope(apiVersion, kind, start, size);
	}

}
