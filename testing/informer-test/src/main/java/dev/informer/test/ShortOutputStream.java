/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Stream that writes a limited number of bytes and runs a callback at the limit.
 */
final class ShortOutputStream extends FilterOutputStream {

	private final End end;

	private long left;

	ShortOutputStream(OutputStream out, long bytes, End end) {
		super(out);
		this.left = bytes;
		this.end = end;
	}

	@Override
	public void write(int value) throws IOException {
		write(new byte[] { (byte) value }, 0, 1);
	}

	@Override
	public void write(byte[] source, int offset, int length) throws IOException {
		int part = (int) Math.min(this.left, length);
		this.out.write(source, offset, part);
		this.left -= part;
		if (part < length) {
			this.out.flush();
			this.end.reached();
		}
	}

	/**
	 * Callback at the limit.
	 */
	interface End {

		void reached() throws IOException;

	}

}
