/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.informer.fault.journal.ObjectStates;
import org.jspecify.annotations.Nullable;

/**
 * Process of a client, with its journal and its log in a folder. Thread-safe.
 */
public final class ClientProcess implements AutoCloseable {

	private static final String LOG = "client.log";

	private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

	private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

	private static final int TERMINATION_SECONDS = 60;

	private static final Duration SUSPENSION_TIMEOUT = Duration.ofSeconds(10);

	/** Time that an answer with the wall clock may take. */
	private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);

	/** Megabytes. */
	private static final int REPLICA_HEAP = 128;

	/** Attempts of a request that can time out because the machine is busy. */
	private static final int ATTEMPTS = 4;

	/** Lines of the log that are shown. */
	private static final int TAIL = 40;

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(REQUEST_TIMEOUT)
		.build();

	private final Path folder;

	private final Process process;

	private final int port;

	private final int managementPort;

	private ClientProcess(Path folder, Process process, int port, int managementPort) {
		this.folder = folder;
		this.process = process;
		this.port = port;
		this.managementPort = managementPort;
	}

	/**
	 * Start a client and wait until its caches have synced.
	 * @param folder an empty folder for its files
	 * @param heap its maximum heap in megabytes
	 * @param clock the shift of its clock, {@code null} for none
	 * @param hosts the file with the host names, {@code null} for those of the system
	 */
	public static ClientProcess start(Path folder, Connection connection, int heap, @Nullable ClockShift clock,
			@Nullable HostsFile hosts) throws IOException, InterruptedException {
		return start(folder, connection, heap, clock, (hosts != null) ? hosts.options() : List.of(), List.of());
	}

	/**
	 * Start a replica whose handlers replicas share, and wait until its caches have
	 * synced.
	 * @param folder an empty folder for its files
	 * @param coordination the way in which replicas share the invocations
	 * @param clock the shift of its clock, {@code null} for none
	 */
	public static ClientProcess startReplica(Path folder, Connection connection, Coordination coordination,
			ReplicaDurations durations, @Nullable ClockShift clock) throws IOException, InterruptedException {
		return start(folder, connection, REPLICA_HEAP, clock, List.of(),
				List.of(coordination.name(), durations.lease().toString()));
	}

	private static ClientProcess start(Path folder, Connection connection, int heap, @Nullable ClockShift clock,
			List<String> options, List<String> replica) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + heap + "m"));
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), ClientMain.class.getName()));
		command.add(folder.toString());
		command.addAll(connection.toArguments());
		command.addAll(replica);
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(folder.resolve(LOG).toFile());
		if (clock != null) {
			builder.environment().putAll(clock.environment());
		}
		Process process = builder.start();
		// A frozen client does not notice the end of this process
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
		Path ready = folder.resolve(ClientMain.READY);
		long end = System.nanoTime() + START_TIMEOUT.toNanos();
		while (!Files.exists(ready)) {
			if (!process.isAlive()) {
				throw new ClientException("Client ended at its start. " + logTail(folder));
			}
			if (System.nanoTime() > end) {
				process.destroyForcibly();
				throw new IOException("Client did not start in " + START_TIMEOUT + ". " + logTail(folder));
			}
			TimeUnit.MILLISECONDS.sleep(50);
		}
		String[] ports = Files.readString(ready).split(" ");
		return new ClientProcess(folder, process, Integer.parseInt(ports[0]), Integer.parseInt(ports[1]));
	}

	/**
	 * Return the content of the cache.
	 */
	public ObjectStates cache() throws IOException, InterruptedException {
		return ObjectStates.parse(get(this.port, "/cache"));
	}

	/**
	 * Return the objects of all resources with a key.
	 */
	public ObjectStates objects(String key) throws IOException, InterruptedException {
		return ObjectStates.parse(get(this.port, "/object?" + key));
	}

	/**
	 * Measure the resources of the process, after a collection of garbage.
	 */
	public Figures figures() throws IOException, InterruptedException {
		return Figures.parse(getPatiently("/figures"));
	}

	/**
	 * Let the next invocations of a handler throw an OutOfMemoryError.
	 */
	public void throwErrors(int count) throws IOException, InterruptedException {
		getPatiently("/errors?" + count);
	}

	/**
	 * Read an endpoint for an operator.
	 * @return the response, also if it reports a failure
	 */
	public String management(String path) throws IOException, InterruptedException {
		return get(this.managementPort, path);
	}

	/**
	 * Send a request again if it times out, as while the machine is busy.
	 */
	private String getPatiently(String path) throws IOException, InterruptedException {
		for (int attempt = 1;; attempt++) {
			try {
				return get(this.port, path);
			}
			catch (HttpTimeoutException ex) {
				if (attempt == ATTEMPTS) {
					throw new ClientException("Client did not answer %d requests".formatted(ATTEMPTS), ex);
				}
			}
		}
	}

	private String get(int server, String path) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server + path))
			.timeout(REQUEST_TIMEOUT)
			.build();
		HttpResponse<String> response = this.http.send(request, BodyHandlers.ofString());
		if (response.statusCode() != 200 && response.statusCode() != 503) {
			throw new ClientException("Client returned status " + response.statusCode() + ": " + response.body());
		}
		return response.body();
	}

	/**
	 * Verify the clocks of the process: its monotonic clock is that of this process, and
	 * its wall clock differs from that of this process by the shift alone.
	 */
	public void verifyClocks(Duration shift) throws IOException, InterruptedException {
		long before = System.nanoTime();
		String[] clocks = get(this.port, "/clocks").split(" ");
		long after = System.nanoTime();
		long monotonic = Long.parseLong(clocks[1]);
		if (monotonic - before < 0 || after - monotonic < 0) {
			throw new IOException(
					"Monotonic clock of the client is %d, expected %d to %d".formatted(monotonic, before, after));
		}
		Duration difference = Duration.ofMillis(Long.parseLong(clocks[0]) - System.currentTimeMillis());
		if (difference.minus(shift).abs().compareTo(CLOCK_TOLERANCE) > 0) {
			throw new IOException("Wall clock of the client differs by %s, expected %s".formatted(difference, shift));
		}
	}

	/**
	 * Suspend the process with SIGSTOP, and wait until none of its threads runs.
	 */
	public void suspend() throws IOException, InterruptedException {
		signal("STOP");
		Path threads = Path.of("/proc", Long.toString(this.process.pid()), "task");
		long end = System.nanoTime() + SUSPENSION_TIMEOUT.toNanos();
		while (!areSuspended(threads)) {
			if (System.nanoTime() > end) {
				throw new IOException("Client is running after SIGSTOP");
			}
			TimeUnit.MILLISECONDS.sleep(1);
		}
	}

	private static boolean areSuspended(Path threads) throws IOException {
		try (Stream<Path> all = Files.list(threads)) {
			return all.allMatch(ClientProcess::isSuspended);
		}
	}

	/**
	 * Return whether the state of a thread is {@code T}. It follows the name, which is in
	 * parentheses.
	 */
	private static boolean isSuspended(Path thread) {
		try {
			String status = Files.readString(thread.resolve("stat"));
			return status.charAt(status.lastIndexOf(')') + 2) == 'T';
		}
		catch (IOException ex) {
			// Ended since the folder was listed
			return true;
		}
	}

	/**
	 * Send a signal to the process.
	 * @param name the name of the signal, for instance {@code STOP}
	 */
	public void signal(String name) throws IOException, InterruptedException {
		int exit = new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start().waitFor();
		if (exit != 0) {
			throw new IOException("Cannot send SIG" + name + " to the client");
		}
	}

	/**
	 * Terminate the process with SIGTERM and wait for its end.
	 */
	public Duration terminate() throws IOException, InterruptedException {
		long start = System.nanoTime();
		// Process.destroy() closes the input as well, whose end halts the client
		signal("TERM");
		this.process.waitFor(TERMINATION_SECONDS, TimeUnit.SECONDS);
		return Duration.ofNanos(System.nanoTime() - start);
	}

	/**
	 * Return whether the process has not ended.
	 */
	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Kill the process with SIGKILL and wait for its end.
	 */
	public void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	/**
	 * Return the last lines that the client has logged, without stack traces.
	 */
	public String logTail() throws IOException {
		return logTail(this.folder);
	}

	private static String logTail(Path folder) throws IOException {
		List<String> lines = Files.readString(folder.resolve(LOG))
			.lines()
			.filter((line) -> !line.startsWith("\t"))
			.toList();
		return "The end of %s:%n%s".formatted(LOG,
				String.join(System.lineSeparator(), lines.subList(Math.max(0, lines.size() - TAIL), lines.size())));
	}

	/**
	 * Return the path of the journal.
	 */
	public Path journal() {
		return this.folder.resolve(ClientMain.JOURNAL);
	}

	/**
	 * Return the number of lines that the client has logged.
	 */
	public long logLines() throws IOException {
		try (Stream<String> lines = Files.lines(this.folder.resolve(LOG))) {
			return lines.count();
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
