/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

import com.sun.management.OperatingSystemMXBean;

/**
 * What this process has used.
 */
final class ProcessFigures {

	private static final int COLLECTIONS = 4;

	private static final double BYTES_PER_MEGABYTE = 1024 * 1024;

	private ProcessFigures() {
	}

	/**
	 * The processor time of all threads, those of the JVM included.
	 * @return seconds
	 */
	static double cpuSeconds() {
		OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		return system.getProcessCpuTime() / 1e9;
	}

	/**
	 * The most memory that was resident at any time.
	 * @return megabytes; 0 where the system does not say
	 */
	static double peakMegabytes() throws IOException {
		Path status = Path.of("/proc/self/status");
		if (!Files.exists(status)) {
			return 0;
		}
		return Files.readAllLines(status)
			.stream()
			.filter((line) -> line.startsWith("VmHWM:"))
			.mapToDouble((line) -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
			.findFirst()
			.orElse(0);
	}

	/**
	 * The heap that is still in use after full collections, everything counted.
	 * @return megabytes
	 */
	static double liveMegabytes() {
		MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
		for (int collection = 0; collection < COLLECTIONS; collection++) {
			memory.gc();
		}
		return memory.getHeapMemoryUsage().getUsed() / BYTES_PER_MEGABYTE;
	}

}
