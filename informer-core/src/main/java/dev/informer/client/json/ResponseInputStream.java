/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Stream of a response that counts the bytes and keeps the first ones, for messages.
 */
final class ResponseInputStream extends InputStream {

	private static final int KEPT = 512;

	private final InputStream in;

	private final byte[] beginning = new byte[KEPT];

	private long size;

	private volatile boolean closed;

	private boolean atEnd;

	ResponseInputStream(InputStream in) {
		this.in = in;
	}

	@Override
	public int read() throws IOException {
		byte[] single = new byte[1];
		int count = read(single, 0, 1);
		return (count < 0) ? -1 : single[0] & 0xFF;
	}

	@Override
	public int read(byte[] buffer, int offset, int length) throws IOException {
		if (this.closed) {
			throw new IOException("the stream was closed");
		}
		int count = this.in.read(buffer, offset, length);
		if (count < 0) {
			this.atEnd = true;
			return count;
		}
		if (this.size < KEPT) {
			System.arraycopy(buffer, offset, this.beginning, (int) this.size, Math.min(count, KEPT - (int) this.size));
		}
		this.size += count;
		return count;
	}

	/**
	 * Return the number of bytes that were read.
	 */
	long size() {
		return this.size;
	}

	/**
	 * Return whether the end was reached.
	 */
	boolean isAtEnd() {
		return this.atEnd;
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Describe the body by its beginning.
	 * @return the text; for JSON only its type, because messages must not contain objects
	 */
	String describe() {
		int length = (int) Math.min(this.size, KEPT);
		String text = BodyText.printable(new String(this.beginning, 0, length, StandardCharsets.UTF_8));
		if (text.isEmpty()) {
			return "an empty body";
		}
		return switch (text.charAt(0)) {
			case '{' -> "a JSON object";
			case '[' -> "a JSON array";
			default -> "\"" + text + "\"";
		};
	}

	@Override
	public void close() throws IOException {
		this.closed = true;
		this.in.close();
	}

}
