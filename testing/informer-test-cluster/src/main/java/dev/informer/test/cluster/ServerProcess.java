/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Process of a server. It does not outlive this JVM: a shell waits on a pipe that the
 * operating system closes when the JVM ends, then kills the server and deletes its files.
 * <p>
 * Thread-safe.
 */
final class ServerProcess {

	private static final int TAIL = 30;

	private static final String GUARD = "while read -r line; do :; done; kill -9 \"$0\"; rm -rf \"$1\"";

	private static final Redirect NOTHING = Redirect.from(new File("/dev/null"));

	private final String name;

	private final Path log;

	private final Process process;

	private final Process guard;

	private ServerProcess(String name, Path log, Process process, Process guard) {
		this.name = name;
		this.log = log;
		this.process = process;
		this.guard = guard;
	}

	/**
	 * Start a binary.
	 * @param binary the binary
	 * @param arguments its arguments
	 * @param folder its working folder, deleted should the JVM end before the server; its
	 * output is appended to {@code NAME.log} there
	 * @return the running process
	 */
	static ServerProcess start(Path binary, List<String> arguments, Path folder) {
		String name = binary.getFileName().toString();
		Path log = folder.resolve(name + ".log");
		List<String> command = new ArrayList<>();
		command.add(binary.toAbsolutePath().toString());
		command.addAll(arguments);
		ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
			.redirectInput(NOTHING)
			.redirectErrorStream(true)
			.redirectOutput(Redirect.appendTo(log.toFile()));
		builder.environment().put("HOME", folder.toString());
		builder.environment().remove("KUBECONFIG");
		try {
			Process process = builder.start();
			return new ServerProcess(name, log, process, guard(process, folder));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start " + binary, ex);
		}
	}

	private static Process guard(Process process, Path folder) throws IOException {
		try {
			return new ProcessBuilder("/bin/sh", "-c", GUARD, Long.toString(process.pid()), folder.toString())
				.redirectOutput(Redirect.DISCARD)
				.redirectError(Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			process.destroyForcibly();
			throw ex;
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Throw an exception with the last lines of output if the process has ended.
	 */
	void requireAlive() {
		if (!isAlive()) {
			throw new IllegalStateException(
					"%s ended with exit code %d.%n%s".formatted(this.name, this.process.exitValue(), tail()));
		}
	}

	/**
	 * Return the last lines of output.
	 * @return the lines, preceded by the name of the log file
	 */
	String tail() {
		try {
			List<String> lines = new String(Files.readAllBytes(this.log), StandardCharsets.UTF_8).lines().toList();
			return "The end of %s:%n%s".formatted(this.log.getFileName(),
					String.join(System.lineSeparator(), lines.subList(Math.max(0, lines.size() - TAIL), lines.size())));
		}
		catch (IOException ex) {
			return "Its log %s cannot be read: %s".formatted(this.log, ex.getMessage());
		}
	}

	/**
	 * Freeze the process (SIGSTOP): its connections stay open and nothing answers.
	 */
	void suspend() {
		signal("STOP");
	}

	/**
	 * Resume a frozen process (SIGCONT).
	 */
	void resume() {
		signal("CONT");
	}

	private void signal(String signal) {
		requireAlive();
		try {
			Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid()))
				.redirectErrorStream(true)
				.start();
			String answer = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (kill.waitFor() != 0) {
				throw new IllegalStateException("Cannot send SIG%s to %s: %s".formatted(signal, this.name, answer));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot send SIG%s to %s".formatted(signal, this.name), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while sending SIG%s to %s".formatted(signal, this.name), ex);
		}
	}

	/**
	 * Kill the process (SIGKILL) and wait until it and its guard have ended. Do nothing
	 * if it has already ended.
	 */
	void kill() {
		this.process.destroyForcibly();
		boolean interrupted = awaitEnd(this.process);
		this.guard.destroyForcibly();
		interrupted |= awaitEnd(this.guard);
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static boolean awaitEnd(Process process) {
		boolean interrupted = false;
		while (true) {
			try {
				process.waitFor(10, TimeUnit.SECONDS);
				return interrupted;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
	}

	@Override
	public String toString() {
		return this.name;
	}

}
