/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

import dev.informer.spring.KubernetesConnectionDetails;
import org.jspecify.annotations.Nullable;

/**
 * {@link ClusterSource} for an application in a pod with a service account.
 */
final class InClusterSource implements ClusterSource {

	static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

	private final UnaryOperator<@Nullable String> environment;

	private final Path serviceAccount;

	InClusterSource(UnaryOperator<@Nullable String> environment, Path serviceAccount) {
		this.environment = environment;
		this.serviceAccount = serviceAccount;
	}

	@Override
	public @Nullable Cluster find(List<String> locations) {
		String host = this.environment.apply("KUBERNETES_SERVICE_HOST");
		String port = this.environment.apply("KUBERNETES_SERVICE_PORT");
		if (host == null || port == null) {
			locations
				.add("in-cluster credentials: " + "$KUBERNETES_SERVICE_HOST and $KUBERNETES_SERVICE_PORT are not set");
			return null;
		}
		Path token = this.serviceAccount.resolve("token");
		if (!Files.isReadable(token)) {
			locations.add("in-cluster credentials: cannot read the token " + token
					+ " (automountServiceAccountToken may be disabled)");
			return null;
		}
		KubernetesConnectionDetails details = new ServiceAccount(url(host, port), this.serviceAccount);
		return new Cluster("in-cluster credentials", details.getNamespace(),
				() -> DetailsClusterSource.settings(details));
	}

	private static String url(String host, String port) {
		return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
	}

	private record ServiceAccount(String url, Path folder) implements KubernetesConnectionDetails {

		@Override
		public String getUrl() {
			return this.url;
		}

		@Override
		public @Nullable String getCaCertificate() {
			return read("ca.crt");
		}

		@Override
		public File getTokenFile() {
			return this.folder.resolve("token").toFile();
		}

		@Override
		public @Nullable String getNamespace() {
			String namespace = read("namespace");
			return (namespace != null) ? namespace.trim() : null;
		}

		private @Nullable String read(String file) {
			try {
				Path path = this.folder.resolve(file);
				return Files.isReadable(path) ? Files.readString(path) : null;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
