/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import dev.informer.client.connection.InvalidConnectionException;
import dev.informer.client.connection.ServerDetails;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Details of the connection to a Kubernetes API server. A bean of this type takes
 * precedence over a kubeconfig and in-cluster credentials. Its namespace is the one that
 * {@code @current} refers to.
 */
public interface KubernetesConnectionDetails extends ServerDetails, ConnectionDetails {

	/**
	 * Return the SSL bundle with the trusted certificates and the client certificate,
	 * which replaces the PEM contents. It is requested again while the connection is in
	 * use: return the current one if it may be reloaded.
	 * @return the bundle; {@code null} for none
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

	@Override
	default @Nullable Tls getTls() {
		SslBundle bundle = getSslBundle();
		return (bundle != null) ? new SslBundleTls(bundle) : null;
	}

	/**
	 * Return the connection details of the current context of a kubeconfig.
	 * @param kubeconfig the content of the kubeconfig, including certificates, keys and
	 * tokens
	 * @return the connection details
	 * @throws InvalidConnectionException if the kubeconfig is unusable, or refers to
	 * files, a credential plugin, a proxy or an impersonated user: use
	 * {@code informer.connection.kubeconfig} for these
	 */
	static KubernetesConnectionDetails ofKubeconfig(String kubeconfig) {
		return new KubeconfigConnectionDetails(ServerDetails.ofKubeconfig(kubeconfig));
	}

}
