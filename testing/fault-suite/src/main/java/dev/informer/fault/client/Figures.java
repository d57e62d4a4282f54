/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Resources that the process of a client uses.
 *
 * @param threads the number of live threads
 * @param sockets the number of open sockets
 * @param heap the used heap after a collection, in bytes
 */
public record Figures(int threads, int sockets, long heap) {

	private static final int COLLECTIONS = 3;

	private static final int ALLOWED = 3;

	private static final long ALLOWED_HEAP = 8_000_000;

	static Figures measure() throws IOException {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		return new Figures(ManagementFactory.getThreadMXBean().getThreadCount(), countSockets(),
				ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
	}

	private static int countSockets() throws IOException {
		try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
			return (int) descriptors.filter(Figures::isSocket).count();
		}
	}

	private static boolean isSocket(Path descriptor) {
		try {
			return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
		}
		catch (IOException ex) {
			// Closed since the folder was listed
			return false;
		}
	}

	/**
	 * Return what has grown by more than the usual fluctuation: three threads or sockets,
	 * or a quarter of the heap and 8 MB.
	 * @param before the earlier figures
	 * @return one line for each figure
	 */
	public List<String> growthSince(Figures before) {
		List<String> growth = new ArrayList<>();
		if (this.threads > before.threads + ALLOWED) {
			growth.add("threads grew from " + before.threads + " to " + this.threads);
		}
		if (this.sockets > before.sockets + ALLOWED) {
			growth.add("sockets grew from " + before.sockets + " to " + this.sockets);
		}
		if (this.heap > before.heap * 5 / 4 + ALLOWED_HEAP) {
			growth.add("heap grew from " + before.heap + " to " + this.heap);
		}
		return growth;
	}

	@Override
	public String toString() {
		return "%d threads, %d sockets, %.1f MB".formatted(this.threads, this.sockets, this.heap / 1e6);
	}

	String toText() {
		return this.threads + " " + this.sockets + " " + this.heap;
	}

	static Figures parse(String text) {
		String[] parts = text.split(" ");
		return new Figures(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
	}

}
