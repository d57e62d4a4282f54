/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.informer.benchmarks.client.ServerControl;
import dev.informer.benchmarks.replay.ReplayServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the client-go peer, which reads what {@code ProtobufKind} writes.
 * {@code benchmarks/client-go/build} builds its program.
 */
@EnabledIfEnvironmentVariable(named = ClientGoTests.PROGRAM, matches = ".+")
@Timeout(120)
class ClientGoTests {

	static final String PROGRAM = "INFORMER_TEST_CLIENT_GO";

	private static final int PODS = 120;

	@TempDir
	private Path folder;

	private ReplayServer server;

	@BeforeEach
	void startServer() throws IOException {
		this.server = new ReplayServer();
		new ServerControl(this.server.address()).reset("pods=" + PODS + "&encoded=90");
	}

	@AfterEach
	void stopServer() throws IOException {
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "streaming-list" })
	void comparison_handlesListAndUpdatesInProtobuf(String argument) throws Exception {
		assertThat(run(0, "run=ClientProcess", "objects=" + PODS, "updates=90", argument))
			.contains("figure SYNC_SECONDS", "figure UPDATES_LIVE_MEGABYTES");
	}

	@Test
	void latency_isMeasuredOfEachEvent() throws Exception {
		assertThat(run(0, "run=LatencyProcess", "objects=" + PODS, "updates=90", "rate=300"))
			.contains("figure LATENCY_P50", "figure LATENCY_P999");
	}

	@Test
	void incompleteCache_fails() throws Exception {
		assertThat(run(1, "run=ClientProcess", "objects=" + (PODS - 1), "updates=0"))
			.contains(PODS + " instead of " + (PODS - 1) + " objects in the cache");
	}

	private String run(int expectedCode, String... arguments) throws IOException, InterruptedException {
		Path output = this.folder.resolve("output");
		List<String> command = new ArrayList<>(List.of(System.getenv(PROGRAM), "server=" + this.server.address()));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
			String text = Files.readString(output, StandardCharsets.UTF_8);
			assertThat(process.exitValue()).as(text).isEqualTo(expectedCode);
			return text;
		}
		finally {
			process.destroyForcibly();
		}
	}

}
