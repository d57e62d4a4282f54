/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Counts what is read of a body and remembers how it began, for messages.
 */
final class ResponseBody extends InputStream {

	private static final int REMEMBERED = 512;

	private final InputStream in;

	private final byte[] beginning = new byte[REMEMBERED];

	private long size;

	private volatile boolean closed;

	private boolean atEnd;

	ResponseBody(InputStream in) {
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
		if (this.size < REMEMBERED) {
			System.arraycopy(buffer, offset, this.beginning, (int) this.size,
					Math.min(count, REMEMBERED - (int) this.size));
		}
		this.size += count;
		return count;
	}

	/**
	 * How many bytes were read.
	 */
	long size() {
		return this.size;
	}

	/**
	 * Whether the end was read.
	 */
	boolean isAtEnd() {
		return this.atEnd;
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * What kind of body this seems to be.
	 * @return the beginning of the text, unless there could be objects in it, whose
	 * content belongs in no message
	 */
	String describe() {
		int length = (int) Math.min(this.size, REMEMBERED);
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
