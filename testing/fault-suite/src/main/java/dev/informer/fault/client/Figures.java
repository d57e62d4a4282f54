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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Resources that the process of a client uses.
 *
 * @param threadsByName the numbers of live threads by name, with N for numbers in it
 * @param sockets the number of open sockets
 * @param heap the used heap after a collection, in bytes
 */
public record Figures(SortedMap<String, Integer> threadsByName, int sockets, long heap) {

	private static final int COLLECTIONS = 3;

	private static final int ALLOWED = 3;

	private static final long ALLOWED_HEAP = 8_000_000;

	static Figures measure() throws IOException {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		SortedMap<String, Integer> threads = new TreeMap<>();
		for (Thread thread : Thread.getAllStackTraces().keySet()) {
			threads.merge(thread.getName().replaceAll("\\d+", "N").replaceAll("\\s", "_"), 1, Integer::sum);
		}
		return new Figures(threads, countSockets(), ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
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
	 */
	public List<String> growthSince(Figures before) {
		List<String> growth = new ArrayList<>();
		if (threads() > before.threads() + ALLOWED) {
			SortedMap<String, Integer> more = new TreeMap<>(this.threadsByName);
			before.threadsByName.forEach((name, count) -> more.merge(name, -count, Integer::sum));
			more.values().removeIf((count) -> count <= 0);
			growth.add("threads grew from " + before.threads() + " to " + threads() + " by " + more);
		}
		if (this.sockets > before.sockets + ALLOWED) {
			growth.add("sockets grew from " + before.sockets + " to " + this.sockets);
		}
		if (this.heap > before.heap * 5 / 4 + ALLOWED_HEAP) {
			growth.add("heap grew from " + before.heap + " to " + this.heap);
		}
		return growth;
	}

	private int threads() {
		return this.threadsByName.values().stream().mapToInt(Integer::intValue).sum();
	}

	@Override
	public String toString() {
		return "%d threads, %d sockets, %.1f MB".formatted(threads(), this.sockets, this.heap / 1e6);
	}

	String toText() {
		StringBuilder text = new StringBuilder().append(this.sockets).append(' ').append(this.heap);
		this.threadsByName.forEach((name, count) -> text.append(' ').append(name).append(' ').append(count));
		return text.toString();
	}

	static Figures parse(String text) {
		String[] parts = text.split(" ");
		SortedMap<String, Integer> threads = new TreeMap<>();
		for (int i = 2; i < parts.length; i += 2) {
			threads.put(parts[i], Integer.parseInt(parts[i + 1]));
		}
		return new Figures(threads, Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
	}

}
