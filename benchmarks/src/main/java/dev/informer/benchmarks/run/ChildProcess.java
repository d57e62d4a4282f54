/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Separate JVM or other program, which ends with this JVM.
 */
final class ChildProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private ChildProcess(Process process) {
		this.process = process;
		this.output = process.inputReader(StandardCharsets.UTF_8);
	}

	/**
	 * Start a JVM on the class path of this one.
	 * @param java the home of the JDK
	 * @param classes the first entries of the class path
	 * @param flags the flags of the JVM
	 * @param main the class to run
	 * @param arguments its arguments
	 */
	static ChildProcess java(Path java, List<Path> classes, List<String> flags, Class<?> main, List<String> arguments)
			throws IOException {
		List<String> path = new ArrayList<>(classes.stream().map(Path::toString).toList());
		path.add(System.getProperty("java.class.path"));
		List<String> command = new ArrayList<>(List.of(java.resolve("bin").resolve("java").toString()));
		command.addAll(flags);
		command.addAll(List.of("-cp", String.join(File.pathSeparator, path), main.getName()));
		command.addAll(arguments);
		return start(command);
	}

	/**
	 * Start a program.
	 * @param program the executable file
	 * @param arguments its arguments
	 */
	static ChildProcess program(Path program, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(program.toString()));
		command.addAll(arguments);
		return start(command);
	}

	private static ChildProcess start(List<String> command) throws IOException {
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
		return new ChildProcess(process);
	}

	/**
	 * Write a line to the input of the process.
	 */
	void writeLine(String line) throws IOException {
		this.process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
		this.process.getOutputStream().flush();
	}

	/**
	 * Read a line of the output of the process.
	 * @return the line; {@code null} at the end
	 */
	@Nullable String readLine() throws IOException {
		return this.output.readLine();
	}

	/**
	 * Wait until the process has ended.
	 * @return its exit code
	 */
	int await() throws InterruptedException {
		return this.process.waitFor();
	}

	@Override
	public void close() throws IOException {
		this.process.getOutputStream().close();
		try {
			if (!this.process.waitFor(5, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
