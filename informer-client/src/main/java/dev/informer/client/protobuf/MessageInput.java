/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Body of a response as a window over its bytes. Memory grows with the bytes that arrive,
 * not with the lengths that a message claims. Confined to one thread.
 */
final class MessageInput {

	/**
	 * Maximum length of an object that is decoded. etcd stores 1.5 MB by default; a
	 * greater length is a sign that the stream is not what it should be.
	 */
	static final int MAX_OBJECT = 1 << 26;

	static final int SIZE = 1 << 16;

	private final InputStream in;

	private byte[] buffer = new byte[SIZE];

	private int position;

	private int end;

	MessageInput(InputStream in) {
		this.in = in;
	}

	byte[] buffer() {
		return this.buffer;
	}

	/**
	 * Return the offset in the buffer of the next byte.
	 */
	int position() {
		return this.position;
	}

	void advance(int length) {
		this.position += length;
	}

	/**
	 * Wait for the next byte, and return whether there is one.
	 */
	boolean hasNext() throws IOException {
		return this.position < this.end || fill();
	}

	/**
	 * Wait until {@code length} bytes, at most {@link #MAX_OBJECT}, are in the buffer.
	 * @throws EOFException if the body ends before
	 */
	void require(int length) throws IOException {
		if (this.end - this.position >= length) {
			return;
		}
		moveToFront();
		while (this.end < length) {
			if (this.end == this.buffer.length) {
				this.buffer = Arrays.copyOf(this.buffer, 2 * this.buffer.length);
			}
			if (!fill()) {
				throw new EOFException("the response is truncated");
			}
		}
	}

	private void moveToFront() {
		int length = this.end - this.position;
		boolean oversized = this.buffer.length > SIZE && length <= SIZE;
		byte[] target = oversized ? new byte[SIZE] : this.buffer;
		System.arraycopy(this.buffer, this.position, target, 0, length);
		this.buffer = target;
		this.position = 0;
		this.end = length;
	}

	private boolean fill() throws IOException {
		if (this.position == this.end) {
			this.position = 0;
			this.end = 0;
		}
		int read = this.in.read(this.buffer, this.end, this.buffer.length - this.end);
		if (read > 0) {
			this.end += read;
		}
		return read > 0;
	}

	long varint() throws IOException {
		long value = 0;
		for (int shift = 0; shift < Long.SIZE; shift += 7) {
			require(1);
			byte next = this.buffer[this.position++];
			value |= (long) (next & 0x7f) << shift;
			if (next >= 0) {
				return value;
			}
		}
		throw new MalformedMessageException("a number has more than 64 bits");
	}

	/**
	 * Read a number of 32 bits, the most significant byte first.
	 */
	int int32() throws IOException {
		require(Integer.BYTES);
		int value = 0;
		for (int i = 0; i < Integer.BYTES; i++) {
			value = value << Byte.SIZE | this.buffer[this.position++] & 0xff;
		}
		return value;
	}

	void skip(long length) throws IOException {
		long rest = length;
		while (rest > 0) {
			require(1);
			int skipped = (int) Math.min(rest, this.end - this.position);
			this.position += skipped;
			rest -= skipped;
		}
	}

}
