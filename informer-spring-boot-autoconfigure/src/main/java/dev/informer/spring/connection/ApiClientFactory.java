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
 * Factory of the {@link ApiClient}. Looks for a cluster in connection details, then in a
 * kubeconfig, then for in-cluster credentials. Nothing is read before a client is
 * requested, and nothing is cached.
 */
public final class ApiClientFactory {

	private static final Logger logger = LoggerFactory.getLogger(ApiClientFactory.class);

	private final List<ClusterSource> sources;

	private final @Nullable String namespace;

	/**
	 * Create a factory for the environment of this process.
	 * @param details the connection details, or {@code null}
	 * @param kubeconfig the kubeconfig that replaces those of the environment, or
	 * {@code null}
	 * @param context the context that replaces the current context, or {@code null}
	 * @param namespace the namespace that replaces the one of the connection, or
	 * {@code null}
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
	 * Create a client for the cluster.
	 * @return the client
	 * @throws NoKubernetesClusterException if no cluster is found
	 */
	public ApiClient createApiClient() {
		List<String> locations = new ArrayList<>();
		Cluster cluster = find(locations);
		if (cluster == null) {
			throw new NoKubernetesClusterException(locations);
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
			throw new IllegalStateException("Cannot create a client for the Kubernetes API server from "
					+ cluster.origin() + ": " + ex.getMessage(), ex);
		}
	}

	/**
	 * Return the namespace of the connection.
	 * @return the namespace; {@code default} if the connection has none
	 */
	public String currentNamespace() {
		if (this.namespace != null) {
			return this.namespace;
		}
		Cluster cluster = find(new ArrayList<>());
		return (cluster != null && cluster.namespace() != null) ? cluster.namespace() : "default";
	}

	private @Nullable Cluster find(List<String> locations) {
		for (ClusterSource source : this.sources) {
			Cluster cluster = source.find(locations);
			if (cluster != null) {
				return cluster;
			}
		}
		return null;
	}

}
