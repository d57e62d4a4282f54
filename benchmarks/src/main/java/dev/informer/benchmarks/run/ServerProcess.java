package dev.informer.benchmarks.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import dev.informer.benchmarks.client.ServerControl;
import dev.informer.benchmarks.replay.ReplayServer;

/**
 * The replay server in its own JVM.
 */
final class ServerProcess implements AutoCloseable {

	private final JavaProcess process;

	private final URI address;

	ServerProcess(Path java) throws IOException {
		this.process = JavaProcess.start(java, List.of(), List.of("-Xmx256m"), ReplayServer.class, List.of());
		String line = this.process.readLine();
		if (line == null || !line.startsWith(ReplayServer.READY)) {
			throw new IOException("The replay server has not started: " + line);
		}
		this.address = URI.create(line.substring(ReplayServer.READY.length()));
	}

	URI address() {
		return this.address;
	}

	ServerControl control() {
		return new ServerControl(this.address);
	}

	@Override
	public void close() throws IOException {
		this.process.close();
	}

}
