/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.client.connection.InvalidConnectionException;
import dev.informer.client.connection.ServerDetails;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.config.InformerProperties.Connection;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * {@link KubernetesConnectionDetails} from {@code informer.connection.url} and related
 * properties.
 */
class PropertiesKubernetesConnectionDetails implements KubernetesConnectionDetails {

	private static final String PREFIX = "informer.connection.";

	private static final String PEM = "-----BEGIN";

	private final Connection properties;

	private final String url;

	private final SslBundles bundles;

	PropertiesKubernetesConnectionDetails(Connection properties, String url, SslBundles bundles) {
		this.properties = properties;
		this.url = url;
		this.bundles = bundles;
		String bundle = properties.ssl().bundle();
		if (bundle != null) {
			registerUpdates(bundle);
		}
	}

	/**
	 * Check the properties of the connection. No message contains a secret.
	 */
	static void check(Connection connection) {
		if (connection.url() == null) {
			checkRequiresUrl(connection);
			return;
		}
		try {
			ServerDetails.checkUrl(connection.url());
		}
		catch (InvalidConnectionException ex) {
			throw invalid(ex);
		}
		checkExclusive("kubeconfig", connection.kubeconfig(), "url", connection.url());
		checkExclusive("context", connection.context(), "url", connection.url());
		checkExclusive("ssl.bundle", connection.ssl().bundle(), "ca-certificate", connection.caCertificate());
		checkExclusive("token", connection.token(), "token-file", connection.tokenFile());
		File tokenFile = connection.tokenFile();
		if (tokenFile != null && !tokenFile.isFile()) {
			throw new InvalidInformerPropertyException(PREFIX + "token-file",
					"the file " + tokenFile + " does not exist", "Specify a file that contains a bearer token.");
		}
	}

	private static void checkRequiresUrl(Connection connection) {
		Map<String, @Nullable Object> properties = new LinkedHashMap<>();
		properties.put("ca-certificate", connection.caCertificate());
		properties.put("ssl.bundle", connection.ssl().bundle());
		properties.put("token", connection.token());
		properties.put("token-file", connection.tokenFile());
		properties.put("verify-tls", connection.verifyTls());
		properties.forEach((name, value) -> {
			if (value != null) {
				throw new InvalidInformerPropertyException(PREFIX + name,
						"it applies only to the server at informer.connection.url, which is not set",
						"Set informer.connection.url, or remove the property and configure it in the kubeconfig.");
			}
		});
	}

	/**
	 * Return an exception that names the property of the setting.
	 */
	static InvalidInformerPropertyException invalid(InvalidConnectionException failure) {
		return new InvalidInformerPropertyException(PREFIX + failure.setting(), failure.reason(), failure.action());
	}

	private static void checkExclusive(String one, @Nullable Object value, String other, @Nullable Object otherValue) {
		if (value != null && otherValue != null) {
			throw new InvalidInformerPropertyException(PREFIX + one, "it cannot be combined with " + PREFIX + other,
					"Remove one of them.");
		}
	}

	/**
	 * Register for updates of a bundle, without which Boot warns that they are not
	 * applied. The connection requests the current bundle.
	 */
	private void registerUpdates(String bundle) {
		try {
			this.bundles.addBundleUpdateHandler(bundle, (updated) -> {
			});
		}
		catch (NoSuchSslBundleException ex) {
			throw new InvalidInformerPropertyException(PREFIX + "ssl.bundle", "there is no SSL bundle '" + bundle + "'",
					"Define it below spring.ssl.bundle, or use one of " + this.bundles.getBundleNames() + ".");
		}
	}

	@Override
	public String getUrl() {
		return this.url;
	}

	@Override
	public @Nullable String getCaCertificate() {
		String certificate = this.properties.caCertificate();
		if (certificate == null || certificate.contains(PEM)) {
			return certificate;
		}
		try {
			return Files.readString(Path.of(certificate));
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new InvalidInformerPropertyException(PREFIX + "ca-certificate",
					"'" + certificate + "' cannot be read",
					"Specify a file with certificates in PEM format, or its content.", ex);
		}
	}

	@Override
	public @Nullable SslBundle getSslBundle() {
		String bundle = this.properties.ssl().bundle();
		return (bundle != null) ? this.bundles.getBundle(bundle) : null;
	}

	@Override
	public @Nullable String getToken() {
		return this.properties.token();
	}

	@Override
	public @Nullable File getTokenFile() {
		return this.properties.tokenFile();
	}

	@Override
	public @Nullable String getNamespace() {
		return this.properties.namespace();
	}

	@Override
	public boolean isVerifyTls() {
		return !Boolean.FALSE.equals(this.properties.verifyTls());
	}

}
