/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.nio.file.Path;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link ClusterConnection}. Without any, the connection is that of
 * {@code kubectl}, or of the pod.
 */
public final class ConnectionSettings {

	private @Nullable ServerDetails server;

	private @Nullable Path kubeconfig;

	private @Nullable String context;

	private @Nullable String namespace;

	private @Nullable String proxy;

	private @Nullable String application;

	private Function<InvalidConnectionException, ? extends RuntimeException> failures = Function.identity();

	ConnectionSettings() {
	}

	/**
	 * Set the API server. It takes precedence over a kubeconfig and in-cluster
	 * credentials.
	 * @param server the details of the server; {@code null} to look for one
	 * @return these settings
	 */
	public ConnectionSettings server(@Nullable ServerDetails server) {
		this.server = server;
		return this;
	}

	/**
	 * Set the kubeconfig. It replaces those of {@code $KUBECONFIG} and the home folder.
	 * @param kubeconfig the file; {@code null} for those
	 * @return these settings
	 */
	public ConnectionSettings kubeconfig(@Nullable Path kubeconfig) {
		this.kubeconfig = kubeconfig;
		return this;
	}

	/**
	 * Set the context of the kubeconfig.
	 * @param context the name of the context; {@code null} for the current context
	 * @return these settings
	 */
	public ConnectionSettings context(@Nullable String context) {
		this.context = context;
		return this;
	}

	/**
	 * Set the namespace of the application. It replaces that of the connection.
	 * @param namespace the namespace; {@code null} for that of the connection
	 * @return these settings
	 */
	public ConnectionSettings namespace(@Nullable String namespace) {
		this.namespace = namespace;
		return this;
	}

	/**
	 * Set the proxy. It replaces that of the kubeconfig and of the JVM.
	 * @param proxy the URL of an HTTP or SOCKS 5 proxy, which may contain user and
	 * password of the former; {@code null} for the other one
	 * @return these settings
	 */
	public ConnectionSettings proxy(@Nullable String proxy) {
		this.proxy = proxy;
		return this;
	}

	/**
	 * Set the name of the application, by which the audit log of the API server names it.
	 * @param application the name; {@code null} for none
	 * @return these settings
	 */
	public ConnectionSettings application(@Nullable String application) {
		this.application = application;
		return this;
	}

	/**
	 * Replace the exceptions for invalid settings, for example by some that name the
	 * properties of a framework.
	 * @param failures the function from an exception to the one that is thrown
	 * @return these settings
	 */
	public ConnectionSettings failures(Function<InvalidConnectionException, ? extends RuntimeException> failures) {
		this.failures = failures;
		return this;
	}

	@Nullable ServerDetails server() {
		return this.server;
	}

	@Nullable Path kubeconfig() {
		return this.kubeconfig;
	}

	@Nullable String context() {
		return this.context;
	}

	@Nullable String namespace() {
		return this.namespace;
	}

	@Nullable ProxyServer proxy() {
		return ProxyServer.at(this.proxy, (problem) -> invalid("proxy", "its value " + problem, ProxyServer.REMEDY));
	}

	String userAgent() {
		String version = ConnectionSettings.class.getPackage().getImplementationVersion();
		String product = "informer/" + ((version != null) ? version : "unknown");
		String name = (this.application != null) ? this.application.replaceAll("[^\\x21-\\x7E]+", "-") : "";
		return name.isEmpty() ? product : name + " " + product;
	}

	RuntimeException invalid(String setting, String reason, String action) {
		return this.failures.apply(InvalidConnectionException.ofSetting(setting, reason, action));
	}

}
