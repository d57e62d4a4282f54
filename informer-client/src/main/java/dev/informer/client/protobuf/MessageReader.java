/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.informer.client.model.ElementStack;
import dev.informer.client.model.SharedValues;

/**
 * Cursor over a message in the protobuf encoding. Confined to one thread.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Protobuf encoding</a>
 */
final class MessageReader {

	static final int VARINT = 0;

	static final int FIXED64 = 1;

	static final int BYTES = 2;

	static final int FIXED32 = 5;

	private static final byte[] EMPTY = {};

	/** No built-in type is nested as deep, and none is recursive. */
	private static final int MAX_DEPTH = 100;

	private static final int TYPE_BITS = 3;

	private final ElementStack stack = new ElementStack();

	private byte[] buffer = EMPTY;

	private int position;

	private int limit;

	private int depth;

	private int lastTag;

	private boolean sharing;

	/**
	 * Read another message from now on.
	 */
	void reset(byte[] buffer, int offset, int length) {
		this.buffer = buffer;
		this.position = offset;
		this.limit = offset + length;
		this.depth = 0;
		this.stack.clear();
	}

	/**
	 * Set whether values are shared with other objects.
	 */
	void share(boolean sharing) {
		this.sharing = sharing;
	}

	boolean isSharing() {
		return this.sharing;
	}

	byte[] buffer() {
		return this.buffer;
	}

	int position() {
		return this.position;
	}

	/**
	 * Return the stack of the elements of collections that are not complete.
	 */
	ElementStack stack() {
		return this.stack;
	}

	boolean hasNext() {
		return this.position < this.limit;
	}

	/**
	 * Read a varint of up to 64 bits.
	 */
	long varint() {
		int at = this.position;
		if (at < this.limit && this.buffer[at] >= 0) {
			this.position = at + 1;
			return this.buffer[at];
		}
		return longVarint();
	}

	private long longVarint() {
		long value = 0;
		for (int shift = 0; shift < Long.SIZE; shift += 7) {
			if (this.position == this.limit) {
				throw new MalformedMessageException("a number is truncated");
			}
			byte next = this.buffer[this.position++];
			value |= (long) (next & 0x7f) << shift;
			if (next >= 0) {
				return value;
			}
		}
		throw new MalformedMessageException("a number has more than 64 bits");
	}

	/**
	 * Read the tag of the next field.
	 */
	int tag() {
		long tag = varint();
		if (tag >>> TYPE_BITS == 0 || tag > 0xffffffffL) {
			throw new MalformedMessageException("invalid field number");
		}
		this.lastTag = (int) tag;
		return (int) tag;
	}

	/**
	 * Return the tag that was read last.
	 */
	int lastTag() {
		return this.lastTag;
	}

	static int number(int tag) {
		return tag >>> TYPE_BITS;
	}

	static int type(int tag) {
		return tag & ((1 << TYPE_BITS) - 1);
	}

	/**
	 * Continue if the next field has this tag, and return whether the tag was read.
	 */
	boolean continues(int tag) {
		int start = this.position;
		if (start == this.limit) {
			return false;
		}
		if (varint() == (tag & 0xffffffffL)) {
			return true;
		}
		this.position = start;
		return false;
	}

	long fixed64() {
		if (this.limit - this.position < Long.BYTES) {
			throw new MalformedMessageException("a number is truncated");
		}
		long value = 0;
		for (int i = 0; i < Long.BYTES; i++) {
			value |= (this.buffer[this.position++] & 0xffL) << (i * Byte.SIZE);
		}
		return value;
	}

	/**
	 * Read the length of a string, of bytes or of a message. The enclosing message has
	 * that many bytes left.
	 */
	int length() {
		long length = varint();
		if (length < 0 || length > this.limit - this.position) {
			throw new MalformedMessageException("a length exceeds the enclosing message");
		}
		return (int) length;
	}

	/**
	 * Advance over bytes that the caller reads by itself.
	 */
	void advance(int length) {
		this.position += length;
	}

	/**
	 * Skip these bytes if they are next, unless a field with this tag follows them.
	 */
	boolean skip(byte[] expected, int tag) {
		int start = this.position;
		int end = start + expected.length;
		if (end > this.limit || !Arrays.equals(expected, 0, expected.length, this.buffer, start, end)) {
			return false;
		}
		this.position = end;
		if (tag != 0 && continues(tag)) {
			this.position = start;
			return false;
		}
		return true;
	}

	/**
	 * Return the length of the next value, with those of the same tag that follow.
	 * @param tag the tag; 0 for the next value alone
	 * @return the length; -1 if they are malformed
	 */
	int lengthOfAll(int tag) {
		int start = this.position;
		try {
			do {
				advance(length());
			}
			while (tag != 0 && continues(tag));
			return this.position - start;
		}
		catch (MalformedMessageException ex) {
			// reading them finds the first error
			return -1;
		}
		finally {
			this.position = start;
		}
	}

	byte[] bytes() {
		int length = length();
		byte[] bytes = new byte[length];
		System.arraycopy(this.buffer, this.position, bytes, 0, length);
		this.position += length;
		return bytes;
	}

	/**
	 * Enter a message, and return the limit to pass to {@link #leave(int)}.
	 */
	int enter() {
		if (++this.depth > MAX_DEPTH) {
			throw new MalformedMessageException("messages are nested more than " + MAX_DEPTH + " deep");
		}
		int length = length();
		int outer = this.limit;
		this.limit = this.position + length;
		return outer;
	}

	/**
	 * Leave a message, skipping what was not read of it.
	 */
	void leave(int outer) {
		this.position = this.limit;
		this.limit = outer;
		this.depth--;
	}

	/**
	 * Skip the value of a field.
	 */
	void skip(int tag) {
		switch (type(tag)) {
			case VARINT -> varint();
			case FIXED64 -> skipFixed(Long.BYTES);
			case BYTES -> advance(length());
			case FIXED32 -> skipFixed(Integer.BYTES);
			// groups (3 and 4) are in no Kubernetes type
			default -> throw new MalformedMessageException("unknown wire type " + type(tag));
		}
	}

	private void skipFixed(int length) {
		if (this.limit - this.position < length) {
			throw new MalformedMessageException("a number is truncated");
		}
		this.position += length;
	}

	/**
	 * Skip a varint or a length that is 0, and return whether it was 0.
	 */
	boolean skipZero() {
		if (this.position < this.limit && this.buffer[this.position] == 0) {
			this.position++;
			return true;
		}
		return false;
	}

	/**
	 * Require the wire type of a field.
	 */
	static void require(int tag, int type) {
		if (type(tag) != type) {
			throw new MalformedMessageException(
					"field " + number(tag) + " has wire type " + type(tag) + " in place of " + type);
		}
	}

	/**
	 * Read a string without sharing it.
	 */
	String string() {
		int length = length();
		String text = text(this.buffer, this.position, length);
		this.position += length;
		return text;
	}

	/**
	 * Read a string without decoding it, and return whether it is an expected one.
	 */
	boolean isText(String expected) {
		int length = length();
		boolean same = SharedValues.Entry.matches(expected, this.buffer, this.position, length);
		this.position += length;
		return same;
	}

	/**
	 * Decode bytes that are UTF-8.
	 * @throws MalformedMessageException if they are not UTF-8
	 */
	static String text(byte[] buffer, int offset, int length) {
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
