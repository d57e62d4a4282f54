/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.nio.file.Path;
import java.util.List;

/**
 * Connection of a client to the API server.
 *
 * @param url the URL of the API server or of the proxy before it
 * @param certificates the file with the trusted certificates
 * @param tokenFile the file with the bearer token
 */
public record Connection(String url, Path certificates, Path tokenFile) {

	static Connection of(List<String> arguments) {
		return new Connection(arguments.get(0), Path.of(arguments.get(1)), Path.of(arguments.get(2)));
	}

	List<String> toArguments() {
		return List.of(this.url, this.certificates.toString(), this.tokenFile.toString());
	}

}
