/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.io.File;

import dev.informer.spring.kubeconfig.InvalidKubeconfigException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Details of the connection to a Kubernetes API server. A bean of this type takes
 * precedence over a kubeconfig and in-cluster credentials.
 */
public interface KubernetesConnectionDetails extends ConnectionDetails {

	/**
	 * Return the URL of the API server.
	 * @return the URL, with {@code http} or {@code https}
	 */
	String getUrl();

	/**
	 * Return the certificates of the certificate authority. They are requested again
	 * while the connection is in use: return the current ones if they may change.
	 * @return the PEM content; {@code null} for the trust store of the JVM
	 */
	default @Nullable String getCaCertificate() {
		return null;
	}

	/**
	 * Return the client certificate. It is requested again while the connection is in
	 * use: return the current one if it may change.
	 * @return the PEM content; {@code null} for none
	 */
	default @Nullable String getClientCertificate() {
		return null;
	}

	/**
	 * Return the key of the client certificate.
	 * @return the PEM content; {@code null} for none
	 */
	default @Nullable String getClientKey() {
		return null;
	}

	/**
	 * Return the SSL bundle with the trusted certificates and the client certificate,
	 * which replaces the PEM contents. It is requested again while the connection is in
	 * use: return the current one if it may be reloaded.
	 * @return the bundle; {@code null} for none
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

	/**
	 * Return the bearer token.
	 * @return the token; {@code null} for none
	 */
	default @Nullable String getToken() {
		return null;
	}

	/**
	 * Return the file with the bearer token, which is read again after it has changed.
	 * @return the file; {@code null} for none
	 */
	default @Nullable File getTokenFile() {
		return null;
	}

	/**
	 * Return the namespace that {@code @current} refers to.
	 * @return the namespace; {@code null} for none
	 */
	default @Nullable String getNamespace() {
		return null;
	}

	/**
	 * Return whether to verify the certificate of the server.
	 * @return whether to verify the certificate
	 */
	default boolean isVerifyTls() {
		return true;
	}

	/**
	 * Return the connection details of the current context of a kubeconfig.
	 * @param kubeconfig the content of the kubeconfig, including certificates, keys and
	 * tokens
	 * @return the connection details
	 * @throws InvalidKubeconfigException if the kubeconfig is unusable, or refers to
	 * files, a credential plugin, a proxy or an impersonated user: use
	 * {@code informer.connection.kubeconfig} for these
	 */
	static KubernetesConnectionDetails ofKubeconfig(String kubeconfig) {
		return new KubeconfigConnectionDetails(kubeconfig);
	}

}
