/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Stream that sends every write as a chunk of HTTP/1.1.
 */
final class ChunkedStream extends OutputStream {

	private static final byte[] LINE_END = Bytes.of("\r\n");

	private static final byte[] LAST = Bytes.of("0\r\n\r\n");

	private final OutputStream out;

	ChunkedStream(OutputStream out) {
		this.out = out;
	}

	@Override
	public void write(int single) throws IOException {
		write(new byte[] { (byte) single }, 0, 1);
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		if (length > 0) {
			this.out.write(Bytes.of(Integer.toHexString(length)));
			this.out.write(LINE_END);
			this.out.write(bytes, offset, length);
			this.out.write(LINE_END);
		}
	}

	@Override
	public void flush() throws IOException {
		this.out.flush();
	}

	/**
	 * Write the last chunk, without closing the underlying stream.
	 */
	@Override
	public void close() throws IOException {
		this.out.write(LAST);
		this.out.flush();
	}

}
