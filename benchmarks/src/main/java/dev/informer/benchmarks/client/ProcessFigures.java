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
import java.time.Duration;

import com.sun.management.OperatingSystemMXBean;

/**
 * Resources that this process has used.
 */
final class ProcessFigures {

	private static final int COLLECTIONS = 4;

	private static final double BYTES_PER_MEGABYTE = 1024 * 1024;

	private ProcessFigures() {
	}

	/**
	 * Return the processor time of all threads, those of the JVM included.
	 * @return the time in seconds
	 */
	static double cpuSeconds() {
		OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		return system.getProcessCpuTime() / 1e9;
	}

	/**
	 * Return the processor time of another process, in hundredths of a second.
	 * @param pid the process; 0 for none
	 * @return the time in seconds
	 */
	static double cpuSeconds(long pid) {
		return ProcessHandle.of(pid)
			.flatMap((process) -> process.info().totalCpuDuration())
			.orElse(Duration.ZERO)
			.toMillis() / 1000.0;
	}

	/**
	 * Return the peak of the resident memory.
	 * @return megabytes; 0 if the system does not report them
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
	 * Return the size of the heap that remains in use after full collections.
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
