/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the heap of an {@link EventRecorder}, by a program in a small JVM.
 */
@Timeout(120)
class EventRecorderHeapTests {

	/** Port on which no server listens. */
	private static final String NO_SERVER = "http://127.0.0.1:1";

	@Test
	void recordedEvents_areBounded_whenNoServerAnswers(@TempDir Path folder) throws Exception {
		Path output = folder.resolve("output.txt");
		// Surefire's JVM has a jar without classes as its class path
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx64m", "-XX:+ExitOnOutOfMemoryError", "-Dlogback.statusListenerClass=none", "-cp", classPath,
				EventProgram.class.getName(), NO_SERVER, "100000")
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("ended").isTrue();
			List<String> lines = Files.readAllLines(output);
			assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
			assertThat(lines.stream().filter((line) -> line.startsWith("pending="))).containsExactly(
					"pending=5000 dropped=95000", "pending=105000 dropped=95000", "pending=0 dropped=200000");
		}
		finally {
			process.destroyForcibly();
		}
	}

}
