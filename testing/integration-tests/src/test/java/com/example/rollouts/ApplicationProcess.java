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

import static dev.informer.test.support.Await.awaitExternal;

/**
 * The packaged application in a separate process.
 *
 * @param process the process
 * @param output the file with its output
 */
record ApplicationProcess(Process process, Path output) implements AutoCloseable {

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	/**
	 * Start the application on a free port.
	 * @param folder the folder for its output
	 * @param url the URL of the API server
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
	 * Return the path of the jar.
	 */
	static String jar() {
		return Objects.requireNonNull(System.getProperty("sample.jar"),
				"Missing system property sample.jar. Run this test with 'mvn verify', which builds the jar first.");
	}

	/**
	 * Wait until the web server has started.
	 * @return the URL of the application
	 */
	String awaitUrl() {
		awaitExternal().atMost(Duration.ofSeconds(90))
			.until(() -> !this.process.isAlive() || STARTED.matcher(text()).find());
		Matcher started = STARTED.matcher(text());
		if (!started.find()) {
			throw new IllegalStateException("Application did not start: " + text());
		}
		return "http://localhost:" + started.group(1);
	}

	/**
	 * Return the output so far.
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
	 * Terminate the application and wait for its end.
	 * @return the exit code
	 */
	int terminate() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(30, TimeUnit.SECONDS)) {
			throw new IllegalStateException("Application is still running: " + text());
		}
		return this.process.exitValue();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
