/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import javax.net.ssl.HostnameVerifier;

import dev.informer.client.connection.ServerLookup.Found;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection to a Kubernetes API server, whose tokens and certificates are renewed while
 * it is in use. The server is that of the settings, or of a kubeconfig, or of the pod.
 * Nothing is read before the client or the namespace is requested. Thread-safe.
 */
public final class ClusterConnection implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ClusterConnection.class);

	private final ServerLookup lookup;

	private final @Nullable ProxyServer proxy;

	/** Guarded by this object. */
	private @Nullable ApiClient client;

	private volatile @Nullable AuthenticatingInterceptor interceptor;

	ClusterConnection(ServerLookup lookup) {
		this.lookup = lookup;
		this.proxy = lookup.settings().proxy();
	}

	/**
	 * Create the connection of {@code kubectl}, or that of the pod.
	 * @return the connection
	 */
	public static ClusterConnection create() {
		return create((settings) -> {
		});
	}

	/**
	 * Create a connection.
	 * @param customizer the callback that changes the settings
	 * @return the connection
	 * @throws InvalidConnectionException if the URL of the proxy is invalid
	 */
	public static ClusterConnection create(Consumer<ConnectionSettings> customizer) {
		ConnectionSettings settings = new ConnectionSettings();
		customizer.accept(settings);
		return new ClusterConnection(new ServerLookup(settings));
	}

	/**
	 * Return the client, which is created by the first call.
	 * @return the client
	 * @throws NoKubernetesClusterException if no server is found
	 * @throws InvalidConnectionException if a setting or the kubeconfig is unusable
	 */
	public synchronized ApiClient apiClient() {
		if (this.client == null) {
			List<String> locations = new ArrayList<>();
			Found found = this.lookup.find(locations);
			if (found == null) {
				throw new NoKubernetesClusterException(locations);
			}
			try {
				this.client = client(found.server().get(), found.origin());
			}
			catch (InvalidConnectionException ex) {
				throw ex;
			}
			catch (GeneralSecurityException | RuntimeException ex) {
				throw new IllegalStateException("Cannot create a client for the Kubernetes API server from "
						+ found.origin() + ": " + ex.getMessage(), ex);
			}
			logger.atInfo()
				.addKeyValue("url", this.client.getBasePath())
				.addKeyValue("from", found.origin())
				.log("Using Kubernetes API server {} from {}", this.client.getBasePath(), found.origin());
		}
		return this.client;
	}

	private ApiClient client(Server server, String origin) throws GeneralSecurityException {
		ApiClient client = new ClientBuilder().setBasePath(server.url()).setVerifyingSsl(server.verifyTls()).build();
		client.setUserAgent(this.lookup.settings().userAgent());
		if (!server.verifyTls()) {
			logger.atWarn()
				.addKeyValue("url", client.getBasePath())
				.log("TLS verification is disabled for the Kubernetes API server {}", client.getBasePath());
		}
		ReloadingSockets sockets = new ReloadingSockets(server, origin);
		AuthenticatingInterceptor interceptor = new AuthenticatingInterceptor(server, sockets);
		OkHttpClient.Builder builder = client.getHttpClient()
			.newBuilder()
			// another host would receive the client certificate and the impersonated user
			.followRedirects(false)
			.followSslRedirects(false)
			.sslSocketFactory(sockets, sockets.trustManager())
			.addInterceptor(interceptor);
		String serverName = server.serverName();
		if (serverName != null) {
			// ClientBuilder.setTlsServerName exists since client-java 26 only
			HostnameVerifier verifier = client.getHttpClient().hostnameVerifier();
			builder.hostnameVerifier((host, session) -> verifier.verify(serverName, session));
		}
		ProxyServer proxy = (this.proxy != null) ? this.proxy : server.proxy();
		if (proxy != null) {
			proxy.applyTo(builder);
		}
		client.setHttpClient(builder.build());
		this.interceptor = interceptor;
		return client;
	}

	/**
	 * Return whether credentials or certificates are used although newer ones could not
	 * be obtained.
	 * @return whether they are; {@code null} before the client is created
	 */
	public @Nullable Boolean isRenewalFailing() {
		AuthenticatingInterceptor current = this.interceptor;
		return (current != null) ? current.isRenewalFailing() : null;
	}

	/**
	 * Return the namespace of the application: that of the settings, of the kubeconfig or
	 * of the pod.
	 * @return the namespace; {@code default} if there is none
	 * @throws InvalidConnectionException if a setting or the kubeconfig is unusable
	 */
	public String namespace() {
		String namespace = this.lookup.settings().namespace();
		if (namespace == null) {
			Found found = this.lookup.find(new ArrayList<>());
			namespace = (found != null) ? found.namespace() : null;
		}
		return (namespace != null) ? namespace : "default";
	}

	/**
	 * End running requests and close all connections. The client must not be used
	 * afterwards.
	 */
	@Override
	public synchronized void close() {
		if (this.client != null && this.interceptor != null) {
			OkHttpClient http = this.client.getHttpClient();
			http.dispatcher().cancelAll();
			http.dispatcher().executorService().shutdown();
			http.connectionPool().evictAll();
			this.interceptor.close();
		}
	}

}
