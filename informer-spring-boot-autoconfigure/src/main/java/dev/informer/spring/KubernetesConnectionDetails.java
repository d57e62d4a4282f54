/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.io.File;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

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
	 * Return the certificates of the certificate authority.
	 * @return the PEM content; {@code null} for the trust store of the JVM
	 */
	default @Nullable String getCaCertificate() {
		return null;
	}

	/**
	 * Return the client certificate.
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
	 * tokens; referenced files and credential commands are ignored
	 * @return the connection details
	 * @throws IllegalArgumentException if the current context has no server
	 */
	static KubernetesConnectionDetails ofKubeconfig(String kubeconfig) {
		return new KubeconfigConnectionDetails(kubeconfig);
	}

}
