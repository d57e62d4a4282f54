/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Folder with the binaries of the servers in the layout of {@code KUBEBUILDER_ASSETS}.
 *
 * @param folder where the binaries are
 */
record Assets(Path folder) {

	static final String VARIABLE = "KUBEBUILDER_ASSETS";

	private static final String STAGES = "kwok-stages.yaml";

	/**
	 * Return the folder from the environment.
	 * @return the folder, or empty if the variable is not set
	 */
	static Optional<Assets> fromEnvironment() {
		return Optional.ofNullable(System.getenv(VARIABLE))
			.filter((value) -> !value.isBlank())
			.map((value) -> new Assets(Path.of(value)));
	}

	/**
	 * Return the path of a binary.
	 * @param name the binary's name
	 * @return the path
	 * @throws IllegalStateException when it is missing or cannot be executed
	 */
	Path binary(String name) {
		Path binary = this.folder.resolve(name);
		if (!Files.isExecutable(binary)) {
			throw new IllegalStateException("%s has no executable %s. %s".formatted(this.folder, name, remedy()));
		}
		return binary;
	}

	/**
	 * Return the file with the stages of nodes and pods for kwok.
	 * @return the path
	 * @throws IllegalStateException when it is missing
	 */
	Path stages() {
		Path stages = this.folder.resolve(STAGES);
		if (!Files.isReadable(stages)) {
			throw new IllegalStateException(
					"%s has no %s, without which kwok does nothing. %s".formatted(this.folder, STAGES, remedy()));
		}
		return stages;
	}

	/**
	 * Check that all binaries exist.
	 * @param living whether pods are to run in the cluster
	 * @throws IllegalStateException when something is missing, naming it
	 */
	void require(boolean living) {
		binary(Etcd.BINARY);
		binary(ApiServer.BINARY);
		if (living) {
			Arrays.stream(LivingParts.BINARIES).forEach(this::binary);
			stages();
		}
	}

	/**
	 * Return whether the folder supports a cluster with running pods.
	 * @return {@code true} if controller-manager, scheduler, kwok and its stages exist
	 */
	boolean canLive() {
		return Arrays.stream(LivingParts.BINARIES).allMatch((name) -> Files.isExecutable(this.folder.resolve(name)))
				&& Files.isReadable(this.folder.resolve(STAGES));
	}

	/**
	 * Return the version of the kube-apiserver binary.
	 * @return the version, for instance {@code v1.36.3}
	 */
	String version() {
		try {
			Process process = new ProcessBuilder(binary(ApiServer.BINARY).toString(), "--version")
				.redirectErrorStream(true)
				.start();
			process.getOutputStream().close();
			String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			return answer.substring(answer.lastIndexOf(' ') + 1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the version of " + binary(ApiServer.BINARY), ex);
		}
	}

	private static String remedy() {
		return VARIABLE + " must name a folder with kube-apiserver and etcd; for a cluster in which pods run also with "
				+ String.join(", ", LivingParts.BINARIES) + " and " + STAGES
				+ ". In the project's sources .ci/kubernetes/build makes such a folder and prints its path";
	}

}
