/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.boot.autoconfigure.InformerProperties.Connection;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * {@link KubernetesConnectionDetails} from {@code informer.connection.url} and related
 * properties.
 */
class PropertiesKubernetesConnectionDetails implements KubernetesConnectionDetails {

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
	 * Register for updates of a bundle, without which Boot warns that they are not
	 * applied. The connection requests the current bundle.
	 */
	private void registerUpdates(String bundle) {
		try {
			this.bundles.addBundleUpdateHandler(bundle, (updated) -> {
			});
		}
		catch (NoSuchSslBundleException ex) {
			throw new InvalidInformerPropertyException("informer.connection.ssl.bundle",
					"there is no SSL bundle '" + bundle + "'",
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
			throw new InvalidInformerPropertyException("informer.connection.ca-certificate",
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
