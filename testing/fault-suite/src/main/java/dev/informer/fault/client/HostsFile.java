/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import dev.informer.fault.server.CompleteFile;

/**
 * File in which a client looks up host names, in place of a name server. Java reads it
 * for each lookup that its cache does not answer.
 */
public final class HostsFile {

	/** Host name of the API server, which is in its certificate. */
	public static final String SERVER = "kubernetes.default.svc";

	/** Time for which Java uses the result of a lookup. */
	public static final int CACHE_SECONDS = 30;

	private final Path file;

	/**
	 * Create a file in which the API server is found.
	 */
	public HostsFile(Path folder) throws IOException {
		this.file = folder.resolve("hosts");
		resolve(true);
	}

	List<String> options() {
		return List.of("-Djdk.net.hosts.file=" + this.file);
	}

	/**
	 * Decide whether lookups of the API server succeed.
	 * @param success whether they do
	 */
	public void resolve(boolean success) throws IOException {
		CompleteFile.write(this.file, "127.0.0.1 localhost" + (success ? " " + SERVER : "") + "\n");
	}

}
