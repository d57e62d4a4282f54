/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.NoKubernetesClusterException;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the cluster that the application talks to: connection details, then a kubeconfig,
 * then the cluster that the application runs in. Never guesses. Looks again each time it
 * is asked, and not before.
 */
public final class ApiClientFactory {

	private static final Logger logger = LoggerFactory.getLogger(ApiClientFactory.class);

	private final List<ClusterSource> sources;

	private final @Nullable String namespace;

	/**
	 * Creates an instance that looks at the environment of this process.
	 * @param details the connection details, if there are any
	 * @param kubeconfig the kubeconfig to use in place of those of the environment
	 * @param context the context to use in place of the current one
	 * @param namespace the namespace to use in place of the one found
	 */
	public ApiClientFactory(@Nullable KubernetesConnectionDetails details, @Nullable File kubeconfig,
			@Nullable String context, @Nullable String namespace) {
		this(List.of(new DetailsClusterSource(details),
				new KubeconfigSource(kubeconfig, context, System::getenv, new File(System.getProperty("user.home"))),
				new InClusterSource(System::getenv, InClusterSource.SERVICE_ACCOUNT)), namespace);
	}

	ApiClientFactory(List<ClusterSource> sources, @Nullable String namespace) {
		this.sources = List.copyOf(sources);
		this.namespace = namespace;
	}

	/**
	 * Builds a client for the cluster.
	 * @return the client
	 * @throws NoKubernetesClusterException when there is no cluster to be found
	 */
	public ApiClient createApiClient() {
		List<String> lookedAt = new ArrayList<>();
		Cluster cluster = find(lookedAt);
		if (cluster == null) {
			throw new NoKubernetesClusterException(lookedAt);
		}
		try {
			ApiClient client = cluster.client().build();
			logger.atInfo()
				.addKeyValue("url", client.getBasePath())
				.addKeyValue("from", cluster.origin())
				.log("Using Kubernetes API server {} from {}", client.getBasePath(), cluster.origin());
			return client;
		}
		catch (InvalidInformerPropertyException ex) {
			throw ex;
		}
		catch (IOException | RuntimeException ex) {
			throw new IllegalStateException("No client for the Kubernetes API server can be built from "
					+ cluster.origin() + ": " + ex.getMessage(), ex);
		}
	}

	/**
	 * The namespace of the connection.
	 * @return the namespace; {@code default} when nothing says another one
	 */
	public String currentNamespace() {
		if (this.namespace != null) {
			return this.namespace;
		}
		Cluster cluster = find(new ArrayList<>());
		return (cluster != null && cluster.namespace() != null) ? cluster.namespace() : "default";
	}

	private @Nullable Cluster find(List<String> lookedAt) {
		for (ClusterSource source : this.sources) {
			Cluster cluster = source.find(lookedAt);
			if (cluster != null) {
				return cluster;
			}
		}
		return null;
	}

}
