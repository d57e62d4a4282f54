/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A body of unknown length. Each flush sends what has been written as one chunk; closing
 * it without {@link #end()} leaves the body visibly incomplete.
 */
final class ChunkedOutputStream extends OutputStream {

	private static final byte[] LINE_END = { '\r', '\n' };

	private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private final OutputStream out;

	private final byte[] buffer = new byte[64 * 1024];

	private int count;

	ChunkedOutputStream(OutputStream out) {
		this.out = out;
	}

	@Override
	public void write(int value) throws IOException {
		if (this.count == this.buffer.length) {
			writeChunk();
		}
		this.buffer[this.count++] = (byte) value;
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		int from = offset;
		int left = length;
		while (left > 0) {
			if (this.count == this.buffer.length) {
				writeChunk();
			}
			int part = Math.min(left, this.buffer.length - this.count);
			System.arraycopy(bytes, from, this.buffer, this.count, part);
			this.count += part;
			from += part;
			left -= part;
		}
	}

	@Override
	public void flush() throws IOException {
		writeChunk();
		this.out.flush();
	}

	void end() throws IOException {
		writeChunk();
		this.out.write(LAST_CHUNK);
		this.out.flush();
	}

	private void writeChunk() throws IOException {
		if (this.count > 0) {
			this.out.write(Integer.toHexString(this.count).getBytes(StandardCharsets.US_ASCII));
			this.out.write(LINE_END);
			this.out.write(this.buffer, 0, this.count);
			this.out.write(LINE_END);
			this.count = 0;
		}
	}

}
