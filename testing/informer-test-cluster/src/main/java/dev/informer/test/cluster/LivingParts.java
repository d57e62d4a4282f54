/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * controller-manager, scheduler and, in place of nodes, kwok. All three survive restarts
 * of the API server. Not thread-safe.
 */
final class LivingParts {

	static final String[] BINARIES = { "kube-controller-manager", "kube-scheduler", "kwok" };

	private final List<ServerProcess> processes = new CopyOnWriteArrayList<>();

	/**
	 * Start the three processes and wait until the nodes are ready.
	 * @param assets where the binaries are
	 * @param folder the control plane's files
	 * @param kubeconfig the file with their connection to the API server
	 * @param nodes the nodes that there are to be
	 */
	void start(Assets assets, ControlPlaneFolder folder, Path kubeconfig, Nodes nodes) {
		String config = "--kubeconfig=" + kubeconfig;
		start(assets, folder, "kube-controller-manager", config, "--leader-elect=false", "--secure-port=0",
				"--service-account-private-key-file=" + folder.serviceAccountPrivateKey(), "--kube-api-qps=200",
				"--kube-api-burst=400");
		start(assets, folder, "kube-scheduler", config, "--leader-elect=false", "--secure-port=0");
		start(assets, folder, "kwok", config, "--manage-all-nodes=true", "--node-ip=127.0.0.1",
				"--config=" + assets.stages());
		nodes.create();
		nodes.awaitReady(this::requireAlive, this::tails);
	}

	private void start(Assets assets, ControlPlaneFolder folder, String binary, String... arguments) {
		this.processes.add(ServerProcess.start(assets.binary(binary), List.of(arguments), folder.root()));
	}

	private void requireAlive() {
		this.processes.forEach(ServerProcess::requireAlive);
	}

	private String tails() {
		StringBuilder tails = new StringBuilder();
		this.processes.forEach((process) -> tails.append(process.tail()).append(System.lineSeparator()));
		return tails.toString();
	}

	void kill() {
		this.processes.forEach(ServerProcess::kill);
	}

}
