package dev.informer.test.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * The etcd of a control plane.
 */
final class Etcd {

	static final String BINARY = "etcd";

	private Etcd() {
	}

	static ServerProcess start(Assets assets, Path folder, int clientPort) {
		String client = "http://127.0.0.1:" + clientPort;
		String peer = "http://127.0.0.1:" + LoopbackPorts.free();
		return ServerProcess.start(assets.binary(BINARY),
				List.of("--name=test", "--data-dir=" + folder.resolve("etcd"), "--listen-client-urls=" + client,
						"--advertise-client-urls=" + client, "--listen-peer-urls=" + peer,
						"--initial-advertise-peer-urls=" + peer, "--initial-cluster=test=" + peer, "--unsafe-no-fsync"),
				folder);
	}

}
