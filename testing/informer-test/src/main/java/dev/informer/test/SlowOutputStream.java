/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

import dev.informer.test.http.ApiResponse;

/**
 * Stream that pauses after each fixed number of bytes.
 */
final class SlowOutputStream extends FilterOutputStream {

	private final ApiResponse response;

	private final int bytes;

	private final Duration interval;

	private int left;

	SlowOutputStream(OutputStream out, ApiResponse response, int bytes, Duration interval) {
		super(out);
		this.response = response;
		this.bytes = bytes;
		this.interval = interval;
		this.left = bytes;
	}

	@Override
	public void write(int value) throws IOException {
		write(new byte[] { (byte) value }, 0, 1);
	}

	@Override
	public void write(byte[] source, int offset, int length) throws IOException {
		int from = offset;
		while (from < offset + length) {
			if (this.left == 0) {
				this.out.flush();
				this.response.pause(this.interval);
				this.left = this.bytes;
			}
			int part = Math.min(this.left, offset + length - from);
			this.out.write(source, from, part);
			from += part;
			this.left -= part;
		}
	}

}
