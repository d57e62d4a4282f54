/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.io.File;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Details of the connection to a Kubernetes API server. A bean of this type is used in
 * place of a kubeconfig and of the cluster that the application runs in.
 */
public interface KubernetesConnectionDetails extends ConnectionDetails {

	/**
	 * The URL of the API server.
	 * @return the URL, with {@code http} or {@code https}
	 */
	String getUrl();

	/**
	 * The certificates that the server's must be signed with.
	 * @return PEM content; {@code null} for those that the JVM trusts
	 */
	default @Nullable String getCaCertificate() {
		return null;
	}

	/**
	 * The certificate of the client.
	 * @return PEM content; {@code null} for none
	 */
	default @Nullable String getClientCertificate() {
		return null;
	}

	/**
	 * The key of the client's certificate.
	 * @return PEM content; {@code null} for none
	 */
	default @Nullable String getClientKey() {
		return null;
	}

	/**
	 * The bearer token.
	 * @return the token; {@code null} for none
	 */
	default @Nullable String getToken() {
		return null;
	}

	/**
	 * A file with the bearer token, which is read again when it has changed.
	 * @return the file; {@code null} for none
	 */
	default @Nullable File getTokenFile() {
		return null;
	}

	/**
	 * The namespace that {@code @current} stands for.
	 * @return the namespace; {@code null} when there is none
	 */
	default @Nullable String getNamespace() {
		return null;
	}

	/**
	 * Whether to verify the certificate of the server.
	 * @return whether to verify it
	 */
	default boolean isVerifyTls() {
		return true;
	}

	/**
	 * What the current context of a kubeconfig says.
	 * @param kubeconfig the text of the kubeconfig, which has certificates, keys and
	 * tokens in it: files that it names, and commands that give credentials, are not
	 * looked at
	 * @return the details
	 * @throws IllegalArgumentException when the current context names no server
	 */
	static KubernetesConnectionDetails ofKubeconfig(String kubeconfig) {
		return new KubeconfigConnectionDetails(kubeconfig);
	}

}
