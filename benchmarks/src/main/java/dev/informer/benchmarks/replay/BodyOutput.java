/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;
import java.io.OutputStream;
import java.time.LocalDate;

/**
 * Writer of JSON and protobuf from prepared bytes and numbers. Bytes between two flushes
 * reach the stream as one piece, unless they exceed the maximum length of a piece. Not
 * thread-safe.
 */
final class BodyOutput {

	private static final int LONGEST_PIECE = 32 * 1024;

	private static final int SECONDS_PER_DAY = 24 * 60 * 60;

	private static final byte[] HEX = Bytes.of("0123456789abcdef");

	private final OutputStream out;

	private final byte[] buffer = new byte[LONGEST_PIECE];

	private int length;

	private long written;

	BodyOutput(OutputStream out) {
		this.out = out;
	}

	void text(byte[] text) throws IOException {
		int offset = 0;
		while (offset < text.length) {
			ensure(1);
			int part = Math.min(text.length - offset, this.buffer.length - this.length);
			System.arraycopy(text, offset, this.buffer, this.length, part);
			this.length += part;
			offset += part;
		}
	}

	void number(long number) throws IOException {
		if (number < 0) {
			throw new IllegalArgumentException("Cannot write a negative number: " + number);
		}
		int digits = 1;
		for (long rest = number / 10; rest > 0; rest /= 10) {
			digits++;
		}
		padded(number, digits);
	}

	/**
	 * Write a number as protobuf does: seven bits per byte, the lowest ones first.
	 */
	void varint(int number) throws IOException {
		ensure(varintLength(number));
		int rest = number;
		while ((rest & ~0x7F) != 0) {
			this.buffer[this.length++] = (byte) ((rest & 0x7F) | 0x80);
			rest >>>= 7;
		}
		this.buffer[this.length++] = (byte) rest;
	}

	/**
	 * Return the number of bytes that {@link #varint} writes.
	 */
	static int varintLength(int number) {
		return Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(number) + 6) / 7);
	}

	/**
	 * Write a number in four bytes, the highest one first.
	 */
	void int32(int number) throws IOException {
		ensure(Integer.BYTES);
		for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
			this.buffer[this.length++] = (byte) (number >>> shift);
		}
	}

	/**
	 * Write the last digits of a number.
	 */
	void padded(long number, int digits) throws IOException {
		ensure(digits);
		long rest = number;
		for (int position = this.length + digits - 1; position >= this.length; position--) {
			this.buffer[position] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		this.length += digits;
	}

	/**
	 * Write the first hexadecimal digits of a number, at most 16.
	 */
	void hex(long number, int digits) throws IOException {
		ensure(digits);
		for (int digit = 0; digit < digits; digit++) {
			this.buffer[this.length++] = HEX[(int) (number >>> (60 - 4 * digit)) & 0xF];
		}
	}

	/**
	 * Write a point in time as Kubernetes does, in whole seconds.
	 */
	void time(long epochSecond) throws IOException {
		LocalDate day = LocalDate.ofEpochDay(epochSecond / SECONDS_PER_DAY);
		int second = (int) (epochSecond % SECONDS_PER_DAY);
		padded(day.getYear(), 4);
		part('-', day.getMonthValue());
		part('-', day.getDayOfMonth());
		part('T', second / 3600);
		part(':', second / 60 % 60);
		part(':', second % 60);
		ensure(1);
		this.buffer[this.length++] = 'Z';
	}

	private void part(char separator, int number) throws IOException {
		ensure(3);
		this.buffer[this.length++] = (byte) separator;
		padded(number, 2);
	}

	/**
	 * Return the number of bytes written so far.
	 */
	long written() {
		return this.written + this.length;
	}

	/**
	 * End a piece.
	 */
	void flush() throws IOException {
		if (this.length > 0) {
			this.out.write(this.buffer, 0, this.length);
			this.written += this.length;
			this.length = 0;
		}
	}

	private void ensure(int bytes) throws IOException {
		if (this.buffer.length - this.length < bytes) {
			flush();
		}
	}

}
