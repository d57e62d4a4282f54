/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * JVM with a heap of 64 MiB for a program of a test.
 */
public final class SmallJvm {

	private SmallJvm() {
	}

	/**
	 * Run a program to its successful end and return the lines that it has printed.
	 */
	public static List<String> run(Path folder, Duration timeout, Class<?> program, String... arguments)
			throws Exception {
		Path output = folder.resolve("output.txt");
		// Surefire's JVM has a jar without classes as its class path
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m",
						"-XX:+ExitOnOutOfMemoryError", "-Dlogback.statusListenerClass=none", "-cp", classPath,
						program.getName()));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			boolean ended = process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS);
			List<String> lines = Files.readAllLines(output);
			assertThat(ended).as(String.join("\n", lines)).isTrue();
			assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
			return lines;
		}
		finally {
			process.destroyForcibly();
		}
	}

}
