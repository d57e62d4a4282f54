/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One direction of a connection: a thread that reads, and one that writes when the bytes
 * are due. The queue between them is bounded, so that a slow receiver slows the sender.
 */
final class Pump {

	private static final int CHUNKS = 64;

	private static final int CHUNK = 16 * 1024;

	/** Writes each 50 ms if the bandwidth is limited. */
	private static final int WRITES_PER_SECOND = 20;

	private final Socket from;

	private final Socket to;

	private final Supplier<Shape> shape;

	private final Runnable end;

	private final BlockingQueue<Chunk> queue = new ArrayBlockingQueue<>(CHUNKS);

	private volatile boolean swallowing;

	private long passed;

	Pump(Socket from, Socket to, Supplier<Shape> shape, Runnable end) {
		this.from = from;
		this.to = to;
		this.shape = shape;
		this.end = end;
	}

	void start(String name) {
		thread(name + "-reader", this::read);
		thread(name + "-writer", this::write);
	}

	private void thread(String name, Step step) {
		Thread thread = new Thread(() -> {
			try {
				step.run();
			}
			catch (IOException ex) {
				// A cut connection; the other side gets to see its end
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			finally {
				if (!this.swallowing) {
					this.end.run();
				}
			}
		}, name);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Discard all bytes from now on. The ends of this direction see an open connection.
	 */
	void swallow() {
		this.swallowing = true;
	}

	private void read() throws IOException, InterruptedException {
		byte[] buffer = new byte[CHUNK];
		while (true) {
			int limit = this.shape.get().bytesPerSecond();
			int count = this.from.getInputStream()
				.read(buffer, 0, (limit > 0) ? Math.min(CHUNK, Math.max(1, limit / WRITES_PER_SECOND)) : CHUNK);
			if (this.swallowing && count >= 0) {
				continue;
			}
			if (count < 0) {
				this.queue.put(new Chunk(new byte[0], System.nanoTime()));
				return;
			}
			byte[] bytes = new byte[count];
			System.arraycopy(buffer, 0, bytes, 0, count);
			this.queue.put(new Chunk(bytes, System.nanoTime() + this.shape.get().latency().toNanos()));
		}
	}

	private void write() throws IOException, InterruptedException {
		while (true) {
			Chunk chunk = this.queue.take();
			TimeUnit.NANOSECONDS.sleep(chunk.due() - System.nanoTime());
			if (this.swallowing) {
				continue;
			}
			if (chunk.bytes().length == 0) {
				return;
			}
			pass(chunk.bytes(), this.shape.get());
		}
	}

	private void pass(byte[] bytes, Shape current) throws IOException, InterruptedException {
		int count = bytes.length;
		if (current.corruptAfter() > 0
				&& this.passed / current.corruptAfter() != (this.passed + count) / current.corruptAfter()) {
			bytes[count - 1] ^= 0x55;
		}
		boolean cut = current.cutAfter() > 0 && this.passed + count >= current.cutAfter();
		if (cut) {
			count = (int) Math.max(0, current.cutAfter() - this.passed);
		}
		this.to.getOutputStream().write(bytes, 0, count);
		this.passed += count;
		if (cut) {
			throw new IOException("Cut after " + this.passed + " bytes");
		}
		if (current.bytesPerSecond() > 0) {
			TimeUnit.NANOSECONDS.sleep(count * TimeUnit.SECONDS.toNanos(1) / current.bytesPerSecond());
		}
	}

	private record Chunk(byte[] bytes, long due) {
	}

	private interface Step {

		void run() throws IOException, InterruptedException;

	}

}
