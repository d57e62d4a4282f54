/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/**
 * Stream with the speed of a network of limited bandwidth.
 */
final class PacedStream extends FilterOutputStream {

	/** Number of bytes that are sent at once. */
	private static final int PACKET = 16 * 1024;

	private final double nanosPerByte;

	private long due = System.nanoTime();

	/**
	 * Create a stream.
	 * @param out the underlying stream
	 * @param bitsPerSecond the bandwidth
	 */
	PacedStream(OutputStream out, long bitsPerSecond) {
		super(out);
		this.nanosPerByte = TimeUnit.SECONDS.toNanos(8) / (double) bitsPerSecond;
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		for (int written = 0; written < length; written += PACKET) {
			int part = Math.min(PACKET, length - written);
			pause(part);
			this.out.write(bytes, offset + written, part);
		}
	}

	private void pause(int bytes) throws InterruptedIOException {
		long now = System.nanoTime();
		this.due = Math.max(this.due, now - TimeUnit.MILLISECONDS.toNanos(2)) + (long) (bytes * this.nanosPerByte);
		long wait = this.due - now;
		if (wait > TimeUnit.MILLISECONDS.toNanos(1)) {
			try {
				TimeUnit.NANOSECONDS.sleep(wait);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new InterruptedIOException();
			}
		}
	}

}
