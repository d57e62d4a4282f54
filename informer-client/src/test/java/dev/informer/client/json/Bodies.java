/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bodies of responses for tests.
 */
public final class Bodies {

	/**
	 * Property {@code metadata} of an object {@code bad}, with names of other objects.
	 */
	static final String META = "\"metadata\":{\"annotations\":{\"name\":\"wrong\"},\"name\":\"bad\","
			+ "\"namespace\":\"shop\",\"ownerReferences\":[{\"name\":\"wrong\",\"uid\":\"wrong\"}],"
			+ "\"resourceVersion\":\"12\",\"uid\":\"u-1\"}";

	/** A pod that is decoded. */
	static final String GOOD = "{\"metadata\":{\"name\":\"good\",\"resourceVersion\":\"7\"},"
			+ "\"spec\":{\"nodeName\":\"n\"}}";

	private Bodies() {
	}

	public static InputStream whole(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
	}

	public static InputStream whole(byte[] bytes) {
		return new ByteArrayInputStream(bytes);
	}

	/**
	 * Return a body in ISO 8859-1, which can contain bytes that are not UTF-8.
	 */
	static InputStream bytes(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	/**
	 * Return a body that is read byte by byte.
	 */
	public static InputStream trickling(String text) {
		return trickling(text.getBytes(StandardCharsets.UTF_8));
	}

	public static InputStream trickling(byte[] bytes) {
		return trickling(bytes, 1);
	}

	/**
	 * Return a body that is read in parts of a size.
	 */
	static InputStream trickling(byte[] bytes, int size) {
		return new ByteArrayInputStream(bytes) {

			@Override
			public synchronized int read(byte[] buffer, int offset, int length) {
				return super.read(buffer, offset, Math.min(length, size));
			}

		};
	}

	/**
	 * Return a body that arrives in these parts. Reading beyond them fails, where a real
	 * stream would block.
	 */
	public static InputStream arriving(String... parts) {
		Iterator<String> remaining = List.of(parts).iterator();
		return new InputStream() {

			@Override
			public int read() {
				throw new UnsupportedOperationException();
			}

			@Override
			public int read(byte[] buffer, int offset, int length) {
				assertThat(remaining).as("part to read").hasNext();
				byte[] part = remaining.next().getBytes(StandardCharsets.UTF_8);
				System.arraycopy(part, 0, buffer, offset, part.length);
				return part.length;
			}

		};
	}

	/**
	 * Return a body that fails after the text.
	 */
	public static InputStream breaking(String text, IOException failure) {
		return new SequenceInputStream(whole(text), new InputStream() {

			@Override
			public int read() throws IOException {
				throw failure;
			}

			@Override
			public int read(byte[] buffer, int offset, int length) throws IOException {
				throw failure;
			}

		});
	}

	/**
	 * Replace characters outside of ASCII by escapes.
	 */
	public static String escaped(String json) {
		StringBuilder escaped = new StringBuilder();
		for (char c : json.toCharArray()) {
			if (c < 128) {
				escaped.append(c);
			}
			else {
				escaped.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
			}
		}
		return escaped.toString();
	}

	public static String list(String kind, String... items) {
		return "{\"kind\":\"" + kind
				+ "List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":["
				+ String.join(",", items) + "]}";
	}

}
