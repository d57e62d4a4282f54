/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.File;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.HostnameVerifier;

import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.NoKubernetesClusterException;
import dev.informer.spring.kubeconfig.InvalidKubeconfigException;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import okhttp3.OkHttpClient;
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

	private final Options options;

	/**
	 * Create a factory for the environment of this process.
	 * @param details the connection details, or {@code null}
	 * @param kubeconfig the kubeconfig that replaces those of the environment, or
	 * {@code null}
	 * @param context the context that replaces the current context, or {@code null}
	 * @param options the options of every connection
	 */
	public ApiClientFactory(@Nullable KubernetesConnectionDetails details, @Nullable File kubeconfig,
			@Nullable String context, Options options) {
		this(List.of(new DetailsClusterSource(details),
				new KubeconfigSource(kubeconfig, context, System::getenv, new File(System.getProperty("user.home"))),
				new InClusterSource(System::getenv, InClusterSource.SERVICE_ACCOUNT)), options);
	}

	ApiClientFactory(List<ClusterSource> sources, Options options) {
		this.sources = List.copyOf(sources);
		this.options = options;
	}

	/**
	 * Create a client for the cluster.
	 * @return the client
	 * @throws NoKubernetesClusterException if no cluster is found
	 * @throws InvalidKubeconfigException if the kubeconfig is unusable
	 */
	public ApiClient createApiClient() {
		List<String> locations = new ArrayList<>();
		Cluster cluster = find(locations);
		if (cluster == null) {
			throw new NoKubernetesClusterException(locations);
		}
		try {
			ApiClient client = client(cluster.settings().get(), cluster.origin());
			logger.atInfo()
				.addKeyValue("url", client.getBasePath())
				.addKeyValue("from", cluster.origin())
				.log("Using Kubernetes API server {} from {}", client.getBasePath(), cluster.origin());
			return client;
		}
		catch (InvalidInformerPropertyException | InvalidKubeconfigException ex) {
			throw ex;
		}
		catch (GeneralSecurityException | RuntimeException ex) {
			throw new IllegalStateException("Cannot create a client for the Kubernetes API server from "
					+ cluster.origin() + ": " + ex.getMessage(), ex);
		}
	}

	private ApiClient client(ConnectionSettings settings, String origin) throws GeneralSecurityException {
		ApiClient client = new ClientBuilder().setBasePath(settings.url())
			.setVerifyingSsl(settings.verifyTls())
			.build();
		client.setUserAgent(this.options.userAgent());
		if (!settings.verifyTls()) {
			logger.atWarn()
				.addKeyValue("url", client.getBasePath())
				.log("TLS verification is disabled for the Kubernetes API server {}", client.getBasePath());
		}
		ReloadingSockets sockets = new ReloadingSockets(settings.tls(), settings.verifyTls(), origin,
				settings.serverName());
		OkHttpClient.Builder builder = client.getHttpClient()
			.newBuilder()
			.sslSocketFactory(sockets, sockets.trustManager())
			.addInterceptor(new AuthenticatingInterceptor(settings.credentials(), settings.impersonation(), sockets));
		String serverName = settings.serverName();
		if (serverName != null) {
			// not ClientBuilder.setTlsServerName, which client-java has since version 26
			// only
			HostnameVerifier verifier = client.getHttpClient().hostnameVerifier();
			builder.hostnameVerifier((host, session) -> verifier.verify(serverName, session));
		}
		ProxyServer proxy = (this.options.proxy() != null) ? this.options.proxy() : settings.proxy();
		if (proxy != null) {
			proxy.applyTo(builder);
		}
		return client.setHttpClient(builder.build());
	}

	/**
	 * Return the namespace of the connection.
	 * @return the namespace; {@code default} if the connection has none
	 */
	public String currentNamespace() {
		if (this.options.namespace() != null) {
			return this.options.namespace();
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

	/**
	 * Options of every connection, wherever its configuration is found.
	 *
	 * @param namespace the namespace that replaces the one of the connection;
	 * {@code null} for that one
	 * @param proxy the proxy that replaces the one of the connection; {@code null} for
	 * that one
	 * @param userAgent the value of the header {@code User-Agent}
	 */
	public record Options(@Nullable String namespace, @Nullable ProxyServer proxy, String userAgent) {

	}

}
