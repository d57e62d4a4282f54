/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.Config;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;

/**
 * Connections of the clients to the same server: the replay server, or a real one with
 * TLS and a token.
 */
final class Connections {

	private final ClientSettings settings;

	Connections(ClientSettings settings) {
		this.settings = settings;
	}

	/**
	 * Return a connection for the official client, and for this project, which uses the
	 * same. One without TLS does not read the certificates that the JVM trusts.
	 */
	ApiClient official() {
		Path certificate = this.settings.certificate();
		if (certificate == null) {
			ApiClient apiClient = new ApiClient(
					new OkHttpClient.Builder().connectionSpecs(List.of(ConnectionSpec.CLEARTEXT)).build());
			apiClient.setBasePath(this.settings.server().toString());
			return apiClient;
		}
		ApiClient apiClient = Config.fromToken(this.settings.server().toString(), this.settings.token());
		try (InputStream file = Files.newInputStream(certificate)) {
			apiClient.setSslCaCert(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return apiClient;
	}

	io.fabric8.kubernetes.client.Config fabric8() {
		ConfigBuilder builder = new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
			.withMasterUrl(this.settings.server().toString());
		Path certificate = this.settings.certificate();
		if (certificate != null) {
			builder.withCaCertFile(certificate.toString()).withOauthToken(this.settings.token());
		}
		return builder.build();
	}

}
