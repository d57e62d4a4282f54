/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Shift of the wall clock of a process, by a library that the process preloads. Compiled
 * with the C compiler of the machine, because no program may change the clock of a
 * container.
 */
public final class ClockShift {

	private static final String SOURCE = "clock-shift.c";

	private final Path library;

	private final Path file;

	/**
	 * Create a shift of zero.
	 */
	public ClockShift(Path folder) throws IOException, InterruptedException {
		this.library = folder.resolve("clock-shift.so");
		this.file = folder.resolve("clock-shift");
		Path source = folder.resolve(SOURCE);
		try (InputStream stream = ClockShift.class.getResourceAsStream("/" + SOURCE)) {
			Files.copy(Objects.requireNonNull(stream, SOURCE), source);
		}
		Process compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-O", "-o", this.library.toString(),
				source.toString(), "-ldl")
			.redirectErrorStream(true)
			.start();
		String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (compiler.waitFor() != 0) {
			throw new IOException("Cannot compile " + SOURCE + ": " + output);
		}
		shift(Duration.ZERO);
	}

	/**
	 * Return whether a C compiler is on the path.
	 */
	public static boolean isAvailable() {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.anyMatch((folder) -> Files.isExecutable(Path.of(folder, "cc")));
	}

	/**
	 * Return the environment variables of the process.
	 */
	Map<String, String> environment() {
		return Map.of("LD_PRELOAD", this.library.toString(), "CLOCK_SHIFT_FILE", this.file.toString());
	}

	/**
	 * Set the clock of the process.
	 */
	public void shift(Duration shift) throws IOException {
		byte[] bytes = ByteBuffer.allocate(Long.BYTES)
			.order(ByteOrder.nativeOrder())
			.putLong(shift.toSeconds())
			.array();
		try (RandomAccessFile content = new RandomAccessFile(this.file.toFile(), "rw")) {
			content.write(bytes);
		}
	}

}
