/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Profile of this process: processor time by thread and heap by class.
 */
final class ProcessProfile {

	private static final double TICKS_PER_SECOND = 100;

	/**
	 * Index of the ticks in user mode among the fields behind the name of a thread. The
	 * ticks in system mode follow.
	 */
	private static final int USER_TICKS = 11;

	private static final int CLASSES = 40;

	private final PrintStream out;

	ProcessProfile(PrintStream out) {
		this.out = out;
	}

	/**
	 * Print the processor time by kind of thread, if the system reports it.
	 */
	void printThreads() throws IOException {
		Path tasks = Path.of("/proc/self/task");
		if (!Files.exists(tasks)) {
			return;
		}
		Map<String, Double> seconds = new TreeMap<>();
		try (Stream<Path> threads = Files.list(tasks)) {
			for (Path thread : threads.toList()) {
				String stat = Files.readString(thread.resolve("stat"));
				String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')')).replaceAll("[#\\d]+.*", "");
				String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
				double ticks = Double.parseDouble(fields[USER_TICKS]) + Double.parseDouble(fields[USER_TICKS + 1]);
				seconds.merge(name, ticks / TICKS_PER_SECOND, Double::sum);
			}
		}
		this.out.println("CPU seconds of threads that are alive: " + seconds.entrySet()
			.stream()
			.filter((entry) -> entry.getValue() > 0.01)
			.sorted(Map.Entry.<String, Double>comparingByValue().reversed())
			.map((entry) -> entry.getKey() + " " + String.format(Locale.ROOT, "%.2f", entry.getValue()))
			.collect(Collectors.joining(", ")));
	}

	/**
	 * Print a histogram of the live heap.
	 * @param objects the number of objects of the server in the heap
	 */
	void printHeap(int objects) throws JMException {
		Object histogram = ManagementFactory.getPlatformMBeanServer()
			.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
					new Object[] { new String[0] }, new String[] { String[].class.getName() });
		List<String> lines = String.valueOf(histogram).lines().filter((line) -> line.matches("\\s*\\d+:.*")).toList();
		this.out.println("bytes per object, instances per object, class");
		for (String line : lines.subList(0, Math.min(CLASSES, lines.size()))) {
			String[] fields = line.trim().split("\\s+");
			this.out.printf(Locale.ROOT, "%8.1f %8.2f %s%n", Double.parseDouble(fields[2]) / objects,
					Double.parseDouble(fields[1]) / objects, fields[3]);
		}
	}

}
