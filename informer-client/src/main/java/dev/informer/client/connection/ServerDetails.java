/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.File;
import java.security.GeneralSecurityException;

import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

import org.jspecify.annotations.Nullable;

/**
 * Address, certificates and credentials of an API server, for connections that no
 * kubeconfig describes. Implementations must be thread-safe.
 */
public interface ServerDetails {

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
	 * Return the TLS configuration that replaces the PEM contents. It is requested again
	 * while the connection is in use: return the current one if it may change.
	 * @return the configuration; {@code null} for that of the PEM contents
	 */
	default @Nullable Tls getTls() {
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
	 * Return the namespace of the application in the cluster.
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
	 * Return the details of the current context of a kubeconfig.
	 * @param kubeconfig the content of the kubeconfig, including certificates, keys and
	 * tokens
	 * @return the details
	 * @throws InvalidConnectionException if the kubeconfig is unusable, or refers to
	 * files, a credential plugin, a proxy or an impersonated user: use
	 * {@link ConnectionSettings#kubeconfig} for these
	 */
	static ServerDetails ofKubeconfig(String kubeconfig) {
		return Kubeconfig.parse(kubeconfig).requiredContext().selfContainedDetails();
	}

	/**
	 * Check the URL of an API server.
	 * @param url the URL
	 * @throws InvalidConnectionException if the URL is invalid
	 */
	static void checkUrl(String url) {
		String problem = Server.urlProblem(url);
		if (problem != null) {
			throw InvalidConnectionException.ofSetting("url", "its value " + problem, Server.URL_REMEDY);
		}
	}

	/**
	 * Keys, trusted certificates and protocols. Connections are closed when the details
	 * return one that is not equal to the last one.
	 */
	interface Tls {

		/**
		 * Return the managers of the client certificate.
		 * @return the managers
		 * @throws GeneralSecurityException if a certificate or key is invalid
		 */
		KeyManager[] keyManagers() throws GeneralSecurityException;

		/**
		 * Return the managers of the trusted certificates.
		 * @return the managers
		 * @throws GeneralSecurityException if a certificate is invalid
		 */
		TrustManager[] trustManagers() throws GeneralSecurityException;

		/**
		 * Return the names of the protocols.
		 * @return the names; {@code null} for those of the JVM
		 */
		default String @Nullable [] protocols() {
			return null;
		}

		/**
		 * Return the names of the ciphers.
		 * @return the names; {@code null} for those of the JVM
		 */
		default String @Nullable [] ciphers() {
			return null;
		}

	}

}
