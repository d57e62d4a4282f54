/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Program that starts a control plane, writes the path of its kubeconfig and the ids of
 * its processes to a file, and waits until it is killed.
 */
final class AbandonedControlPlane {

	private AbandonedControlPlane() {
	}

	public static void main(String[] arguments) throws IOException, InterruptedException {
		ControlPlane cluster = ControlPlane.fromEnvironment().start();
		List<String> lines = new ArrayList<>();
		lines.add(cluster.kubeconfigFile("admin").toString());
		ProcessHandle.current().children().map(ProcessHandle::pid).map(String::valueOf).forEach(lines::add);
		Path file = Path.of(arguments[0]);
		Path whole = file.resolveSibling("written");
		Files.write(whole, lines);
		Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
		synchronized (cluster) {
			cluster.wait();
		}
	}

}
