/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;

/**
 * The packaged application, running in a process of its own.
 *
 * @param process the process
 * @param output where it writes to
 */
record ApplicationProcess(Process process, Path output) implements AutoCloseable {

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	/**
	 * Starts it on a free port.
	 * @param folder takes what it writes
	 * @param url where the API server is
	 * @param options options of the JVM
	 */
	static ApplicationProcess start(Path folder, String url, String... options) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.add("-XX:TieredStopAtLevel=1");
		command.addAll(List.of(options));
		command.addAll(List.of("-jar", jar(), "--server.port=0", "--informer.connection.url=" + url));
		Path output = folder.resolve("output.txt");
		return new ApplicationProcess(
				new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start(), output);
	}

	/**
	 * Where the jar is.
	 */
	static String jar() {
		return Objects.requireNonNull(System.getProperty("sample.jar"),
				"sample.jar is not set: 'mvn verify' runs this test when the jar is there");
	}

	/**
	 * Waits until it answers.
	 * @return where it is
	 */
	String awaitUrl() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(90))
			.until(() -> !this.process.isAlive() || STARTED.matcher(text()).find());
		Matcher started = STARTED.matcher(text());
		if (!started.find()) {
			throw new IllegalStateException("Did not start: " + text());
		}
		return "http://localhost:" + started.group(1);
	}

	/**
	 * What it has written.
	 */
	String text() {
		try {
			return Files.readString(this.output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Asks it to end and waits until it has.
	 * @return its exit code
	 */
	int terminate() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(30, TimeUnit.SECONDS)) {
			throw new IllegalStateException("Still running: " + text());
		}
		return this.process.exitValue();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
