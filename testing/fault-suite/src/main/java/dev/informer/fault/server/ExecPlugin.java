/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import dev.informer.fault.client.Connection;

/**
 * Exec plugin that returns the token of the client, or hangs.
 */
public final class ExecPlugin {

	private static final String SCRIPT = """
			#!/bin/sh
			[ ! -e '%1$s' ] || exec sleep 3600
			printf '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", '
			printf '"status": {"token": "%%s"}}' "$(cat '%2$s')"
			""";

	private static final String KUBECONFIG = """
			apiVersion: v1
			kind: Config
			clusters:
			- name: fault
			  cluster:
			    server: %s
			    certificate-authority: %s
			users:
			- name: client
			  user:
			    exec:
			      apiVersion: client.authentication.k8s.io/v1
			      command: %s
			      interactiveMode: Never
			contexts:
			- name: fault
			  context:
			    cluster: fault
			    user: client
			current-context: fault
			""";

	private final Path script;

	private final Path hanging;

	private final Path kubeconfig;

	/**
	 * Create a plugin that does not hang.
	 */
	ExecPlugin(Path folder, Path token) throws IOException {
		this.hanging = folder.resolve("plugin-hangs");
		this.kubeconfig = folder.resolve("kubeconfig");
		this.script = folder.resolve("plugin");
		CompleteFile.write(this.script, SCRIPT.formatted(this.hanging, token));
		Files.setPosixFilePermissions(this.script, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	/**
	 * Return a connection that uses this plugin.
	 */
	Connection connection(Connection other) throws IOException {
		CompleteFile.write(this.kubeconfig, KUBECONFIG.formatted(other.url(), other.certificates(), this.script));
		return new Connection(other.url(), other.certificates(), other.tokenFile(), this.kubeconfig);
	}

	/**
	 * Decide whether processes that start from now on hang. One that hangs never ends by
	 * itself.
	 * @param hang whether they do
	 */
	public void hang(boolean hang) throws IOException {
		if (hang) {
			CompleteFile.write(this.hanging, "");
		}
		else {
			Files.deleteIfExists(this.hanging);
		}
	}

}
