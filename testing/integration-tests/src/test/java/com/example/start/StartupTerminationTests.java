/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.start;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the termination, by a signal, of an application that is starting.
 */
class StartupTerminationTests {

	private static final int TERMINATED = 128 + 15;

	@TempDir
	private Path folder;

	@Test
	void serverThatAcceptsAndStaysSilent_doesNotDelayTermination() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			assertTerminates("Using Kubernetes API server",
					"--informer.connection.url=http://127.0.0.1:" + silent.getLocalPort());
		}
	}

	@Test
	void serverThatRefusesConnections_doesNotDelayTermination() throws Exception {
		assertTerminates("Using Kubernetes API server", "--informer.connection.url=http://127.0.0.1:1");
	}

	@Test
	void pluginThatHangs_doesNotDelayTermination() throws Exception {
		Path running = this.folder.resolve("running");
		Path kubeconfig = Files.writeString(this.folder.resolve("config"), """
				apiVersion: v1
				kind: Config
				current-context: hanging
				contexts: [{name: hanging, context: {cluster: hanging, user: hanging}}]
				clusters: [{name: hanging, cluster: {server: "http://127.0.0.1:1"}}]
				users:
				- name: hanging
				  user:
				    exec:
				      apiVersion: client.authentication.k8s.io/v1
				      command: sh
				      args: ["-c", "echo > %s; exec sleep 300"]
				      interactiveMode: Never
				""".formatted(running));
		assertTerminates("--informer.connection.kubeconfig=" + kubeconfig, (output) -> Files.deleteIfExists(running));
	}

	private void assertTerminates(String expectedOutput, String argument) throws Exception {
		assertTerminates(argument, (output) -> Files.readString(output).contains(expectedOutput));
	}

	/**
	 * Terminate applications until one has ended within a second: other processes may
	 * delay some of them.
	 * @param ready returns whether an application with this output is to be terminated
	 */
	private void assertTerminates(String argument, Ready ready) throws Exception {
		List<Duration> durations = new ArrayList<>();
		while (durations.size() < 3 && durations.stream().noneMatch(StartupTerminationTests::isFast)) {
			try (Starting application = start(argument)) {
				awaitExternal().until(() -> ready.isReady(application.output));
				durations.add(application.terminate());
			}
		}
		assertThat(durations).anyMatch(StartupTerminationTests::isFast);
	}

	private static boolean isFast(Duration duration) {
		return duration.compareTo(Duration.ofSeconds(1)) < 0;
	}

	private Starting start(String argument) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-cp", System.getProperty("java.class.path"), PodApplication.class.getName(), "--server.port=0",
						"--informer.startup.timeout=10m", argument));
		Path output = this.folder.resolve("output.txt");
		return new Starting(
				new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start(), output);
	}

	private interface Ready {

		boolean isReady(Path output) throws IOException;

	}

	/**
	 * Application process that is starting.
	 *
	 * @param process the process
	 * @param output the file with its output
	 */
	private record Starting(Process process, Path output) implements AutoCloseable {

		Duration terminate() throws Exception {
			long signalled = System.nanoTime();
			this.process.destroy();
			assertThat(this.process.waitFor(30, TimeUnit.SECONDS)).as(Files.readString(this.output)).isTrue();
			Duration duration = Duration.ofNanos(System.nanoTime() - signalled);
			assertThat(this.process.exitValue()).isEqualTo(TERMINATED);
			return duration;
		}

		@Override
		public void close() {
			this.process.descendants().forEach(ProcessHandle::destroyForcibly);
			this.process.destroyForcibly();
		}

	}

	@SpringBootApplication
	static class PodApplication {

		public static void main(String[] args) {
			SpringApplication.run(PodApplication.class, args);
		}

		@InformerHandler
		void pod(V1Pod pod) {
		}

	}

}
