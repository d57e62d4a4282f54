/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Connection of a client to the API server.
 *
 * @param url the URL of the API server or of the proxy before it
 * @param certificates the file with the trusted certificates
 * @param tokenFile the file with the bearer token
 * @param kubeconfig the kubeconfig to use instead; {@code null} for none
 */
public record Connection(String url, Path certificates, Path tokenFile, @Nullable Path kubeconfig) {

	/** Number of arguments. */
	static final int ARGUMENTS = 4;

	static Connection of(List<String> arguments) {
		String kubeconfig = arguments.get(3);
		return new Connection(arguments.get(0), Path.of(arguments.get(1)), Path.of(arguments.get(2)),
				kubeconfig.isEmpty() ? null : Path.of(kubeconfig));
	}

	List<String> toArguments() {
		return List.of(this.url, this.certificates.toString(), this.tokenFile.toString(),
				(this.kubeconfig != null) ? this.kubeconfig.toString() : "");
	}

	/**
	 * Return the properties of the application.
	 */
	List<String> properties() {
		if (this.kubeconfig != null) {
			return List.of("--informer.connection.kubeconfig=" + this.kubeconfig);
		}
		return List.of("--informer.connection.url=" + this.url,
				"--informer.connection.ca-certificate=" + this.certificates,
				"--informer.connection.token-file=" + this.tokenFile);
	}

}
