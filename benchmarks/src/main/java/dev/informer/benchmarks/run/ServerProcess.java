/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import dev.informer.benchmarks.client.ServerControl;
import dev.informer.benchmarks.replay.ReplayServer;

/**
 * Replay server in a separate JVM.
 */
final class ServerProcess implements BenchServer {

	/**
	 * The heap has room for encoded objects. The serial collector starts no threads,
	 * which would compete with the clients.
	 */
	private static final List<String> FLAGS = List.of("-Xmx6g", "-XX:+UseSerialGC");

	private final ChildProcess process;

	private final URI address;

	ServerProcess(Path java) throws IOException {
		this.process = ChildProcess.java(java, List.of(), FLAGS, ReplayServer.class, List.of());
		String line = this.process.readLine();
		if (line == null || !line.startsWith(ReplayServer.READY)) {
			throw new IOException("Replay server did not start: " + line);
		}
		this.address = URI.create(line.substring(ReplayServer.READY.length()));
	}

	@Override
	public URI address() {
		return this.address;
	}

	@Override
	public List<String> credentials() {
		return List.of();
	}

	@Override
	public void reset(String settings) throws IOException {
		new ServerControl(this.address).reset(settings);
	}

	@Override
	public void close() throws IOException {
		this.process.close();
	}

}
